"""Counting all hands by what they are worth, and what is known of these counts.

The three wild cards in play may be held or not; the natural cards are those of twelve ranks.
"""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, product, repeat
from pathlib import Path
from typing import Any

from service.engine.cards import RANKS, Card
from service.engine.combinations import BIT, describe, strength

OPTIONS = {"ace_high_only": False, "ace_low": True}
SIZES = {5: "five_cards_by_wild_cards_held", 6: "six_cards_by_wild_cards_held"}

ByStrength = Counter[int]
ByName = Counter[str]

_IN_EACH_SUIT = 1 | 1 << 13 | 1 << 26 | 1 << 39

# In how many ways four suits take four lanes, by which neighbours among the sorted lanes are equal.
_WAYS = {
    (False, False, False): 24,
    (True, False, False): 12,
    (False, True, False): 12,
    (False, False, True): 12,
    (True, False, True): 6,
    (True, True, False): 4,
    (False, True, True): 4,
    (True, True, True): 1,
}


@cache
def known() -> Any:
    """The known counts, `tests/data/counts.json`."""
    return json.loads((Path(__file__).parents[1] / "data" / "counts.json").read_text())


def known_by_wild_cards(size: int, wild_rank: str, option: str) -> dict[int, ByName]:
    """The known counts of hands of five or six cards, by the wild cards they hold."""
    counts = known()["options"][option][wild_rank][SIZES[size]]
    return {int(held): Counter(names) for held, names in counts.items()}


def by_name(counts: ByStrength) -> ByName:
    """Counts by the combination's name."""
    names: ByName = Counter()
    for value, count in counts.items():
        combination = describe(value, ())
        names[combination.name if combination else "none"] += count
    return names


def wild_cards(wild_rank: str) -> tuple[int, ...]:
    """The masks of the three wild cards in play; it is a club that was turned up."""
    return tuple(BIT[Card(wild_rank + suit)] for suit in "dhs")


@cache
def count_up_to_suits(size: int, wild_rank: str, option: str) -> dict[int, ByStrength]:
    """The counts of all hands of five or six cards, by wild cards held.

    Hands that differ in nothing but which suit is which are judged once and counted as often as
    they occur; so are hands with the same number of wild cards, of whatever suits.
    """
    counts = {held: Counter[int]() for held in range(4)}
    for held, by_strength in counts.items():
        wild = sum(wild_cards(wild_rank)[:held])
        for ways, natural in twelve_ranks_up_to_suits(size - held).items():
            hands = (wild | mask for mask in beside(wild_rank, natural))
            judged = Counter(map(strength, hands, repeat(wild_rank), repeat(OPTIONS[option])))
            for value, count in judged.items():
                by_strength[value] += math.comb(3, held) * ways * count
    return counts


def beside(wild_rank: str, masks: list[int]) -> Iterator[int]:
    """Sets of cards of the twelve lowest ranks, moved up to make room for a wild rank."""
    lower = _IN_EACH_SUIT * ((1 << RANKS.index(wild_rank)) - 1)
    return (mask & lower | (mask & ~lower) << 1 for mask in masks)


@cache
def twelve_ranks_up_to_suits(size: int) -> dict[int, list[int]]:
    """All sets of cards below the aces up to an exchange of suits, by how many each stands for."""
    masks: dict[int, list[int]] = defaultdict(list)
    for a, b, c, d in _sorted_lanes(size):
        masks[_WAYS[a == b, b == c, c == d]].append(a | b << 13 | c << 26 | d << 39)
    return masks


def _sorted_lanes(size: int) -> Iterator[Iterator[int]]:
    """Four lanes of twelve ranks that hold so many cards, as all the sorted fours there are."""
    bits = [1 << height for height in range(12)]
    lanes = [[sum(cards) for cards in combinations(bits, n)] for n in range(size + 1)]
    for sizes in combinations_with_replacement(range(size + 1), 4):
        if sum(sizes) == size:
            alike = [
                combinations_with_replacement(lanes[n], times)
                for n, times in Counter(sizes).items()
            ]
            for groups in product(*alike):
                yield chain.from_iterable(groups)
