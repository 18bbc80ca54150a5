"""A bot with a stop-watch beside it."""

from random import Random

import pytest

from service.bots.bot import Bot
from service.bots.turn import Turn
from service.engine.cards import DECK
from service.engine.combinations import WILD_MASK, mask
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


def turn(hand: str, kept: str = "", drawn: str = "") -> Turn:
    """A turn with these cards in hand, twos wild."""
    held = mask(cards(hand))
    return Turn(
        hand=held,
        drawn=mask(cards(kept or drawn)),
        kept=mask(cards(kept)),
        top=0,
        pile=0,
        unseen=mask(DECK) & ~held,
        known=(0,),
        wild_rank="2",
        wild=WILD_MASK["2"],
        ace_low=False,
        laid=0,
        last=False,
        players=2,
        can_call=False,
        drawing=False,
    )


def thrown(card: str, kept: str = "3s", drawn: str = "") -> tuple[int, Tally]:
    """What is thrown where a bot throws some cards, and what is counted."""
    tally = Tally()
    watched = Watched("mine", Throws(mask(cards(card))), tally)
    return watched.throws(turn("2c Ac Kc Qc 9h 3s", kept, drawn), Random(1)), tally


def test_every_decision_is_counted() -> None:
    """Decisions are the bot's own, and are counted with what they took."""
    card, tally = thrown("9h")

    assert mask(cards("9h")) == card
    assert [("mine", "discard", 1)] == [
        (name, verb, count) for (name, verb, took), count in tally.took.items() if took
    ]
    assert not tally.illegal


@pytest.mark.parametrize(
    "card", [pytest.param("3s", id="just taken"), "4s", pytest.param("Ac Kc", id="two"), ""]
)
def test_what_it_may_not_throw(card: str) -> None:
    """A card that it does not hold or just took, or not one card, is counted and not thrown."""
    instead, tally = thrown(card)

    assert mask(cards("9h")) == instead  # What `bots.fallback` would throw: no wild card.
    assert {"mine": 1} == tally.illegal


def test_what_it_drew_is_thrown_instead() -> None:
    """Where the card drawn does not have to stay, it is thrown for what may not be."""
    instead, tally = thrown("4s", kept="", drawn="Kc")

    assert mask(cards("Kc")) == instead
    assert {"mine": 1} == tally.illegal
