"""Examples for the document, made by the very code that makes the answers."""

from dataclasses import replace
from random import Random
from typing import Any

from service import bots
from service.engine import views as engine_views
from service.engine.commands import Cut, Draw, Source
from service.engine.house_rules import HouseRules
from service.tables import (
    AddBot,
    Join,
    Moment,
    Play,
    Player,
    PlayForBot,
    Settings,
    Settle,
    Table,
    new_table,
    step,
    views,
)
from service.tables.events import Entry
from service.tables.records import record_of

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


_SHORT = Moment(_AT, bytes([8]) * 32)
"""The chance by which a deal is over in four moves."""


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


def _deal_record() -> dict[str, Any]:
    """The record of a whole deal, both sides played as a house bot plays."""
    table = new_table("01M5W0N3S84E9WQ2J5R7K1X6ZC", _settings, _KEOLA, "Pd2vK8sQ", _SHORT)
    commands: list[Any] = [Join(_KEOLA), AddBot(_KEOLA.id, _KAI), Play(_KEOLA.id, Cut(21, "aloha"))]
    log: tuple[Entry, ...] = ()
    played = table
    while table.result is None:
        played = table
        command = commands.pop(0) if commands else _next(table)
        table, entries = step(table, command, _SHORT)
        log += entries
    return views.record_view(record_of(replace(played, result=table.result), log), _KEOLA.id)


def _next(table: Table) -> Any:
    deal = table.deal
    if deal is None or deal.turn is None:
        return Settle()
    player = table.seats[deal.turn].player
    move = bots.choose("easy", engine_views.view(deal, deal.turn), Random(1))  # noqa: S311
    return PlayForBot(move) if player.is_house_bot else Play(player.id, move)


DEAL_RECORD = _deal_record()
