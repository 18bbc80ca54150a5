"""House bots take the seats for which nobody has come."""

import pytest

from service.tables import (
    AddBot,
    Fill,
    Join,
    Leave,
    Player,
    RemoveBot,
    Status,
    Table,
    followup,
    step,
)
from service.tables.followups import Followup
from tests.tables.builders import ANN, BEN, BOT, START, after, at, events, table

BOTS = tuple(Player(f"bot-{n}", f"Bot {n}", "house_bot", "medium") for n in range(5))
FILL = Fill(BOTS)


def waiting(*players: Player, seats: int = 3, **settings: object) -> Table:
    """A table that waits for others for twenty seconds."""
    usual = {"bots_after_seconds": 20, "start_when": "full"}
    return after(table(seats, **(usual | settings)), *map(Join, players))


def test_they_come_when_it_is_time() -> None:
    """After so many seconds they are due, whoever has joined meanwhile; then play begins."""
    state = after(waiting(ANN), Join(BEN), moment=at(15_000))
    assert Followup("fill", START + 20_000) == followup(state)
    assert (state, ()) == step(state, FILL, at(19_999))
    state, happened = events(state, FILL, at(20_000))
    assert ["player_joined", "deal_started"] == [event.type for event in happened]
    assert (Status.CUTTING, BOTS[0]) == (state.status, state.seats[3].player)
    assert 100 == state.house


def test_they_take_all_open_seats() -> None:
    """As many come as seats are open."""
    state = after(waiting(ANN, seats=5), FILL, moment=at(20_000))
    assert [ANN, *BOTS[:4]] == [seat.player for seat in state.seats.values()]


@pytest.mark.parametrize("moment", [0, 20_000, 2_000_000])
def test_never_where_nobody_wants_them(moment: int) -> None:
    """Where it was not agreed that they come, they don't."""
    state = waiting(ANN, bots_after_seconds=None)
    assert followup(state) == Followup("close_idle", START + 1_800_000)
    assert (state, ()) == step(state, FILL, at(moment))


def test_not_for_nobody() -> None:
    """Where only bots sit there, nobody has to be waited for; the table closes in time."""
    state = waiting(seats=3)
    assert state.fill_at is None
    state = after(state, AddBot(ANN.id, BOT))
    assert state.fill_at is None
    assert (state, ()) == step(state, FILL, at(20_000))


def test_not_once_play_has_begun() -> None:
    """Seats that become free later on are for people."""
    state = after(waiting(ANN), FILL, moment=at(20_000))
    assert state.fill_at is None
    again, happened = step(state, FILL, at(40_000))
    assert (state, ()) == (again, happened)


def test_a_bot_that_is_sent_away_comes_back() -> None:
    """Before the first deal a seat that the host has freed is filled when it is time."""
    state = after(waiting(ANN), AddBot(ANN.id, BOT), RemoveBot(ANN.id, 2))
    assert Followup("fill", START + 20_000) == followup(state)


def test_who_leaves_alone_closes_it() -> None:
    """A table that its last guest leaves closes, and gets no bots."""
    state = after(waiting(ANN), Leave(ANN.id))
    assert (Status.CLOSED, None) == (state.status, followup(state))
