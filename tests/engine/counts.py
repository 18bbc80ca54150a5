"""Counting all hands by what they are worth: quickly, up to suits, or one by one.

The wild cards held are chosen first, then natural cards.  Counts are kept by strength.
"""

import itertools
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from service.engine.cards import RANKS, Card
from service.engine.combinations import BIT, describe, strength

WILD_RANKS = tuple(RANKS)
OPTIONS = {"ace_high_only": False, "ace_low": True}
DATA = Path(__file__).parents[1] / "data" / "counts.json"

Weighted = dict[int, list[int]]
"""Masks by how many hands each of them stands for."""


@cache
def expected() -> Any:
    """The counts of all hands, as they are known from elsewhere."""
    return json.loads(DATA.read_text())


def expected_by_wild_cards(size: int, option: str, wild_rank: str) -> dict[int, dict[str, int]]:
    """The known counts of the hands of five or six cards, by wild cards held and combination."""
    name = {5: "five_cards_by_wild_cards_held", 6: "six_cards_by_wild_cards_held"}[size]
    counts = expected()["options"][option][wild_rank][name]
    return {int(wilds): by_name for wilds, by_name in counts.items()}


def by_name(counts: Counter[int], names: Iterable[str]) -> dict[str, int]:
    """Counts by strength as counts by the combination's name."""
    named = dict.fromkeys(names, 0)
    for value, count in counts.items():
        combination = describe(value, ())
        named[combination.name if combination else "none"] += count
    return named


def wild_cards(wild_rank: str) -> tuple[int, ...]:
    """The masks of the three wild cards in play; the club is the card turned up."""
    return tuple(BIT[Card(wild_rank + suit)] for suit in "dhs")


@cache
def count_up_to_suits(size: int, wild_rank: str, *, ace_low: bool) -> dict[int, Counter[int]]:
    """All hands of five or six cards, counted by wild cards held and strength.

    Natural cards that differ in nothing but which suit is which are judged once and counted
    as often as they occur.  So are the wild cards: their suits have no meaning.
    """
    counts = {}
    for held in range(4):
        wild = sum(wild_cards(wild_rank)[:held])
        counts[held] = Counter[int]()
        for ways, natural in natural_up_to_suits(size - held, wild_rank).items():
            hands = [mask | wild for mask in natural]
            judged = Counter(map(strength, hands, itertools.repeat(wild_rank), itertools.repeat(ace_low)))
            for value, count in judged.items():
                counts[held][value] += math.comb(3, held) * ways * count
    return counts


@cache
def natural_up_to_suits(size: int, wild_rank: str) -> Weighted:
    """All sets of natural cards up to an exchange of suits."""
    bits = [1 << height for height, rank in enumerate(RANKS) if rank != wild_rank]
    lanes = [[sum(some) for some in itertools.combinations(bits, n)] for n in range(size + 1)]
    found: Weighted = {}
    for sizes in suit_sizes(size):
        ...
    return found
