"""How `expert` reckons: one look ahead over the cards still to come, then what the tables say.

The tables suppose that nobody has seen any other card; the look ahead knows which ones are gone,
and that players neither hold nor throw all ranks alike.
"""

import numpy as np

from service.bots.classes import Masks
from service.bots.features import best_laying, of_ranks, throwable
from service.bots.turn import Turn
from service.bots.values import PATIENCE, Floats, laid, values
from service.bots.vectors import strengths

_DECK = 1 << np.arange(52)
_TWO = 2
_RANK = np.arange(52) % 13
_RANKS = tuple(of_ranks(1 << rank) for rank in range(13))


def takes(turn: Turn) -> bool:
    """Whether the discard pile's card is worth more than an unknown one."""
    six = turn.hand | turn.top
    laying = best_laying(turn, six)
    coming = _among(_coming(turn))
    stock, likely = turn.hand | coming, _stock(turn, coming)
    if turn.last:  # There is no next turn to think of: only to have more than what was laid.
        found = strengths(stock.view(np.uint64), turn.wild_rank, turn.ace_low)
        more = np.average((found > turn.laid) + (found == turn.laid) / 2, weights=likely)
        return bool((laying > turn.laid) + (laying == turn.laid) / 2 > more)
    if laying:
        offered = laid(np.array([laying], np.uint16))
    else:
        left = six ^ _among(turn.hand & ~turn.wild)
        offered = PATIENCE * values(left, turn.wild_rank, turn.ace_low)
    return bool(offered.max() > np.average(_worth(stock, turn), weights=likely))


def throws(turn: Turn) -> int:
    """The card without which the hand is worth the most."""
    ways, coming = _among(throwable(turn)), _among(_coming(turn))
    drawn = _worth((turn.hand ^ ways)[:, np.newaxis] | coming, turn)
    stock = np.average(drawn, axis=1, weights=_stock(turn, coming), keepdims=True)
    # What the next turn is offered is not known, but it is one of the cards still to come.
    best = np.maximum(drawn, stock)
    return int(ways[np.average(best, axis=1, weights=_offers(turn, coming)).argmax()])


def _stock(turn: Turn, coming: Masks) -> Floats | None:
    """How much likelier than others each card is the next of the stock, and not in a hand.

    The more of a rank are unseen, the fewer were thrown: so the more of them somebody keeps, and
    high ones rather than low ones.  The figures here and in `_offers` were counted at tables of
    four.  For two players they bring nothing, so all cards are alike there (None).
    """
    if turn.players == _TWO:
        return None
    unseen = np.array([(turn.unseen & rank).bit_count() for rank in _RANKS])
    weight = 1.3 - 0.08 * unseen[_RANK] - 0.01 * _RANK
    return _of(coming, np.where(_DECK & turn.wild > 0, 1, weight))


def _offers(turn: Turn, coming: Masks) -> Floats | None:
    """How much likelier than others each card is what the player before throws next.

    Low ranks go first, and those of which the pile has one already; wild ones are kept.
    """
    if turn.players == _TWO:
        return None
    thrown = np.array([turn.pile & rank > 0 for rank in _RANKS])
    weight = (1 - 0.04 * _RANK) * np.where(thrown[_RANK], 1.5, 1)
    return _of(coming, np.where(_DECK & turn.wild > 0, 0.01, weight))


def _of(coming: Masks, weight: Floats) -> Floats:
    """The weights of these cards, from those of the whole deck."""
    found: Floats = weight[np.bitwise_count(coming - 1)].astype(np.float32)
    return found


def _worth(sixes: Masks, turn: Turn) -> Floats:
    """What hands are worth after drawing: laid down, or else without the card least needed."""
    out = _each(sixes & ~turn.wild)
    left = values(sixes ^ out, turn.wild_rank, turn.ace_low)
    kept = np.where(out > 0, left, np.float32(0)).max(axis=0)
    won = laid(strengths(sixes.view(np.uint64), turn.wild_rank, turn.ace_low))
    return np.where(won > 0, won, np.float32(PATIENCE) * kept)


def _each(hands: Masks) -> Masks:
    """The cards of hands of six one by one, in six arrays; 0 where there are no more."""
    out = np.empty((6, *hands.shape), np.int64)
    for card in out:
        card[...] = hands & -hands
        hands = hands ^ card
    return out


def _coming(turn: Turn) -> int:
    """The cards that may come from the stock.

    Where all unseen ones are known to be elsewhere, the discards are next to be drawn.
    """
    return turn.unseen or turn.pile & ~turn.top


def _among(held: int) -> Masks:
    """The cards of a mask, each a mask of its own."""
    return _DECK[_DECK & held > 0]
