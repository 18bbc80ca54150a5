"""Who may see which hand of a finished deal."""

from dataclasses import replace
from random import Random

import pytest

from service.engine.deal import Reason
from service.tables import Player
from service.tables.errors import NoSuchSeat
from service.tables.openings import HandHidden, PastDeal
from service.tables.records import Action, DealRecord
from tests.support.deals import any_record
from tests.support.tables import BOT, GUEST, HOST


@pytest.fixture
def record() -> DealRecord:
    """A deal of the host, a house bot and a guest, in which no hand was shown."""
    found = next(
        one for seed in range(999) if (one := any_record(Random(seed))).result.reason is Reason.VOID
    )
    return replace(found, players={4: HOST, 1: BOT, 2: GUEST})


def test_nothing_was_shown(record: DealRecord) -> None:
    """A hand that was not shown is its player's alone."""
    past = PastDeal(record)

    assert [{4}, {1}, {2}, set(), set()] == [
        past.seen_by(player) for player in (HOST.id, BOT.id, GUEST.id, "stranger", None)
    ]


def test_all_have_to_agree(record: DealRecord) -> None:
    """House bots agree by themselves; while one of the others does not, nothing opens."""
    half = PastDeal(record, frozenset({GUEST.id, "stranger"}))
    assert (1, 2) == half.agreeing
    assert not half.opened
    assert {4} == half.seen_by(HOST.id)

    whole = replace(half, agreed=half.agreed | {HOST.id})
    assert (4, 1, 2) == whole.agreeing
    assert whole.opened
    assert {1, 2, 4} == whole.seen_by(None)


def test_outside_bots_are_asked(record: DealRecord) -> None:
    """A program of somebody else's is a player like any other."""
    robo = Player("robo", "Robo", "bot")
    past = PastDeal(replace(record, players={1: robo, 2: BOT}))

    assert ((2,), False) == (past.agreeing, past.opened)
    assert replace(past, agreed=frozenset({robo.id})).opened


def test_a_hand_that_was_laid_down(record: DealRecord) -> None:
    """A hand that lay on the table was shown, whether or not it came to a showdown."""
    laid = Action(2, "call", 0, cards=record.actions[0].cards or ("As", "Ah"))  # type: ignore[arg-type]

    assert {2} == PastDeal(replace(record, actions=(laid,))).seen_by(None)


def test_what_the_refusal_says(record: DealRecord) -> None:
    """It names the seats that have not agreed yet, and a seat that there is not is not found."""
    past = PastDeal(record, frozenset({GUEST.id}))
    past.check_seen(2, GUEST.id)
    with pytest.raises(HandHidden, match=r"seat 4 .*: 4\.$"):
        past.check_seen(4, GUEST.id)
    with pytest.raises(NoSuchSeat):
        past.check_seen(3, GUEST.id)
