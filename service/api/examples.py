"""Examples for the document, made by the very code that makes the answers."""

from typing import Any

from service.engine.commands import Cut, Draw, Source
from service.engine.house_rules import HouseRules
from service.tables import (
    AddBot,
    Join,
    Moment,
    Play,
    Player,
    Settings,
    Table,
    new_table,
    step,
    views,
)

NEW_TABLE = {
    "name": "Friday night",
    "seats": 2,
    "ante": 5,
    "bots": [{"level": "easy"}],
    "rules": {"first_dealer": 2},
}

_AT = 1_790_000_000_000
_MOMENT = Moment(_AT, bytes(32))
_KEOLA = Player("01M5W0N3S8A2PZK0Q4H7J6R9TB", "Keola", "human")
_KAI = Player("01M5W0N3S8B7DT1Y5C3X8V2F6G", "Kai", "house_bot", "easy")


def _after(table: Table, command: Any) -> Table:
    return step(table, command, _MOMENT)[0]


def _view(table: Table) -> dict[str, Any]:
    return views.table_view(table, _KEOLA.id, _AT + 1_500)


_settings = Settings(seats=2, name="Friday night", rules=HouseRules(first_dealer=2))
_seated = _after(
    new_table("01M5W0N3S84E9WQ2J5R7K1X6ZC", _settings, _KEOLA, "Pd2vK8sQ", _MOMENT), Join(_KEOLA)
)
_begun = _after(_seated, AddBot(_KEOLA.id, _KAI))
_dealt = _after(_begun, Play(_KEOLA.id, Cut(21, "aloha")))
_drawn = _after(_dealt, Play(_KEOLA.id, Draw(Source.STOCK)))

NEW_TABLE_VIEW = _view(_begun)
TABLE_VIEW = _view(_dealt)
DRAWN_VIEW = _view(_drawn)
