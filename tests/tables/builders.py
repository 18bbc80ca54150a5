"""Tables for tests: players, moments, and steps in a row."""

from typing import Any

from service.engine.commands import Cut, Discard, Draw, Source
from service.engine.house_rules import HouseRules
from service.tables import (
    AddBot,
    Join,
    Moment,
    Play,
    Player,
    Settings,
    Table,
    TableCommand,
    new_table,
    step,
)
from service.tables.events import TableEvent

START = 1_790_000_000_000

ANN = Player("ann", "Ann", "human")
BEN = Player("ben", "Ben", "human")
CAM = Player("cam", "Cam", "human")
BOT = Player("kai", "Kai", "house_bot", "easy")
BOT2 = Player("pua", "Pua", "house_bot", "easy")

PLAYERS = {player.id: player for player in (ANN, BEN, CAM, BOT)}


def at(ms: int = 0, chance: int = 1) -> Moment:
    """A moment so many milliseconds after the start, with known chance."""
    return Moment(START + ms, chance.to_bytes(32, "big"))


def table(seats: int = 3, **settings: Any) -> Table:
    """An empty table that Ann is host of; the dealer of its first deal is the last seat."""
    rules = settings.pop("rules", HouseRules(first_dealer=seats))
    settings = {"start_when": "host", "pause_seconds": 5, **settings}
    made = Settings(seats=seats, rules=rules, **settings)
    return new_table("t1", made, ANN, "code", at())


def after(state: Table, *commands: TableCommand, moment: Moment | None = None) -> Table:
    """The table after some commands."""
    for command in commands:
        state, _ = step(state, command, moment or at())
    return state


def events(
    state: Table, command: TableCommand, moment: Moment | None = None
) -> tuple[Table, list[TableEvent]]:
    """The table after a command, and what happened."""
    state, entries = step(state, command, moment or at())
    return state, [entry.event for entry in entries]


def seated(*players: Player, **settings: Any) -> Table:
    """A table that these players sit at, in order."""
    state = table(len(players), **settings)
    joins = [
        AddBot(ANN.id, player) if player.is_house_bot else Join(player, invite_code="code")
        for player in players
    ]
    return after(state, *joins)


def move(state: Table, command: Any, moment: Moment | None = None) -> Table:
    """The table after a move by the seat whose turn it is."""
    assert state.deal is not None
    assert state.deal.turn is not None
    player = state.seats[state.deal.turn].player.id
    return after(state, Play(player, command), moment=moment)


def cut(state: Table, position: int = 0) -> Table:
    """The table after the cut."""
    return move(state, Cut(position))


def turn(state: Table, moment: Moment | None = None) -> Table:
    """The table after a turn: a card from the stock, discarded at once."""
    state = move(state, Draw(Source.STOCK), moment)
    assert state.deal is not None
    assert state.deal.drawn is not None
    return move(state, Discard(state.deal.drawn), moment)
