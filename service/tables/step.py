"""The one door to a table: `step` takes a command and gives the table after it."""

from collections.abc import Iterable
from dataclasses import replace

from service.engine.errors import NotSeated
from service.tables import dealing, seating
from service.tables.commands import (
    AddBot,
    CloseIdle,
    Expire,
    Join,
    Leave,
    NextDeal,
    Play,
    PlayerCommand,
    PlayForBot,
    RemoveBot,
    Settle,
    Start,
    TableCommand,
)
from service.tables.errors import TableNotOpen
from service.tables.events import Entry, Step, TableEvent
from service.tables.table import Moment, Status, Table


def step(table: Table, command: TableCommand, moment: Moment) -> tuple[Table, tuple[Entry, ...]]:
    """The table after a command, and the log entries that tell what happened.

    Pure: time and chance come in with `moment`.  No entries means that nothing changed.

    Raises:
        PaiuteError: the command is refused; nothing has changed.
    """
    after, events = _do(table, command, moment)
    if not events:
        return table, ()
    if after.status is Status.WAITING:
        after = replace(after, since=moment.at)
    entries = _entries(table, after, events, moment.at)
    return replace(after, version=entries[-1].id), entries


def _do(table: Table, command: TableCommand, moment: Moment) -> Step:
    match command:
        case Settle():
            return dealing.settle(table, moment)
        case NextDeal():
            return dealing.next_deal(table, moment)
        case Expire():
            return dealing.expire(table, moment)
        case CloseIdle():
            return seating.close_idle(table, moment)
        case PlayForBot(move):
            return dealing.play_for_bot(table, move, moment)
    if table.status is Status.CLOSED:
        raise TableNotOpen("This table is closed.")
    return _do_for_player(table, command, moment)


def _do_for_player(table: Table, command: PlayerCommand, moment: Moment) -> Step:
    match command:
        case Join(player, seat, code):
            seating.check_invite(table, player, code)
            return _maybe_begin(seating.sit(table, player, seat), moment)
        case AddBot(host, bot, seat):
            seating.check_host(table, host)
            return _maybe_begin(seating.sit(table, bot, seat), moment)
        case RemoveBot(host, seat):
            seating.check_host(table, host)
            return seating.vacate(table, seating.house_bot_in(table, seat), "removed", moment)
        case Leave(player):
            return seating.vacate(table, _seat_of(table, player), "left", moment)
        case Start(player):
            seating.check_host(table, player)
            return dealing.start(table, moment)
        case Play(player, move):
            return dealing.play(table, _seat_of(table, player), move, moment)


def _maybe_begin(seated: Step, moment: Moment) -> Step:
    """Begin dealing at a table that begins when it is full, once it is."""
    table, events = seated
    full = not table.open_seats and table.settings.start_when == "full"
    if not full or table.status is not Status.WAITING or len(table.ready_seats) < 2:
        return seated
    table, more = dealing.start(table, moment)
    return table, (*events, *more)


def _seat_of(table: Table, player: str) -> int:
    seat = table.seat_of(player)
    if seat is None:
        raise NotSeated("You have no seat at this table.")
    return seat


def _entries(
    before: Table, after: Table, events: Iterable[TableEvent], at: int
) -> tuple[Entry, ...]:
    return tuple(
        Entry(before.version + place, at, _player_of(before, after, event), after.number, event)
        for place, event in enumerate(events, start=1)
    )


def _player_of(before: Table, after: Table, event: TableEvent) -> str | None:
    """The player whose event it is: the one in the seat it names."""
    number = getattr(event, "seat", None)
    seat = before.seats.get(number) or after.seats.get(number) if number else None
    return seat.player.id if seat else None
