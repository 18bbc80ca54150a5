"""A plain judge of hands for tests: it tries every card for every wild card.

It shares nothing with the service's own judge but the spelling of cards, and takes its time.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

from service.engine.cards import DECK, RANKS, Card

Value = tuple[int, ...]
"""The place of a combination among the six, from 0, and then the ranks that decide; empty: none."""

HEIGHT = {rank: height for height, rank in enumerate(RANKS)}
SEQUENCES = {frozenset(RANKS[top - 4 : top + 1]): top for top in range(4, 13)}
ACE_LOW_SEQUENCE = {frozenset("A2345"): 3}
SHAPES = {(4, 2): 2, (3, 3): 1, (2, 2, 2): 0}


def best(
    cards: tuple[Card, ...], wild_rank: str, *, ace_low: bool = False, doubles: bool = True
) -> Value:
    """The best combination that five or six cards hold, with a card left over or without.

    Args:
        cards: the hand.
        wild_rank: the rank that is wild.
        ace_low: whether A-2-3-4-5 is a sequence.
        doubles: whether a wild card may stand for a card that the combination has already.
    """
    used = [*combinations(cards, 5), *combinations(cards, 6)]
    return max(together(some, wild_rank, ace_low=ace_low, doubles=doubles) for some in used)


def together(
    cards: tuple[Card, ...], wild_rank: str, *, ace_low: bool = False, doubles: bool = True
) -> Value:
    """The best combination that five or six cards make with none left over."""
    sequences = SEQUENCES | ACE_LOW_SEQUENCE if ace_low else SEQUENCES
    values = (
        five(meant, sequences) if len(meant) == 5 else six(meant)
        for meant in meanings(cards, wild_rank)
        if doubles or len(set(meant)) == len(meant)
    )
    return max(values, default=())


def meanings(cards: tuple[Card, ...], wild_rank: str) -> Iterator[tuple[Card, ...]]:
    """All that a hand may stand for, with every card of the deck for each wild card."""
    natural = tuple(card for card in cards if card[0] != wild_rank)
    for meant in combinations_with_replacement(DECK, len(cards) - len(natural)):
        yield natural + meant


def five(cards: tuple[Card, ...], sequences: dict[frozenset[str], int]) -> Value:
    """The combination that five cards make as they are, if any."""
    ranks = {card[0] for card in cards}
    if len(ranks) == 1:
        return 5, HEIGHT[cards[0][0]]
    if len(ranks) < 5 or len({card[1] for card in cards}) > 1:
        return ()
    top = sequences.get(frozenset(ranks))
    if top is None:
        return ()
    return (4,) if top == HEIGHT["A"] else (3, top)


def six(cards: tuple[Card, ...]) -> Value:
    """The combination that six cards make as they are, if any."""
    if len({card[0] for card in cards}) > 3:
        return ()
    counts = Counter(HEIGHT[card[0]] for card in cards)
    ranks = sorted(counts, key=lambda height: (counts[height], height), reverse=True)
    kind = SHAPES.get(tuple(counts[height] for height in ranks))
    return () if kind is None else (kind, *ranks)
