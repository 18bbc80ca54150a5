"""Hands that differ in their suits alone are one class, and each class has a number.

What a hand is worth depends on how many wild cards are in it, and on its natural cards up to an
exchange of suits: five cards fall into about 102,000 classes.  The four suits' lanes in falling
order are the same for all hands of a class, and such orders are counted as a dictionary counts
words, by three additions of numbers from small tables: nothing is searched for.
"""

import numpy as np
from numpy.typing import NDArray

from service.bots.turn import SUITS
from service.engine.cards import RANKS
from service.engine.combinations import WILD_MASK

Masks = NDArray[np.int64]
"""Hands as of `combinations.mask`; 52 bits fit beside a sign."""

_RANKS = 12
"""The natural ranks, once the wild one is taken out of a lane."""
_SUITS = np.array(SUITS)[:, np.newaxis]
_LANES = len(_SUITS)


def natural(hands: Masks, wild_rank: str) -> Masks:
    """The natural cards of hands, the ranks above the wild one moved down by one.

    So the classes of all thirteen wild ranks are the same.
    """
    below = _below(wild_rank)
    cards: Masks = hands & below | (hands & ~(below | WILD_MASK[wild_rank])) >> 1
    return cards


def as_dealt(cards: Masks, wild_rank: str, wilds: int) -> Masks:
    """Hands with these natural cards, as `natural` gives them, and so many wild ones."""
    below = _below(wild_rank)
    wild = sum(WILD_MASK[wild_rank] & 0x1FFF << suit for suit in _SUITS[:wilds, 0].tolist())
    hands: Masks = cards & below | (cards & ~below) << 1 | wild
    return hands


def _below(wild_rank: str) -> int:
    """The cards of the ranks below the wild one."""
    wild = WILD_MASK[wild_rank]
    return wild - WILD_MASK[RANKS[0]]


class Classes:
    """The classes of hands that have at most so many natural cards."""

    def __init__(self, cards: int) -> None:
        lanes = np.arange(1 << _RANKS)
        size = np.bitwise_count(lanes).astype(np.int64)
        # Lanes with fewer cards come first, so those with at most so many begin the list.
        order = np.argsort(size, kind="stable")[: int((size <= cards).sum())]
        self._cards = cards
        self._size = size[order]
        self._place = np.zeros_like(lanes)
        self._place[order] = np.arange(len(order))
        self._before = _before(cards, self._size)
        self.count = int(self._before[_LANES, cards, -1])
        """How many there are."""

    def of(self, hands: Masks) -> Masks:
        """The number, from 0, of the class of each hand: of its cards as `natural` gives them."""
        lanes = _falling(self._place[hands.reshape(-1) >> _SUITS & (1 << _RANKS) - 1])
        number = np.zeros(hands.size, np.int64)
        room = np.full(hands.size, self._cards)
        for left, lane in zip(range(_LANES, 0, -1), lanes, strict=True):
            number += self._before[left, room, lane]
            room -= self._size[lane]
        return number.reshape(hands.shape)


def _before(cards: int, size: Masks) -> Masks:
    """How many ways there are to fill some lanes, the first of them with one before a given one.

    The ways stand by how many lanes are left, for how many cards there is room, and by the place of
    that lane; the others hold no lane of a later place than theirs.
    """
    ways = np.zeros((_LANES + 1, cards + 1, len(size) + 1), np.int64)
    ways[0] = 1  # Nothing is left to fill.
    below = np.arange(len(size)) + 1
    for left in range(1, _LANES + 1):
        for room in range(cards + 1):
            fits = size <= room
            rest = ways[left - 1, (room - size)[fits], below[fits]]
            ways[left, room, 1 : len(rest) + 1] = rest.cumsum()
            ways[left, room, len(rest) + 1 :] = rest.sum()
    return ways


def _falling(lanes: Masks) -> tuple[Masks, Masks, Masks, Masks]:
    """Four lanes in falling order; five comparisons sort them."""
    first, second, third, fourth = lanes
    first, second = np.maximum(first, second), np.minimum(first, second)
    third, fourth = np.maximum(third, fourth), np.minimum(third, fourth)
    first, third = np.maximum(first, third), np.minimum(first, third)
    second, fourth = np.maximum(second, fourth), np.minimum(second, fourth)
    second, third = np.maximum(second, third), np.minimum(second, third)
    return first, second, third, fourth
