"""Tables for tests: settings, players, and whole tables played by random legal moves."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from service.cashier import owed
from service.engine import rules
from service.engine.commands import Call, Command, Cut, Discard, Draw
from service.store.accounts import Account
from service.store.base import Change, Store
from service.tables import (
    AddBot,
    CloseIdle,
    Expire,
    Fill,
    Join,
    Moment,
    NextDeal,
    Play,
    Player,
    PlayForBot,
    Settings,
    Settle,
    Status,
    Table,
    TableCommand,
    followup,
    new_table,
    step,
)
from service.tables.dealing import acting_seat
from service.tables.events import Entry
from service.tables.records import record_of

START = 1_700_000_000_000
"""When the tables of tests begin, in milliseconds since 1970."""

HOST = Player("host", "Keola", "human")
GUEST = Player("guest", "Malia", "human")
BOT = Player("house", "Kai", "house_bot", "easy")
DUE: dict[str, TableCommand] = {
    "settle": Settle(),
    "next_deal": NextDeal(),
    "expire_turn": Expire(),
    "close_idle": CloseIdle(),
    "fill": Fill(tuple(replace(BOT, id=f"fill-{n}", name=f"Fill {n}") for n in range(5))),
}
"""What is done for a follow-up, but for a bot's turn."""


def open_account(store: Store, player: Player, balance: int = 1000) -> None:
    """Give a player an account with some chips."""
    store.accounts.open(Account(player, balance, START))


def settings(**changed: Any) -> Settings:
    """Settings without any waiting, unless others are given."""
    usual: dict[str, Any] = {"seats": 2, "turn_seconds": 0, "pause_seconds": 0, "thinking_ms": 0}
    return Settings(**(usual | changed))


def moment(at: int = START, chance: Random | None = None) -> Moment:
    """A time and the chance of a step."""
    return Moment(at, (chance or Random(at)).randbytes(32))


def created(
    table_id: str = "table-1", joiners: tuple[Player, ...] = (HOST,), **changed: Any
) -> Change:
    """The first change of a table: made, with these players seated."""
    table = new_table(table_id, settings(**changed), HOST, "invite", moment())
    entries: tuple[Any, ...] = ()
    for player in joiners:
        table, more = step(table, seated(player), moment())
        entries += more
    return Change(table, entries)


def seated(player: Player) -> TableCommand:
    """The command that seats a player."""
    if player.is_house_bot:
        return AddBot(HOST.id, player)
    return Join(player, invite_code="invite")


def changed_by(table: Table, command: TableCommand, at: int = START) -> Change:
    """The change that a command makes of a table."""
    after, entries = step(table, command, moment(at))
    return Change(after, entries, owed=owed(table, entries))


def put(store: Store, change: Change) -> Table:
    """Commit a change that has to succeed; gives its table."""
    assert store.commit(change.entries[0].id - 1, change) is True
    return change.table


def history(chance: Random, players: int = 3, **changed: Any) -> Iterator[Change]:
    """A table's changes from its making to its end, by random legal moves of people and bots.

    Somebody runs out of time now and then, so that nearly every kind of event comes about.
    """
    people = [Player(f"player-{n}", f"Player {n}", "human") for n in range(2, players)]
    usual = {"deals": 2, "turn_seconds": 30}
    change = created("random", (HOST, *people, BOT), seats=players, **(usual | changed))
    log: list[Entry] = []
    at = START
    while True:
        yield change
        log += change.entries
        table = change.table
        if table.status is Status.CLOSED:
            return
        due = followup(table)
        late = due is not None and (due.kind in ("settle", "next_deal") or chance.random() < 0.03)
        at = max(at + chance.randrange(1, 20_000), due.at if due and late else 0)
        command = _next_command(table, at, chance)
        after, entries = step(table, command, moment(at, chance))
        change = Change(after, entries)
        if isinstance(command, Settle):
            settled = replace(table, result=after.result)
            change = replace(change, record=record_of(settled, (*log, *entries)))


def _next_command(table: Table, at: int, chance: Random) -> TableCommand:
    due, seat = followup(table), acting_seat(table)
    if due and due.kind in DUE and due.at <= at:
        return DUE[due.kind]
    assert seat is not None
    move = any_move(table, seat, chance)
    sitting = table.seats[seat]
    return PlayForBot(move) if sitting.bot_level else Play(sitting.player.id, move)


def any_move(table: Table, seat: int, chance: Random) -> Command:
    """A random legal move of a seat; it calls where it can."""
    assert table.deal is not None
    legal = rules.legal(table.deal, seat)
    if legal.cut:
        return Cut(chance.randrange(52), "aloha")
    if legal.call is not None:
        return Call()
    return chance.choice([one for one in legal.commands() if isinstance(one, Draw | Discard)])
