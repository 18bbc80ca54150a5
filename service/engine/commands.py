"""What a seat may ask for in a deal."""

from dataclasses import dataclass
from enum import StrEnum

from service.engine.cards import Card


class Source(StrEnum):
    """Where a card may be drawn from."""

    STOCK = "stock"
    DISCARD = "discard"


@dataclass(frozen=True, slots=True)
class Cut:
    """Cut the deck at `position` (0-51) and mix `entropy` into the shuffle."""

    position: int
    entropy: str = ""


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw the top card of the stock or of the discard pile."""

    source: Source


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a card and end the turn."""

    card: Card


@dataclass(frozen=True, slots=True)
class Call:
    """Lay down a winning combination: the call, or in a last turn a further hand.

    Without `discard` the highest combination is laid.
    """

    discard: Card | None = None


@dataclass(frozen=True, slots=True)
class Fold:
    """Leave the deal; the hand is out of play and stays hidden."""


Command = Cut | Draw | Discard | Call | Fold
