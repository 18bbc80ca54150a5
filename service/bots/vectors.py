"""The judge of hands, `service.engine.combinations.strength`, for many hands at once.

Nine of ten hands hold nothing, and that can be told from their ranks: too many for pairs, and no
sequence among them.  So a look-up of the ranks comes first, and the rest alone is judged in full.
All tables are those of the engine, or made by its functions.

Rate on one core of a shared 2-core machine (AMD EPYC, Python 3.11): over 35 million six-card hands
a CPU second as they are dealt, 5 million with three wild cards in each (`make bench-hands`).
"""

from collections.abc import Iterable
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from service.bots.turn import SUITS
from service.engine.combinations import (
    FLUSHES,
    FLUSHES_ACE_LOW,
    WILD_MASK,
    five_alike,
    six_alike,
)

Masks = NDArray[np.uint64]
Strengths = NDArray[np.uint16]
_Ints = NDArray[np.int64]

_CHUNK = 1 << 14
"""So many hands at once that all that is worked out of them stays in a core's own cache."""
_LANES = 1 << 13
"""How many sets of ranks there are: the length of a table."""
_LANE = _LANES - 1
_SUITS = np.array(SUITS)[:, np.newaxis]


def _by_wild_cards(flushes: Iterable[list[int]]) -> Strengths:
    """The engine's tables for none to three wild cards, one behind the other.

    A fifth serves hands with all four, which have five of a kind, whatever it says.
    """
    tables = list(flushes)
    return np.array([*tables, tables[-1]], np.uint16).reshape(-1)


def _place(once: _Ints, thrice: _Ints) -> _Ints:
    """Where the table of six cards has these ranks, two at the most of them thrice.

    The number of ranks that are there thrice says which they are, but for one of two ranks: then
    it counts, too, whether it is the higher one.
    """
    which = np.bitwise_count(thrice) + (thrice > once ^ thrice)
    return which.astype(np.int64) << 13 | once


def _sixes() -> Strengths:
    """The table of what six cards make together, by `_place`."""
    bits = [1 << rank for rank in range(13)]
    sets = [sum(some) for number in range(4) for some in combinations(bits, number)]
    thrice = [ranks for ranks in sets if ranks.bit_count() < 3]
    pairs = [(once, often) for once, often in product(sets, thrice) if once | often == once]
    table = np.zeros(4 * _LANES, np.uint16)
    table[_place(*np.array(pairs).T)] = [six_alike(*pair) for pair in pairs]
    return table


_FLUSHES = (_by_wild_cards(FLUSHES), _by_wild_cards(FLUSHES_ACE_LOW))
_FEW_RANKS = np.tile(np.bitwise_count(np.arange(_LANES)) <= 3, 5)
_MAY_HOLD = tuple(_FEW_RANKS | (flushes > 0) for flushes in _FLUSHES)
_FIVES = np.array([0, *map(five_alike, range(1, _LANES))], np.uint16)
_SIXES = _sixes()


def strengths(hands: Masks, wild_rank: str, ace_low: bool = False) -> Strengths:
    """The strength of the best combination in each mask of five or six cards; 0 for none.

    Args:
        hands: masks as of `combinations.mask`, in an array of any shape.
        wild_rank: the rank that is wild, in all of them.
        ace_low: whether A-2-3-4-5 is a sequence (house rule).
    """
    masks = hands.reshape(-1).view(np.int64)  # What tables are indexed by; 52 bits fit in.
    found = np.zeros(masks.shape, np.uint16)
    for start in range(0, masks.size, _CHUNK):
        chunk = slice(start, start + _CHUNK)
        _judge(masks[chunk], WILD_MASK[wild_rank], ace_low, found[chunk])
    return found.reshape(hands.shape)


def _judge(hands: _Ints, wild_mask: int, ace_low: bool, found: Strengths) -> None:
    """Judge a chunk, and write what is not 0."""
    natural = hands & ~wild_mask
    wilds = np.bitwise_count(hands & wild_mask).astype(np.int64)
    table = wilds << 13  # Where that for so many wild cards begins.
    may_hold = _MAY_HOLD[ace_low].take(table | _once(natural))
    some = np.flatnonzero(may_hold)
    hands, natural, wilds, table = hands[some], natural[some], wilds[some], table[some]
    flush = _FLUSHES[ace_low].take(table | natural >> _SUITS & _LANE).max(axis=0)
    found[some] = np.maximum(flush, _alike(hands, natural, wilds))


def _once(natural: _Ints) -> _Ints:
    """The ranks of these cards."""
    halves = natural | natural >> 26
    return (halves | halves >> 13) & _LANE


def _alike(hands: _Ints, natural: _Ints, wilds: _Ints) -> Strengths:
    """The best combination of cards of equal ranks, or 0."""
    either, both = natural | natural >> 26, natural & natural >> 26
    once = (either | either >> 13) & _LANE
    twice = (both | both >> 13 | either & either >> 13) & _LANE
    thrice = (both & either >> 13 | both >> 13 & either) & _LANE
    none, all_four = np.zeros_like(both), both & both >> 13
    five = _FIVES.take(np.choose(wilds, (none, all_four, thrice, twice, once)))
    six = _SIXES.take(_place(once, thrice))
    return np.where(np.bitwise_count(hands) == 6, np.maximum(five, six), five)
