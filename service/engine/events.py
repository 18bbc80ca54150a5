"""What has happened in a deal, in the past tense.  `type` is the name clients see."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from service.engine.cards import Card
from service.engine.combinations import Combination
from service.engine.commands import Source

CutBy = Literal["player", "bot", "clock", "auto"]
"""Who made a cut: the player, a bot, or the service, where time ran out or the rules have it so."""


@dataclass(frozen=True, slots=True)
class DeckCut:
    """The deck was cut and dealt: five cards each, then the wild card and the first discard.

    `by` says who made the cut that was `seat`'s to make; None is in older logs, which don't tell.
    """

    type: ClassVar[str] = "cut"
    seat: int
    position: int
    entropy: str
    wild_card: Card
    discard_top: Card
    by: CutBy | None = None


@dataclass(frozen=True, slots=True)
class StockRenewed:
    """The discards were shuffled into the deal's `number`th new stock of `size` cards."""

    type: ClassVar[str] = "stock_renewed"
    number: int
    size: int


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A seat drew a card.  From the stock, the card is for its drawer's eyes only."""

    type: ClassVar[str] = "card_drawn"
    seat: int
    source: Source
    card: Card | None


@dataclass(frozen=True, slots=True)
class CardDiscarded:
    """A seat discarded a card, face up."""

    type: ClassVar[str] = "card_discarded"
    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Called:
    """A seat laid down a combination, after discarding the sixth card if there was one.

    `last_turn` tells a hand laid down in a last turn from the call that opened them.
    """

    type: ClassVar[str] = "called"
    seat: int
    combination: Combination
    discarded: Card | None
    last_turn: bool


@dataclass(frozen=True, slots=True)
class Folded:
    """A seat left the deal."""

    type: ClassVar[str] = "folded"
    seat: int


@dataclass(frozen=True, slots=True)
class DealVoided:
    """The stock ran out once more than the rules allow: antes go back.

    `seat` wanted to draw from it; it is None where the deal was broken off from outside.
    """

    type: ClassVar[str] = "deal_voided"
    seat: int | None


DealEvent = DeckCut | StockRenewed | CardDrawn | CardDiscarded | Called | Folded | DealVoided
