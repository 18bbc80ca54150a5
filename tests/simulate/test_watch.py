"""A bot with a stop-watch beside it."""

from random import Random

import pytest

from service.bots.bot import Bot
from service.bots.turn import Turn
from service.engine.cards import DECK
from service.engine.combinations import mask
from service.simulate.tally import Tally
from service.simulate.watch import Watched
from tests.engine.positions import cards


class Throws(Bot):
    """Throws what it is told to."""

    def __init__(self, card: int) -> None:
        self.card = card

    def takes(self, turn: Turn) -> bool:  # noqa: ARG002 - it looks at nothing.
        return True

    def throws(self, turn: Turn, rng: Random) -> int:  # noqa: ARG002
        return self.card


def turn(hand: str, kept: str = "") -> Turn:
    """A turn with these cards in hand."""
    held = mask(cards(hand))
    return Turn(
        hand=held,
        drawn=mask(cards(kept)),
        kept=mask(cards(kept)),
        top=0,
        pile=0,
        unseen=mask(DECK) & ~held,
        known=(0,),
        wild_rank="7",
        wild=0,
        ace_low=False,
        laid=0,
        last=False,
        players=2,
        can_call=False,
        drawing=False,
    )


def thrown(card: str) -> tuple[int, Tally]:
    """What is thrown instead of some cards, and what is counted."""
    tally = Tally()
    watched = Watched("mine", Throws(mask(cards(card))), tally)
    return watched.throws(turn("Ac Kc Qc 9h 8h 2s", kept="2s"), Random(1)), tally


def test_every_decision_is_counted() -> None:
    """Decisions are the bot's own, and are counted with what they took."""
    card, tally = thrown("9h")

    assert mask(cards("9h")) == card
    assert [("mine", "discard", 1)] == [
        (name, verb, count) for (name, verb, took), count in tally.took.items() if took
    ]
    assert not tally.illegal


@pytest.mark.parametrize(
    "card", [pytest.param("2s", id="just taken"), "3s", pytest.param("9h 8h", id="two"), ""]
)
def test_what_it_may_not_throw(card: str) -> None:
    """A card that it does not hold or just took, or not one card, is counted and not thrown."""
    instead, tally = thrown(card)

    assert instead in {mask([each]) for each in cards("Ac Kc Qc 9h 8h")}
    assert {"mine": 1} == tally.illegal
