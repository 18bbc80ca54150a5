"""Every hand there is, counted by what it is worth."""

from collections import Counter

import pytest

from service.engine.cards import RANKS
from service.engine.combinations import Kind, describe
from tests.engine.counts import (
    OPTIONS,
    SIZES,
    by_name,
    count_up_to_suits,
    known,
    known_by_wild_cards,
)
from tests.engine.naive import HEIGHT, Value

# Six cards with a low ace are counted for some wild ranks, to save time; `full_counts.py` has all.
ALL = [
    (size, wild_rank, option)
    for size in SIZES
    for wild_rank in RANKS
    for option in OPTIONS
    if (size, option) != (6, "ace_low") or wild_rank in "4TA"
]
NAMES = {5: "five_cards", 6: "six_cards"}


@pytest.mark.parametrize(("size", "wild_rank", "option"), ALL)
def test_counts(size: int, wild_rank: str, option: str) -> None:
    """There are as many hands of each combination and number of wild cards as is known."""
    counts = count_up_to_suits(size, wild_rank, option)
    in_all = by_name(sum(counts.values(), Counter()))

    assert known_by_wild_cards(size, wild_rank, option) == {
        held: by_name(found) for held, found in counts.items()
    }
    assert known()["options"][option][wild_rank][NAMES[size]] == in_all
    assert known()[f"total_{NAMES[size]}"] == in_all.total()


@pytest.mark.parametrize(("size", "wild_rank", "option"), ALL)
def test_strengths_compare_as_the_rules_do(size: int, wild_rank: str, option: str) -> None:
    """Strengths are in the order of the combinations and the ranks that decide, all different."""
    strengths = sorted(worths(size, wild_rank, option))
    values = [in_words(strength) for strength in strengths]

    assert sorted(set(values)) == values


def worths(size: int, wild_rank: str, option: str) -> set[int]:
    """The strengths of all combinations that hands of this size hold."""
    counts = count_up_to_suits(size, wild_rank, option)
    return set().union(*counts.values()) - {0}


def in_words(strength: int) -> Value:
    """A strength as the place of its combination and the ranks that decide."""
    combination = describe(strength, ())
    assert combination is not None
    place = list(Kind).index(combination.name)
    return place, *(HEIGHT[rank] for rank in combination.ranks)


@pytest.mark.parametrize("wild_rank", RANKS)
def test_how_many_combinations_differ(wild_rank: str) -> None:
    """Six cards hold 439 different best combinations, or 438 with a wild rank up to the nine.

    A wild card is never the lowest of a sequence but the royal one: it would rather be the card
    above.  So one straight flush is missing where the wild rank is the lowest of one.
    """
    fewer = wild_rank in "23456789"

    assert 439 - fewer == len(worths(6, wild_rank, "ace_high_only"))


@pytest.mark.parametrize(("wild_rank", "expected"), [("4", 439), ("T", 440), ("A", 439)])
def test_how_many_differ_with_a_low_ace(wild_rank: str, expected: int) -> None:
    """With a low ace there is one combination more, unless aces are wild."""
    assert expected == len(worths(6, wild_rank, "ace_low"))


@pytest.mark.parametrize("wild_rank", RANKS)
def test_three_wild_cards(wild_rank: str) -> None:
    """Six cards with three wild ones always hold a combination, five cards not always."""
    assert 0 == count_up_to_suits(6, wild_rank, "ace_high_only")[3][0]
    assert 0 < count_up_to_suits(5, wild_rank, "ace_high_only")[3][0]


@pytest.mark.parametrize("wild_rank", RANKS)
def test_three_three_has_no_wild_card(wild_rank: str) -> None:
    """With a wild card in hand three/three is never the best."""
    counts = count_up_to_suits(6, wild_rank, "ace_high_only")

    assert [1056, 0, 0, 0] == [by_name(counts[held])[Kind.THREE_THREE] for held in range(4)]
