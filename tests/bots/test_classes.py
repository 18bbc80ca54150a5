"""Hands are of one class exactly where an exchange of suits makes one of the other."""

from random import Random

import numpy as np
import pytest

from service.bots.classes import Classes, Masks, as_dealt, natural
from service.engine.cards import DECK, RANKS, SUITS
from service.engine.combinations import WILD_MASK, mask

FIVES = Classes(5)


def some_hands(wild_rank: str, cards: int = 5, count: int = 400) -> Masks:
    """Hands with three wild cards at the most, each with one whose suits are exchanged."""
    chance, wild = Random(7), WILD_MASK[wild_rank]
    hands: list[int] = []
    while len(hands) < count:
        hand = chance.sample(DECK, cards)
        suits = dict(zip(SUITS, chance.sample(SUITS, 4), strict=True))
        if (mask(hand) & wild).bit_count() < 4:
            hands += [mask(hand), sum(mask([DECK[0]]) << place(card, suits) for card in hand)]
    return np.array(hands, np.int64)


def place(card: str, suits: dict[str, str]) -> int:
    """Where the deck has a card once suits are exchanged."""
    return [*DECK].index(card[0] + suits[card[1]])  # type: ignore[arg-type]


def by_suits(hand: int, wild_rank: str) -> list[list[str]]:
    """The natural ranks of a hand in each suit, the suits in an order of their own."""
    held = [card for place, card in enumerate(DECK) if hand >> place & 1]
    return sorted([c[0] for c in held if c[1] == suit and c[0] != wild_rank] for suit in SUITS)


@pytest.mark.parametrize("wild_rank", ["2", "8", "A"])
def test_suits_do_not_matter(wild_rank: str) -> None:
    """A hand and its double with other suits have one number."""
    numbers = FIVES.of(natural(some_hands(wild_rank), wild_rank))
    assert numbers[::2].tolist() == numbers[1::2].tolist()


@pytest.mark.parametrize("wild_rank", ["2", "8", "A"])
def test_all_else_matters(wild_rank: str) -> None:
    """Hands that differ in more than their suits have different numbers."""
    hands = some_hands(wild_rank, count=4000)
    numbers = FIVES.of(natural(hands, wild_rank)).tolist()
    lanes = {str(by_suits(hand, wild_rank)) for hand in hands.tolist()}
    assert len(lanes) == len(set(numbers))


def test_each_number_is_used() -> None:
    """The numbers of all hands of at most three cards run from 0 without a gap."""
    some = Classes(3)
    cards = [1 << suit + rank for suit in (0, 13, 26, 39) for rank in range(12)]
    hands = {a | b | c for a in (0, *cards) for b in (0, *cards) for c in (0, *cards)}
    numbers = some.of(np.array([*hands], np.int64))
    assert list(range(some.count)) == np.unique(numbers).tolist()


def test_there_are_as_many_as_by_burnside() -> None:
    """Five cards with three wild ones at the most have 102,347 classes; 13 more have no hand."""
    assert 102_347 + 13 == FIVES.count


@pytest.mark.parametrize("wild_rank", RANKS)
def test_hands_are_dealt_back(wild_rank: str) -> None:
    """Natural cards and their number of wild ones make a hand of the same class again."""
    for hand in some_hands(wild_rank, count=40):
        cards = natural(hand[np.newaxis], wild_rank)
        wilds = (int(hand) & WILD_MASK[wild_rank]).bit_count()
        dealt = as_dealt(cards, wild_rank, wilds)
        assert int(hand).bit_count() == int(dealt[0]).bit_count()
        assert cards.tolist() == natural(dealt, wild_rank).tolist()
