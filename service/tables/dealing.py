"""Deals at a table: beginning, playing, running out of time, settling."""

from typing import Literal

from service import bots
from service.engine import rules, showdown, shuffle, views
from service.engine.commands import Command, Cut
from service.engine.deal import Phase, Reason, evolve, new_deal
from service.engine.errors import WrongPhase
from service.engine.events import CutBy, DealVoided, DeckCut
from service.engine.replacing import replace
from service.tables import seating
from service.tables.errors import NotEnoughPlayers, TableNotOpen
from service.tables.events import (
    BoughtIn,
    Closing,
    DealStarted,
    Settled,
    Showdown,
    Step,
    TableEvent,
    TurnTimedOut,
    WaitingForPlayers,
)
from service.tables.sandbox import share_of
from service.tables.table import MAX_TIMEOUTS, Moment, Seat, Status, Table, status_of


def start(table: Table, moment: Moment) -> Step:
    """Begin the first deal, or the next one at a table that waits for players."""
    if table.status is not Status.WAITING:
        raise TableNotOpen(
            "This table has started already: its status is `{status}`.", status=table.status
        )
    if len(table.ready_seats) < 2:
        raise NotEnoughPlayers(
            "A deal takes two players with chips for the ante: seat a bot, or wait for others."
        )
    return _begin(table, moment)


def next_deal(table: Table, moment: Moment) -> Step:
    """After the pause: house bots buy in again if they have to, and the next deal begins.

    The table waits where fewer than two have the ante, or where no guest would play.
    """
    if table.status is not Status.PAUSE:
        return table, ()
    table, bought = _buy_bots_in(table)
    if len(table.ready_seats) >= 2 and _has_somebody_to_play_for(table):
        table, events = _begin(table, moment)
        return table, (*bought, *events)
    waiting = replace(table, status=Status.WAITING, since=moment.at)
    return waiting, (*bought, WaitingForPlayers(table.number))


def _has_somebody_to_play_for(table: Table) -> bool:
    """Whether a guest has the ante and plays, or nobody but bots sits there to be watched."""
    guests = _guests(table)
    return not guests or any(
        number in table.ready_seats and not seat.stand_in for number, seat in guests.items()
    )


def _guests(table: Table) -> dict[int, Seat]:
    return {n: seat for n, seat in table.seats.items() if not seat.player.is_house_bot}


def _buy_bots_in(table: Table) -> Step:
    amount = table.settings.buy_in
    broke = {
        number: replace(seat, stack=seat.stack + amount)
        for number, seat in table.seats.items()
        if seat.player.is_house_bot and seat.stack < table.settings.ante
    }
    table = replace(table, seats=table.seats | broke, house=table.house + amount * len(broke))
    return table, tuple(BoughtIn(number, amount) for number in broke)


def _begin(table: Table, moment: Moment) -> Step:
    """Everyone who can pays the ante, the deal passes on, and the seed is committed to."""
    ready, number, sandbox = table.ready_seats, table.number + 1, table.sandbox
    if sandbox:
        moment = replace(moment, chance=sandbox.chance(number))
    dealer = sandbox.dealer(number) if sandbox else _next_dealer(table, moment)
    place = ready.index(dealer)
    order = ready[place + 1 :] + ready[: place + 1]
    ante = table.settings.ante
    deal = new_deal(moment.seed, order, ante, table.settings.rules)
    paid = {
        n: replace(table.seats[n], stack=table.seats[n].stack - ante, dealt=number) for n in order
    }
    table = replace(
        table,
        seats=table.seats | paid,
        status=Status.CUTTING,
        number=number,
        dealer=dealer,
        deal=deal,
        deal_from=table.version,
        result=None,
        since=moment.at,
    )
    commitment = shuffle.commitment(deal.seed)
    begun = DealStarted(number, order, dealer, deal.cutter, ante, deal.pot, commitment)
    if table.settings.rules.cut == "player":
        return table, (begun,)
    table, cut = _cut_at_random(table, "auto", moment)
    return table, (begun, *cut)


def _next_dealer(table: Table, moment: Moment) -> int:
    ready, first = table.ready_seats, table.settings.rules.first_dealer
    if table.dealer is not None:
        return next((n for n in ready if n > table.dealer), ready[0])
    if isinstance(first, int):
        return next((n for n in ready if n >= first), ready[0])
    return ready[moment.below(len(ready), "dealer")]


def _cut_at_random(table: Table, by: CutBy, moment: Moment) -> Step:
    assert table.deal is not None
    cut = Cut(moment.below(52, "cut"))
    return _apply(table, table.deal.cutter, cut, moment, by)


def play(table: Table, number: int, move: Command, moment: Moment) -> Step:
    """A move by the player in a seat, which also takes the seat back from a stand-in bot."""
    if table.deal is None or table.status not in (Status.CUTTING, Status.PLAYING):
        raise WrongPhase(
            "No deal is being played now: the status of the table is `{status}`.",
            status=table.status,
        )
    table, events = _apply(table, number, move, moment, "player")
    seat = table.seats[number]
    if seat.timeouts or seat.stand_in:
        seat = replace(seat, timeouts=0, stand_in=None)
        table = replace(table, seats=table.seats | {number: seat})
    return table, events


def play_for_bot(table: Table, move: Command, moment: Moment) -> Step:
    """A move by the bot that plays the seat whose turn it is; no-op where no bot is to act."""
    number = acting_seat(table)
    if number is None or table.seats[number].bot_level is None:
        return table, ()
    return _apply(table, number, move, moment, "bot")


def acting_seat(table: Table) -> int | None:
    """The seat that is to cut, draw, or discard; None where nobody is."""
    in_play = table.status in (Status.CUTTING, Status.PLAYING)
    return table.deal.turn if in_play and table.deal else None


def _apply(table: Table, number: int, move: Command, moment: Moment, by: CutBy) -> Step:
    """The table after a move; `by` is who makes it, and the event of a cut tells it."""
    assert table.deal is not None
    deal, made = rules.apply(table.deal, number, move)
    events = tuple(replace(one, by=by) if isinstance(one, DeckCut) else one for one in made)
    same_turn = deal.turn == table.deal.turn and deal.phase is Phase.DISCARD
    since = table.since if same_turn and not table.untimed_turn else moment.at
    return replace(table, deal=deal, status=status_of(deal), since=since), events


def expire(table: Table, moment: Moment) -> Step:
    """Play the turn, or the cut, of a seat whose time has run out; no-op before that.

    A turn without a clock is not played: whoever stays away from it leaves.
    """
    expires_at, deal = table.expires_at, table.deal
    if deal is None or deal.turn is None or expires_at is None or moment.at < expires_at:
        return table, ()
    number = deal.turn
    if deal.phase is Phase.CUT:
        timed_out = TurnTimedOut(number, 0, handed_to_bot=False)
        table, cut = _cut_at_random(table, "clock", moment)
        return table, (timed_out, *cut)
    in_a_row = table.seats[number].timeouts + 1
    untimed = table.untimed_turn
    to_bot = table.settings.rules.on_timeout == "bot" and not untimed
    stand_in = "easy" if to_bot else None
    seat = replace(table.seats[number], timeouts=in_a_row, stand_in=stand_in)
    table = replace(table, seats=table.seats | {number: seat})
    timed_out = TurnTimedOut(number, in_a_row, handed_to_bot=to_bot)
    if to_bot:
        return replace(table, since=moment.at), (timed_out,)
    if untimed or in_a_row >= MAX_TIMEOUTS:
        table, events = seating.vacate(table, number, "timed_out", moment)
    else:
        table, events = _auto_play(table, number, moment)
    return table, (timed_out, *events)


def _auto_play(table: Table, number: int, moment: Moment) -> Step:
    """The rest of a turn, played for its seat (docs/rules.md, "Leaving …")."""
    events: tuple[TableEvent, ...] = ()
    while table.deal is not None and table.deal.turn == number:
        move = bots.fallback(views.view(table.deal, number))
        table, more = _apply(table, number, move, moment, "clock")
        events += more
        if table.deal is not None and table.deal.phase is Phase.DRAW:
            break
    return table, events


def settle(table: Table, moment: Moment) -> Step:
    """Show the hands, pay the pot out, and free the seats of players who have left."""
    if table.status is not Status.SETTLING:
        return table, ()
    paid, events = _pay(table, moment)
    return _maybe_close(_counted(paid), events, moment)


def _counted(table: Table) -> Table:
    """A table whose deal is settled; in a sandbox match it counts, unless the guest has left."""
    guest = table.seat_of(table.host)
    if table.sandbox is None or table.result is None or guest is None:
        return table
    return replace(table, sandbox=table.sandbox.counted(share_of(table.result, guest)))


def close_now(table: Table, reason: Closing, moment: Moment, note: str | None = None) -> Step:
    """Close a table as it stands; a deal that goes on is void, one that is over is paid out."""
    if table.status is Status.CLOSED:
        return table, ()
    events: tuple[TableEvent, ...] = ()
    if table.deal is not None and table.status in (Status.CUTTING, Status.PLAYING):
        voided = DealVoided(None)
        table = replace(table, deal=evolve(table.deal, voided), status=Status.SETTLING)
        events = (voided,)
    if table.status is Status.SETTLING:
        table, paid = _pay(table, moment)
        events += paid
    closed, end = seating.close(table, reason, moment, note)
    return closed, (*events, *end)


def _pay(table: Table, moment: Moment) -> Step:
    """The table after the pot of a deal that is over is paid out."""
    assert table.deal is not None
    result = showdown.settle(table.deal)
    shares = {hand.seat: hand.share for hand in result.hands if hand.share}
    seats = {
        number: replace(seat, stack=seat.stack + shares.get(number, 0))
        for number, seat in table.seats.items()
    }
    cashed_out = {number: seat.stack for number, seat in seats.items() if seat.left}
    settled = Settled(table.number, result.reason, result.winners, result.pot, shares, cashed_out)
    shown = (Showdown(result.hands),) if result.reason is Reason.SHOWDOWN else ()
    paid = replace(table, seats=seats, status=Status.PAUSE, result=result, since=moment.at)
    return seating.free(paid, cashed_out), (*shown, settled)


def _maybe_close(table: Table, events: tuple[TableEvent, ...], moment: Moment) -> Step:
    played = table.settings.deals is not None and table.number >= table.settings.deals
    guests = _guests(table)
    endless = not guests and table.settings.deals is None
    away = bool(guests) and all(seat.stand_in for seat in guests.values())
    if not table.closing and not played and not away and not endless:
        return table, events
    reason: Literal["deals_played", "everybody_left"] = (
        "deals_played" if played else "everybody_left"
    )
    closed, more = seating.close(table, reason, moment)
    return closed, (*events, *more)
