"""A plain judge of hands for tests: it tries every card for every wild card.

It shares nothing with the service's own judge but the spelling of cards, and takes its time.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator

from service.engine.cards import DECK, RANKS, Card

Value = tuple[int, ...]
"""The place of a combination among the six, from 0, and then the ranks that decide."""

KINDS = (
    "two_two_two",
    "three_three",
    "four_two",
    "straight_flush",
    "royal_flush",
    "five_of_a_kind",
)
HEIGHT = {rank: height for height, rank in enumerate(RANKS)}
SEQUENCES = {frozenset(RANKS[top - 4 : top + 1]): top for top in range(4, 13)}
ACE_LOW_SEQUENCE = {frozenset("A2345"): 3}
SHAPES = {(4, 2): 2, (3, 3): 1, (2, 2, 2): 0}


def best(
    cards: tuple[Card, ...], wild_rank: str, *, ace_low: bool = False, doubles: bool = True
) -> tuple[str, tuple[str, ...]] | None:
    """The name and ranks of the best combination that five or six cards hold.

    Args:
        cards: the hand.
        wild_rank: the rank that is wild.
        ace_low: whether A-2-3-4-5 is a sequence.
        doubles: whether a wild card may stand for a card that the combination has already.
    """
    sequences = SEQUENCES | ACE_LOW_SEQUENCE if ace_low else SEQUENCES
    values: list[Value] = []
    for used in (*itertools.combinations(cards, 5), *itertools.combinations(cards, 6)):
        for meant in meanings(used, wild_rank):
            if doubles or len(set(meant)) == len(meant):
                values += five(meant, sequences) if len(meant) == 5 else six(meant)
    if not values:
        return None
    kind, *heights = max(values)
    return KINDS[kind], tuple(RANKS[height] for height in heights)


def meanings(cards: tuple[Card, ...], wild_rank: str) -> Iterator[tuple[Card, ...]]:
    """All that a hand may stand for, with every card of the deck for each wild card."""
    natural = tuple(card for card in cards if card[0] != wild_rank)
    for meant in itertools.combinations_with_replacement(DECK, len(cards) - len(natural)):
        yield natural + meant


def five(cards: tuple[Card, ...], sequences: dict[frozenset[str], int]) -> Iterable[Value]:
    """The combination that five cards make as they are, if any."""
    ranks = {card[0] for card in cards}
    if len(ranks) == 1:
        return [(5, HEIGHT[rank]) for rank in ranks]
    if len(ranks) < 5 or len({card[1] for card in cards}) > 1:
        return []
    top = sequences.get(frozenset(ranks))
    if top is None:
        return []
    return [(4,)] if top == HEIGHT["A"] else [(3, top)]


def six(cards: tuple[Card, ...]) -> Iterable[Value]:
    """The combination that six cards make as they are, if any."""
    if len({card[0] for card in cards}) > 3:
        return []
    counts = Counter(HEIGHT[card[0]] for card in cards)
    ranks = sorted(counts, key=lambda height: (counts[height], height), reverse=True)
    kind = SHAPES.get(tuple(counts[height] for height in ranks))
    return [] if kind is None else [(kind, *ranks)]
