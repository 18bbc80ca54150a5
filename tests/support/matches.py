"""Sandbox matches for tests, played by a guest who calls when it can and is random otherwise."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from service.engine import rules
from service.engine.commands import Call, Command, Discard, Draw
from service.sandbox import Wish
from service.tables import (
    AddBot,
    Join,
    Moment,
    Play,
    Player,
    Status,
    Table,
    TableCommand,
    new_table,
)
from service.tables.dealing import acting_seat
from service.tables.events import Entry
from service.tables.sandbox_play import step_on
from tests.support.tables import START

ROBO = Player("robo", "Robo", "bot")
SEAT = 1
"""The guest's."""

SEED = "a seed of the tests"


def moment(number: int = 1) -> Moment:
    """A time, and a chance of which nothing may follow."""
    return Moment(START + number, number.to_bytes(32, "big"))


def begun(
    *levels: str, deals: int, seed: str | None = SEED, at: int = 1, **rest: Any
) -> tuple[Table, tuple[Entry, ...]]:
    """A match as it begins, with the guest to act, and its log so far."""
    wish = Wish(levels, deals, seed, **rest)
    match = wish.new_match()
    table = new_table("match", wish.settings(match), ROBO, "code", moment(at))
    bots = [Player(f"bot-{n}", f"Bot {n}", "house_bot", level) for n, level in enumerate(levels)]
    log: tuple[Entry, ...] = ()
    table = replace(table, sandbox=match)
    commands: list[TableCommand] = [Join(ROBO), *(AddBot(ROBO.id, bot) for bot in bots)]
    for command in commands:
        table, entries = step_on(table, command, moment(at))
        log += entries
    return table, log


def guests_move(table: Table, chance: Random, *, calls: bool = True) -> Command:
    """A random legal move of the guest, whose turn it is; it calls where it can, or never."""
    assert (table.deal, acting_seat(table)) == (table.deal, SEAT)
    assert table.deal is not None
    legal = rules.legal(table.deal, SEAT)
    if calls and legal.call is not None:
        return Call()
    return chance.choice([one for one in legal.commands() if isinstance(one, Draw | Discard)])


def played(
    table: Table, chance: Random | None = None, at: int = 2, *, calls: bool = True
) -> Iterator[tuple[Table, tuple[Entry, ...]]]:
    """A match from here to its end: the table after each move of the guest, and what happened."""
    chance = chance or Random(1)
    while table.status is not Status.CLOSED:
        move = Play(ROBO.id, guests_move(table, chance, calls=calls))
        table, entries = step_on(table, move, moment(at))
        yield table, entries


def whole_log(
    *levels: str, deals: int, calls: bool = True, at: int = 1, **rest: Any
) -> tuple[Table, list[Entry]]:
    """A match that was played to its end, and all that has happened."""
    table, first = begun(*levels, deals=deals, at=at, **rest)
    log = list(first)
    for now, entries in played(table, at=at, calls=calls):
        table = now
        log += entries
    return table, log
