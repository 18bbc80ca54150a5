"""How `expert` reckons: one look ahead over the cards still to come, then what the tables say.

The tables suppose that nobody has seen any other card; the look ahead knows which ones are gone.
"""

import numpy as np

from service.bots.classes import Masks
from service.bots.features import best_laying, throwable
from service.bots.turn import Turn
from service.bots.values import PATIENCE, Floats, laid, values
from service.bots.vectors import strengths

_DECK = 1 << np.arange(52)


def takes(turn: Turn) -> bool:
    """Whether the discard pile's card is worth more than an unknown one."""
    six = turn.hand | turn.top
    laying = best_laying(turn, six)
    stock = turn.hand | _among(_coming(turn))
    if turn.last:  # There is no next turn to think of: only to have more than what was laid.
        found = strengths(stock.view(np.uint64), turn.wild_rank, turn.ace_low)
        more = (found > turn.laid).mean() + (found == turn.laid).mean() / 2
        return bool((laying > turn.laid) + (laying == turn.laid) / 2 > more)
    if laying:
        offered = laid(np.array([laying], np.uint16))
    else:
        left = six ^ _among(turn.hand & ~turn.wild)
        offered = PATIENCE * values(left, turn.wild_rank, turn.ace_low)
    return bool(offered.max() > _worth(stock, turn).mean())


def throws(turn: Turn) -> int:
    """The card without which the hand is worth the most."""
    ways = _among(throwable(turn))
    sixes = (turn.hand ^ ways)[:, np.newaxis] | _among(_coming(turn))
    drawn = _worth(sixes, turn)
    stock = drawn.mean(axis=1, keepdims=True)
    # What the next turn is offered is not known, but it is one of the cards still to come.
    return int(ways[np.maximum(drawn, stock).mean(axis=1).argmax()])


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
