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


def worths(size: int, wild_rank: str, option: str) -> set[int]:
    """The strengths of all combinations that hands of this size hold."""
    counts = count_up_to_suits(size, wild_rank)[option]
    return set().union(*counts.values()) - {0}


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("wild_rank", RANKS)
@pytest.mark.parametrize("size", SIZES)
def test_counts_by_wild_cards_held(size: int, wild_rank: str, option: str) -> None:
    """There are as many hands of each combination and number of wild cards as is known."""
    counts = count_up_to_suits(size, wild_rank)[option]

    assert known_by_wild_cards(size, wild_rank, option) == {
        held: by_name(found) for held, found in counts.items()
    }


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("wild_rank", RANKS)
def test_counts(wild_rank: str, option: str) -> None:
    """All hands of the 51 cards are counted, once each, and come to the known totals."""
    for size, name in ((5, "five_cards"), (6, "six_cards")):
        counts = count_up_to_suits(size, wild_rank)[option]
        found = by_name(sum(counts.values(), Counter()))

        assert known()["options"][option][wild_rank][name] == dict(found)
        assert known()[f"total_{name}"] == found.total()


@pytest.mark.parametrize("wild_rank", RANKS)
def test_how_many_combinations_differ(wild_rank: str) -> None:
    """Six cards hold 439 different best combinations.

    With a wild rank up to the nine there is one less: its card can't be the lowest of a sequence
    but the royal one's, since it would rather be the card above.
    """
    fewer = wild_rank in "23456789"

    assert 439 - fewer == len(worths(6, wild_rank, "ace_high_only"))
    assert 440 - (fewer or wild_rank == "A") == len(worths(6, wild_rank, "ace_low"))


@pytest.mark.parametrize("option", OPTIONS)
def test_strengths_compare_as_the_rules_do(option: str) -> None:
    """Strengths are in the order of the combinations and the ranks that decide, all different."""

    def in_words(strength: int) -> Value:
        combination = describe(strength, ())
        assert combination is not None
        place = list(Kind).index(combination.name)
        return place, *(HEIGHT[rank] for rank in combination.ranks)

    strengths = sorted(set().union(*(worths(6, wild, option) for wild in RANKS)))
    values = [in_words(strength) for strength in strengths]

    assert sorted(set(values)) == values


@pytest.mark.parametrize("wild_rank", RANKS)
def test_three_wild_cards(wild_rank: str) -> None:
    """Six cards with three wild ones always hold a combination, five cards not always."""
    assert 0 == count_up_to_suits(6, wild_rank)["ace_high_only"][3][0]
    assert 0 < count_up_to_suits(5, wild_rank)["ace_high_only"][3][0]


@pytest.mark.parametrize("wild_rank", RANKS)
def test_three_three_has_no_wild_card(wild_rank: str) -> None:
    """With a wild card in hand three/three is never the best."""
    counts = count_up_to_suits(6, wild_rank)["ace_high_only"]

    assert [1056, 0, 0, 0] == [by_name(counts[held])[Kind.THREE_THREE] for held in range(4)]
