"""Taking and giving up seats."""

import hmac
from collections.abc import Iterable
from typing import Literal

from service.engine import rules
from service.engine.commands import Fold
from service.engine.replacing import replace
from service.tables.errors import (
    AlreadySeated,
    Forbidden,
    NoSuchSeat,
    RulesChanged,
    SeatTaken,
    TableFull,
    WrongInviteCode,
)
from service.tables.events import (
    Closing,
    PlayerJoined,
    PlayerLeft,
    Step,
    TableClosed,
    TableEvent,
)
from service.tables.rules_hash import rules_hash
from service.tables.table import Moment, Player, Seat, Status, Table, status_of


def check_host(table: Table, player: str) -> None:
    """Refuse what only the host may say."""
    if player != table.host:
        raise Forbidden("Only the host of this table may do this.")


def check_invite(table: Table, player: Player, code: str | None) -> None:
    """Refuse a private table's seat to whoever has not its invite code, but for its host."""
    if table.settings.visibility == "public" or player.id == table.host:
        return
    if not hmac.compare_digest((code or "").encode(), table.invite_code.encode()):
        raise WrongInviteCode(
            "This table is private: join with its invite code, which its host has."
        )


def check_rules(table: Table, agreed: str | None) -> None:
    """Refuse a seat to whoever has agreed to other house rules."""
    if agreed is not None and agreed != rules_hash(table.settings.rules):
        raise RulesChanged(table.settings.rules)


def house_bot_in(table: Table, number: int) -> int:
    """The number of a seat, once it is sure that a house bot has it."""
    if table.sandbox:
        raise Forbidden("The bots of a sandbox match stay: to end it, leave the table.")
    seat = table.seats.get(number)
    if seat is None or not seat.player.is_house_bot or seat.left:
        raise NoSuchSeat("No house bot sits in seat {seat}.", seat=number)
    return number


def sit(table: Table, player: Player, wanted: int | None) -> Step:
    """Seat a player with the table's buy-in."""
    if any(seat.player.id == player.id for seat in table.seats.values()):
        raise AlreadySeated(
            "You have a seat at this table already; one that you have left is free once its deal "
            "is settled."
        )
    number = _free_seat(table, wanted)
    seat = Seat(player, table.settings.buy_in)
    after = replace(table, seats=dict(sorted((table.seats | {number: seat}).items())))
    if player.is_house_bot:
        after = replace(after, house=after.house + seat.stack)
    if table.closing and not player.is_house_bot:
        after = replace(after, closing=False, host=player.id)
    return after, (PlayerJoined(number, player, seat.stack),)


def fill(table: Table, bots: Iterable[Player], moment: Moment) -> Step:
    """Seat house bots where seats are open; no-op before it is time for that."""
    if table.fill_at is None or moment.at < table.fill_at:
        return table, ()
    events: tuple[TableEvent, ...] = ()
    for bot in bots:
        if table.open_seats:
            table, joined = sit(table, bot, None)
            events += joined
    return table, events


def _free_seat(table: Table, wanted: int | None) -> int:
    if not table.open_seats:
        raise TableFull(
            "All seats are taken; there are {seats}. Look for another table.",
            seats=table.settings.seats,
        )
    if wanted is None:
        return table.open_seats[0]
    if wanted > table.settings.seats:
        raise NoSuchSeat("This table has the seats 1 to {seats}.", seats=table.settings.seats)
    if wanted not in table.open_seats:
        raise SeatTaken(
            "Seat {seat} is taken. Free seats: {free}.",
            seat=wanted,
            free=", ".join(map(str, table.open_seats)),
        )
    return wanted


def vacate(
    table: Table, number: int, reason: Literal["left", "removed", "timed_out"], moment: Moment
) -> Step:
    """Free a seat: at once, or when the present deal is settled if the seat is in it.

    Its hand folds, but for a house bot that is sent away: that plays the deal to its end.
    """
    seat = table.seats[number]
    left = PlayerLeft(number, seat.player, seat.stack, reason)
    deal = table.deal
    if not table.in_deal or deal is None or number not in deal.hands:
        left = replace(left, cashed_out={number: seat.stack})
        return _host_passes_on(free(table, [number]), (left,), moment)
    events: tuple[TableEvent, ...] = ()
    hand = deal.hands[number]
    folds = reason != "removed" and not hand.laid and not hand.folded
    if folds and table.status is not Status.SETTLING:
        turn = deal.turn
        deal, events = rules.apply(deal, number, Fold())
        since = table.since if deal.turn == turn else moment.at
        table = replace(table, deal=deal, status=status_of(deal), since=since)
    seats = table.seats | {number: replace(seat, left=True)}
    return _host_passes_on(replace(table, seats=seats), (*events, left), moment)


def _host_passes_on(table: Table, events: tuple[TableEvent, ...], moment: Moment) -> Step:
    """Another guest becomes host where the host has left; a table that is left alone closes."""
    (leaver,) = (event.player for event in events if isinstance(event, PlayerLeft))
    guests = [
        seat.player.id
        for seat in table.seats.values()
        if not seat.left and not seat.player.is_house_bot
    ]
    if guests:
        host = guests[0] if leaver.id == table.host else table.host
        return replace(table, host=host), events
    if leaver.is_house_bot and table.seats:
        return table, events
    if table.in_deal:
        return replace(table, closing=True), events
    closed, more = close(table, "everybody_left", moment)
    return closed, (*events, *more)


def close_idle(table: Table, moment: Moment) -> Step:
    """Close a table that has waited in vain; no-op elsewhere, and before it has waited for long."""
    gives_up = table.idle_deadline
    if table.status is not Status.WAITING or gives_up is None or moment.at < gives_up:
        return table, ()
    return close(table, "idle", moment)


def free(table: Table, numbers: Iterable[int]) -> Table:
    """Free seats; the house's bots take its chips home."""
    gone = {number: table.seats[number] for number in numbers}
    home = sum(seat.stack for seat in gone.values() if seat.player.is_house_bot)
    kept = {number: seat for number, seat in table.seats.items() if number not in gone}
    return replace(table, seats=kept, house=table.house - home)


def close(table: Table, reason: Closing, moment: Moment, note: str | None = None) -> Step:
    """Close a table for good; all take home their stacks, which are still shown there."""
    cashed_out = {number: seat.stack for number, seat in table.seats.items()}
    house = free(table, table.seats).house
    closed = replace(table, house=house, status=Status.CLOSED, since=moment.at)
    return closed, (TableClosed(reason, cashed_out, note),)
