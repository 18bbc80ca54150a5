"""The one door to a table: `step` takes a command and gives the table after it."""

from collections.abc import Iterable

from service.engine.deal import Phase
from service.engine.errors import NotSeated
from service.engine.replacing import replace
from service.tables import dealing, seating
from service.tables.commands import (
    AddBot,
    CloseByOperator,
    CloseIdle,
    EndMatch,
    Expire,
    Fill,
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
from service.tables.dealing import acting_seat
from service.tables.errors import TableNotOpen
from service.tables.events import (
    DealStarted,
    Entry,
    PlayerJoined,
    Settled,
    Step,
    TableClosed,
    TableEvent,
    Turn,
)
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
        case Fill(bots):
            return _maybe_begin(seating.fill(table, bots, moment), moment)
        case CloseByOperator(note):
            return dealing.close_now(table, "operator", moment, note)
        case EndMatch():
            return dealing.close_now(table, "everybody_left", moment)
        case PlayForBot(move):
            return dealing.play_for_bot(table, move, moment)
    if table.status is Status.CLOSED:
        raise TableNotOpen("This table is closed: look for another one, or make one.")
    return _do_for_player(table, command, moment)


def _do_for_player(table: Table, command: PlayerCommand, moment: Moment) -> Step:
    match command:
        case Join(player, seat, code, agreed):
            seating.check_invite(table, player, code)
            seating.check_rules(table, agreed)
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
    if not events or not full or table.status is not Status.WAITING or len(table.ready_seats) < 2:
        return seated
    table, more = dealing.start(table, moment)
    return table, (*events, *more)


def _seat_of(table: Table, player: str) -> int:
    seat = table.seat_of(player)
    if seat is None:
        raise NotSeated("You have no seat at this table: join it first.")
    return seat


def _entries(
    before: Table, after: Table, events: Iterable[TableEvent], at: int
) -> tuple[Entry, ...]:
    entries = [
        Entry(
            before.version + place,
            at,
            _player_of(before, after, event),
            after.number,
            event,
            seats=_concerned(before, after, event),
        )
        for place, event in enumerate(events, start=1)
    ]
    return (*entries[:-1], replace(entries[-1], turn=_new_turn(before, after)))


def _player_of(before: Table, after: Table, event: TableEvent) -> str | None:
    """The player whose event it is: the one in the seat it names."""
    number = getattr(event, "seat", None)
    seat = before.seats.get(number) or after.seats.get(number) if number else None
    return seat.player.id if seat else None


def _concerned(before: Table, after: Table, event: TableEvent) -> dict[int, str] | None:
    """Whom an event concerns that concerns all who sit there, or did until it ended something."""
    if not isinstance(event, PlayerJoined | DealStarted | Settled | TableClosed):
        return None
    ends = isinstance(event, Settled | TableClosed)
    seats = before.seats if ends else after.seats
    return {
        number: seat.player.id
        for number, seat in seats.items()
        if not seat.player.is_house_bot and (ends or not seat.left)
    }


def _new_turn(before: Table, after: Table) -> Turn | None:
    """The turn, or the cut, that a step begins, unless it is a house bot's."""
    deal, was = after.deal, before.deal
    number = acting_seat(after)
    if deal is None or number is None or deal.phase is Phase.DISCARD:
        return None
    if before.number == after.number and was and (was.turn, was.phase) == (number, deal.phase):
        return None
    player = after.seats[number].player
    return None if player.is_house_bot else Turn(player.id, number, deal.phase, after.deadline)
