"""An operator closes a table, whatever it is doing."""

import pytest

from service.cashier import owed
from service.engine.deal import Reason
from service.engine.events import DealVoided
from service.tables import CloseByOperator, Leave, Status, Table, followup, step
from service.tables.events import Settled, TableClosed
from tests.tables.builders import ANN, BEN, BOT, CAM, after, at, cut, events, seated, turn
from tests.tables.test_reachability import CHOICES, SITTING, random_history, reach, settings_of

CLOSE = CloseByOperator("Moving.")


def closed(state: Table) -> Table:
    """A table after an operator has closed it, all of whose chips go home."""
    closed, entries = step(state, CLOSE, at(1))
    home = sum(posting.amount for posting in owed(state, entries))
    assert state.chips == home + state.house - closed.house
    assert (Status.CLOSED, 0, None) == (closed.status, closed.chips, followup(closed))
    return closed


@pytest.mark.parametrize("sitting", SITTING)
@pytest.mark.parametrize("status", sorted(set(Status) - {Status.CLOSED}))
def test_from_every_state(status: Status, sitting: str) -> None:
    """Whatever a table is doing, all take home what is theirs, and it is over."""
    states = [reach(status, SITTING[sitting], settings_of(choice)) for choice in CHOICES]
    for state in filter(None, states):
        closed(state)
    assert any(states)


def test_a_deal_that_goes_on_is_void() -> None:
    """Everybody has the ante back, also who has left in the middle of the deal."""
    state = after(turn(cut(playing())), Leave(BEN.id))
    assert [95, 95, 95] == [seat.stack for seat in state.seats.values()]
    state, happened = events(state, CLOSE)
    shares = {1: 5, 2: 5, 3: 5}
    assert [
        DealVoided(None),
        Settled(1, Reason.VOID, (), 15, shares, {2: 100}),
        TableClosed("operator", {1: 100, 3: 100}, "Moving."),
    ] == happened


def playing() -> Table:
    """A table of three that has begun."""
    return seated(ANN, BEN, CAM, start_when="full")


def test_a_deal_that_is_over_is_paid_out() -> None:
    """Who has won a deal that is not settled yet has the pot."""
    state = after(playing(), Leave(BEN.id), Leave(CAM.id))
    assert Status.SETTLING is state.status
    _, happened = events(state, CLOSE)
    assert [Settled, TableClosed] == [type(event) for event in happened]
    assert TableClosed("operator", {1: 110}, "Moving.") == happened[-1]


def test_closed_already() -> None:
    """A closed table stays as it is."""
    state = closed(seated(ANN, BOT))
    assert (state, ()) == step(state, CLOSE, at(2))


@pytest.mark.parametrize("seed", range(20))
def test_from_anywhere(seed: int) -> None:
    """In any history, at any moment, every chip finds its owner."""
    moves = [(seed * 1_000 + n, 5_000) for n in range(60)]
    for _, state, _, _ in random_history(settings_of(CHOICES[seed]), moves):
        if state.status is not Status.CLOSED:
            closed(state)
