"""Taking and giving up seats."""

import pytest

from service.engine.errors import NotSeated
from service.tables import (
    AddBot,
    CloseIdle,
    Followup,
    Join,
    Leave,
    NextDeal,
    RemoveBot,
    Settle,
    Start,
    Status,
    Table,
    TableCommand,
    followup,
    step,
)
from service.tables.bot_turns import bot_turn
from service.tables.errors import (
    AlreadySeated,
    Forbidden,
    NoSuchSeat,
    SeatTaken,
    TableFull,
    TableNotOpen,
    WrongInviteCode,
)
from service.tables.events import DealStarted, PlayerJoined, PlayerLeft, Settled, TableClosed
from tests.tables.builders import (
    ANN,
    BEN,
    BOT,
    BOT2,
    CAM,
    START,
    after,
    at,
    cut,
    events,
    seated,
    table,
    turn,
)


def test_players_take_the_first_free_seat() -> None:
    """Who names no seat gets the first free one, with the table's buy-in."""
    state, happened = events(after(table(buy_in=80), Join(ANN, 2)), Join(BEN))

    assert happened == [PlayerJoined(1, BEN, 80)]
    assert (1, 2) == (state.seat_of("ben"), state.seat_of("ann"))


def test_a_taken_seat_is_refused() -> None:
    """A named seat that somebody has is refused, with the free ones."""
    with pytest.raises(SeatTaken, match="Free seats: 2, 3"):
        after(table(), Join(ANN, 1), Join(BEN, 1))


def test_a_full_table_is_refused() -> None:
    """Where no seat is free nobody is seated."""
    with pytest.raises(TableFull):
        after(table(2), Join(ANN), Join(BEN), Join(CAM))


def test_a_seat_that_the_table_lacks_is_refused() -> None:
    """A two-handed table has no seat 3."""
    with pytest.raises(NoSuchSeat):
        after(table(2), Join(ANN, 3))


def test_nobody_sits_twice() -> None:
    """A player has one seat at a table."""
    with pytest.raises(AlreadySeated):
        after(table(), Join(ANN), Join(ANN))


def test_a_private_table_wants_its_code() -> None:
    """Without the invite code, or with a wrong one, a private table is closed to a player."""
    private = after(table(visibility="private"), Join(ANN, invite_code="code"))

    for code in (None, "", "Code", "cöde"):
        with pytest.raises(WrongInviteCode):
            after(private, Join(BEN, invite_code=code))
    assert after(private, Join(BEN, invite_code="code")).seat_of("ben") == 2


def test_a_full_table_begins_by_itself() -> None:
    """A table that starts when full deals as soon as its last seat is taken."""
    _, happened = events(after(table(2, start_when="full"), Join(ANN)), Join(BEN))

    assert [PlayerJoined, DealStarted] == [type(event) for event in happened]


def test_bots_are_the_hosts_to_seat_and_to_send_away() -> None:
    """A player who is not the host can neither add nor remove a house bot."""
    state = after(table(), Join(ANN), Join(BEN))
    with pytest.raises(Forbidden):
        after(state, AddBot("ben", BOT))

    with_bot = after(state, AddBot("ann", BOT))
    with pytest.raises(Forbidden):
        after(with_bot, RemoveBot("ben", 3))
    _, happened = events(with_bot, RemoveBot("ann", 3))
    assert [PlayerLeft(3, BOT, 100, "removed", {3: 100})] == happened


def test_only_house_bots_are_sent_away() -> None:
    """Removing names a seat with a house bot in it, not a player or an empty seat."""
    state = after(table(), Join(ANN), Join(BEN))
    for seat in (2, 3):
        with pytest.raises(NoSuchSeat):
            after(state, RemoveBot("ann", seat))


def test_a_seat_left_before_a_deal_is_free_at_once() -> None:
    """Leaving where no deal goes on frees the seat."""
    state, happened = events(after(table(), Join(ANN), Join(BEN)), Leave("ben"))

    assert [PlayerLeft(2, BEN, 100, "left", {2: 100})] == happened
    assert (2, 3) == state.open_seats


def test_who_leaves_in_a_deal_folds_and_keeps_the_seat_until_it_is_settled() -> None:
    """The seat of a player who left is shown until the deal's end and free after it."""
    state = after(cut(after(seated(ANN, BEN, CAM), Start("ann"))), Leave("ben"))

    assert state.deal is not None
    assert state.deal.hands[2].folded
    assert state.seats[2].left
    assert state.seat_of("ben") is None
    assert state.open_seats == ()
    with pytest.raises(AlreadySeated):
        after(state, Join(BEN))


def test_the_last_player_in_a_deal_takes_the_pot() -> None:
    """Where all others leave, the pot goes to who stays, and the seats are freed."""
    state = after(seated(ANN, BEN, ante=5), Start("ann"))
    state = after(state, Leave("ben"))
    assert Status.SETTLING is state.status

    state = after(state, Settle())
    assert state.seats[1].stack == 105
    assert (2,) == state.open_seats


def test_the_host_passes_on() -> None:
    """When the host leaves, the next player who is no house bot becomes host."""
    state = after(seated(ANN, BOT, BEN), Leave("ann"))

    assert state.host == "ben"


def test_a_table_closes_when_its_last_guest_leaves() -> None:
    """House bots alone do not go on, and a closed table takes nobody."""
    state, happened = events(seated(ANN, BOT), Leave("ann"))

    assert TableClosed("everybody_left", {2: 100}) in happened
    with pytest.raises(TableNotOpen):
        after(state, Join(BEN))


def test_a_deal_is_played_out_before_its_table_closes() -> None:
    """In the middle of a deal the bots finish it; then the table closes, unless somebody came."""
    state = after(cut(after(seated(BOT, BOT2, ANN), Start("ann"))), Leave("ann"))
    assert state.closing
    assert Status.PLAYING is state.status


def test_who_saves_a_closing_table_is_its_host() -> None:
    """Where somebody joins while the bots play a deal out, the table goes on with a new host."""
    state = after(table(4), Join(ANN), AddBot("ann", BOT), AddBot("ann", BOT2))
    state = after(cut_by_anyone(after(state, Start("ann"))), Leave("ann"))
    assert state.closing

    state = after(state, Join(BEN))
    assert (False, "ben") == (state.closing, state.host)


def cut_by_anyone(state: Table) -> Table:
    """The table after the cut, whoever is to make it."""
    return cut(state) if state.seats[state.deal.turn].player == ANN else bot_turn(state, at())[0]  # type: ignore[union-attr, index]


def test_a_bot_that_is_sent_away_plays_the_deal_to_its_end() -> None:
    """Nobody wins a pot by sending bots away: they stay in the deal, and then leave."""
    state = cut_by_anyone(after(seated(ANN, BOT), Start("ann")))
    state, happened = events(state, RemoveBot("ann", 2))

    assert ["player_left"] == [event.type for event in happened]
    assert Status.PLAYING is state.status
    assert state.seats[2].left


def test_a_table_without_seats_taken_closes() -> None:
    """An exhibition whose bots are all sent away is over."""
    state = after(table(2), AddBot("ann", BOT), AddBot("ann", BOT2), RemoveBot("ann", 1))
    assert Status.WAITING is state.status

    assert Status.CLOSED is after(state, RemoveBot("ann", 2)).status


def test_a_watching_host_stays_host() -> None:
    """Hosting passes on when the host leaves, not when a bot does."""
    state = after(table(3), AddBot("ann", BOT), AddBot("ann", BOT2), Join(BEN))

    assert "ann" == after(state, RemoveBot("ann", 1)).host


def test_the_host_of_a_private_table_needs_no_code() -> None:
    """A host who left, or who watches, may sit down again."""
    private = after(table(visibility="private"), Join(ANN))

    assert private.seat_of("ann") == 1


def test_who_leaves_with_a_laid_hand_takes_the_winnings_home() -> None:
    """What a seat that becomes free takes along is in `settled`, its share included."""
    state = after(seated(ANN, BEN, ante=5), Start("ann"))
    state = after(state, Leave("ben"), Leave("ann"))
    _, happened = events(state, Settle())
    settled = next(event for event in happened if isinstance(event, Settled))

    assert sum(settled.cashed_out.values()) == 200


def test_who_has_no_seat_cannot_leave() -> None:
    """Leaving takes a seat."""
    with pytest.raises(NotSeated):
        after(seated(ANN), Leave("ben"))


def test_who_joins_in_a_deal_is_dealt_in_with_the_next() -> None:
    """A newcomer sits out the present deal."""
    state = after(table(3), Join(ANN), Join(BEN))
    state = cut(after(state, Start("ann")))
    state = turn(after(state, Join(CAM)))

    assert state.deal is not None
    assert 3 not in state.deal.hands
    assert not state.dealt_in(3)


def test_a_step_without_events_changes_nothing() -> None:
    """What is due elsewhere is a no-op: same table, no entries."""
    state = seated(ANN, BEN)

    assert (state, ()) == step(state, Settle(), at())


def test_a_table_that_waits_in_vain_closes() -> None:
    """Where nobody does anything for long a waiting table closes, and all take their chips home."""
    state = seated(ANN, BEN, idle_seconds=600)
    assert Followup("close_idle", START + 600_000) == followup(state)
    assert (state, []) == events(state, CloseIdle(), at(599_999))

    closed, happened = events(state, CloseIdle(), at(600_000))
    assert [TableClosed("idle", {1: 100, 2: 100})] == happened
    assert (Status.CLOSED, 0, None) == (closed.status, closed.chips, followup(closed))


@pytest.mark.parametrize(
    "command", [Join(CAM), Leave("ben"), AddBot("ann", BOT2), RemoveBot("ann", 3)]
)
def test_whoever_does_something_renews_the_wait(command: TableCommand) -> None:
    """Joining, leaving, and seating or sending away a bot let a table wait as long again."""
    state = after(table(4, idle_seconds=600), Join(ANN), Join(BEN), AddBot("ann", BOT))
    state = after(state, command, moment=at(500_000))

    assert Status.WAITING is state.status
    assert Followup("close_idle", START + 1_100_000) == followup(state)


def test_a_refused_command_does_not_renew_the_wait() -> None:
    """What changes nothing is nothing."""
    state = after(table(2, idle_seconds=600), Join(ANN))
    with pytest.raises(NotSeated):
        after(state, Leave("ben"), moment=at(500_000))

    assert Followup("close_idle", START + 600_000) == followup(state)


def test_a_table_that_plays_is_not_idle() -> None:
    """A table that has begun does not close for want of players, however late the look is."""
    state = after(seated(ANN, BEN, idle_seconds=600), Start("ann"))

    assert (state, []) == events(state, CloseIdle(), at(10**9))


def test_a_wait_for_players_after_a_deal_begins_then() -> None:
    """A table where too few can pay waits from the end of its pause on."""
    state = after(seated(ANN, BEN, idle_seconds=600), Start("ann"), Leave("ben"), Settle())
    state = after(state, NextDeal(), moment=at(5_000))

    assert Status.WAITING is state.status
    assert Followup("close_idle", START + 605_000) == followup(state)
