"""Judges every hand of five and six cards by itself, and compares with the known counts.

That is 20 million hands for each wild rank and each reading of the ace.  Each is judged by the
engine and, with many at once, by the bots' judge, which have to agree.  Run it with
`make full-counts`; the tests count the same up to an exchange of suits, in seconds.
"""

import math
import multiprocessing
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import combinations, product, repeat

import click
import numpy as np

from service.bots.vectors import strengths
from service.engine.cards import DECK, RANKS
from service.engine.combinations import BIT, strength
from tests.engine.counts import (
    OPTIONS,
    SIZES,
    ByStrength,
    by_name,
    known_by_wild_cards,
    wild_cards,
)


@dataclass(frozen=True)
class Share:
    """The hands of one size and wild rank that hold certain wild cards and this highest natural."""

    size: int
    wild_rank: str
    option: str
    held: tuple[int, ...]
    highest: int
    """The place of the highest natural card among the 48, in the deck's order."""

    @property
    def hands(self) -> int:
        """How many hands these are."""
        return math.comb(self.highest, self.size - len(self.held) - 1)


def all_shares() -> list[Share]:
    """Every hand in exactly one share."""
    return [
        Share(size, wild_rank, option, held, highest)
        for size, wild_rank, option in product(SIZES, RANKS, OPTIONS)
        for count in range(4)
        for held in combinations(wild_cards(wild_rank), count)
        for highest in range(size - count - 1, 48)
    ]


def count(share: Share) -> tuple[Share, ByStrength]:
    """Judge each hand of a share.

    Raises:
        ValueError: the two judges differ.
    """
    natural = [BIT[card] for card in DECK if card[0] != share.wild_rank]
    always = natural[share.highest] | sum(share.held)
    others = combinations(natural[: share.highest], share.size - len(share.held) - 1)
    hands = np.fromiter(map(sum, others, repeat(always)), np.uint64, share.hands)
    wild_rank, ace_low = share.wild_rank, OPTIONS[share.option]
    judged = map(strength, hands.tolist(), repeat(wild_rank), repeat(ace_low))
    found = np.fromiter(judged, np.uint16, share.hands)
    if not np.array_equal(found, strengths(hands, wild_rank, ace_low)):
        raise ValueError(f"The judges differ: {share}.")
    values, counts = np.unique_counts(found)
    return share, Counter(dict(zip(values.tolist(), counts.tolist(), strict=True)))


def count_all(shares: list[Share]) -> dict[tuple[int, str, str, int], ByStrength]:
    """Judge all hands on every core; the counts by size, wild rank, option and wild cards held."""
    counts: dict[tuple[int, str, str, int], ByStrength] = {}
    with (
        multiprocessing.Pool() as pool,
        click.progressbar(length=sum(share.hands for share in shares), label="Hands") as bar,
    ):
        for share, found in pool.imap_unordered(count, shares, chunksize=8):
            key = share.size, share.wild_rank, share.option, len(share.held)
            counts.setdefault(key, Counter()).update(found)
            bar.update(share.hands)
    return counts


def main() -> None:
    """Count, compare, and say what differs."""
    counts = count_all(all_shares())
    wrong = 0
    for (size, wild_rank, option, held), found in sorted(counts.items()):
        expected = known_by_wild_cards(size, wild_rank, option)[held]
        if by_name(found) != expected:
            wrong += 1
            print(f"{size} cards, {wild_rank} wild, {option}, {held} wild cards held:")
            print(f"  expected {dict(expected)}\n  counted  {dict(by_name(found))}")
    judged = sum(found.total() for found in counts.values())
    print(f"{judged:,} hands judged twice; {len(counts)} counts compared, {wrong} differ.")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
