"""What bots reckon with: their turn as they see it, and what some cards are good for."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations as choices
from typing import Any, Self

from service.engine.cards import RANKS, Card
from service.engine.combinations import BIT, mask, strength
from service.engine.rules import Legal
from service.engine.views import DealView

# What adds to the promise of some cards.
PAIR = 1
RUN = 2
"""Two cards of a suit that one sequence of five can hold."""
WILD = 9
"""More than any natural card adds, even to four others of a run."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as its player sees it; before the cut there are no cards and no wild rank."""

    hand: tuple[Card, ...]
    drawn: Card | None
    legal: Legal
    wild_card: Card | None
    ace_low: bool
    pile: tuple[Card, ...]
    """The discards, the top first."""

    @classmethod
    def of(cls, view: DealView) -> Self:
        """The turn that a view shows.

        Raises:
            ValueError: the view is not that of the seat whose turn it is.
        """
        if view.you is None or view.turn != view.you.seat:
            raise ValueError("It is not this seat's turn.")
        you = view.you
        return cls(you.hand, you.drawn, you.legal, view.wild_card, view.ace_low, view.pile)

    @property
    def top(self) -> Card | None:
        """The card that may be taken from the discard pile."""
        return self.pile[0] if self.pile else None

    @property
    def throwable(self) -> tuple[Card, ...]:
        """The cards a sensible player may discard: never a wild one; there is always another."""
        return tuple(card for card in self.legal.discard if not self.is_wild(card))

    def is_wild(self, card: Card) -> bool:
        """Whether a card is wild in this deal."""
        return self.wild_card is not None and card[0] == self.wild_card[0]


def without(cards: Iterable[Card], out: Card) -> tuple[Card, ...]:
    """The cards but for one."""
    return tuple(card for card in cards if card != out)


def least_missed(turn: Turn, worth: Callable[[tuple[Card, ...]], Any]) -> Card:
    """The card without which the hand is worth the most; of several the one of the lowest rank."""
    return max(
        turn.throwable,
        key=lambda card: (worth(without(turn.hand, card)), -RANKS.index(card[0])),
    )


def promise(turn: Turn, cards: Iterable[Card]) -> int:
    """How much some cards look like a combination to come, at a glance.

    Wild cards, pairs, and two cards that fit into one straight flush count; three of a rank are
    three pairs.
    """
    natural = [card for card in cards if not turn.is_wild(card)]
    wild = sum(1 for card in cards if turn.is_wild(card))
    return WILD * wild + sum(_fit(turn, one, other) for one, other in choices(natural, 2))


def _fit(turn: Turn, one: Card, other: Card) -> int:
    if one[0] == other[0]:
        return PAIR
    return RUN if one[1] == other[1] and _near(one[0], other[0], turn.ace_low) else 0


def _near(one: str, other: str, ace_low: bool) -> bool:
    """Whether a sequence of five can hold both ranks."""
    low, high = sorted((RANKS.index(one), RANKS.index(other)))
    return high - low <= 4 or (ace_low and RANKS[high] == "A" and low <= 3)


def outs(turn: Turn, cards: Iterable[Card], unseen: Iterable[Card]) -> int:
    """How many of the unseen cards would give five cards a combination when drawn."""
    assert turn.wild_card is not None
    hand, wild_rank, ace_low = mask(cards), turn.wild_card[0], turn.ace_low
    return sum(1 for card in unseen if strength(hand | BIT[card], wild_rank, ace_low))
