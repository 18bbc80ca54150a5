"""A turn as its player sees it, on masks: all that a bot goes by."""

from dataclasses import dataclass
from typing import Self

from service.engine.combinations import (
    BIT,
    WILD_MASK,
    mask,
    strength,
    strength_of_all_six,
)
from service.engine.commands import Source
from service.engine.views import DealView, SeatView

ALL_CARDS = (1 << 52) - 1
"""The mask of the whole deck."""

SUITS = (0, 13, 26, 39)
"""Where the lanes of the suits begin in a mask: clubs, diamonds, hearts, spades."""


@dataclass(slots=True)
class Turn:
    """A turn from the cut on.  Cards are masks of one bit, hands and piles of several.

    It isn't frozen, and is made by hand in `service.simulate.quick`, since that makes millions.
    """

    hand: int
    """Five cards before drawing, six after."""
    drawn: int
    """The card drawn in this turn, or 0."""
    kept: int
    """That card if it came from the discard pile, so that it may not be thrown now; else 0."""
    top: int
    """The card that may be taken from the discard pile, or 0."""
    pile: int
    """All cards of the discard pile."""
    unseen: int
    """Every card whose place the player doesn't know: in the stock, or in another hand."""
    known: tuple[int, ...]
    """Of each other seat in the deal, in order of play from the next one: the cards of its hand
    that everyone has seen."""
    wild_rank: str
    wild: int
    """The four cards of the wild rank."""
    ace_low: bool
    laid: int
    """The strength of the best hand that another has laid down, 0 before a call."""
    last: bool
    """Whether it is a last turn."""
    players: int
    """How many seats are still in the deal, this one included."""
    can_call: bool
    """Whether a combination may be laid down now; never while drawing."""
    drawing: bool
    """Whether a card is to be drawn; else one is to be discarded, or a combination laid."""

    @classmethod
    def of(cls, view: DealView) -> Self:
        """The turn that a view shows.

        Raises:
            ValueError: the view is not that of the seat whose turn it is, or the deck isn't cut.
        """
        you = view.you
        if you is None or view.turn != you.seat or view.wild_card is None:
            raise ValueError("It is not this seat's turn.")
        others = _others(view, you.seat)
        known = tuple(mask(seat.shown or seat.known) for seat in others)
        hand, pile = mask(you.hand), mask(view.pile)
        drawn = BIT[you.drawn] if you.drawn else 0
        wild_rank = view.wild_card[0]
        return cls(
            hand=hand,
            drawn=drawn,
            kept=drawn if you.drawn_from is Source.DISCARD else 0,
            top=BIT[view.pile[0]] if view.pile else 0,
            pile=pile,
            unseen=ALL_CARDS & ~(hand | pile | BIT[view.wild_card] | sum(known)),
            known=known,
            wild_rank=wild_rank,
            wild=WILD_MASK[wild_rank],
            ace_low=view.ace_low,
            laid=max(_laid(seat, wild_rank, view.ace_low) for seat in others),
            last=view.caller is not None,
            players=len(others) + 1,
            can_call=you.legal.call is not None,
            drawing=bool(you.legal.draw),
        )


def _others(view: DealView, own: int) -> list[SeatView]:
    """The other seats still in the deal, in order of play from the next one."""
    order = list(view.seats)
    place = order.index(own)
    after = (view.seats[seat] for seat in order[place + 1 :] + order[:place])
    return [seat for seat in after if not seat.folded]


def _laid(seat: SeatView, wild_rank: str, ace_low: bool) -> int:
    """The strength of a hand that lies face up; six cards were laid as a six-card combination."""
    if not seat.shown:
        return 0
    cards = mask(seat.shown)
    if len(seat.shown) == 6:
        return strength_of_all_six(cards, wild_rank)
    return strength(cards, wild_rank, ace_low)
