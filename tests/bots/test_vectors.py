"""Many hands at once are judged as the engine judges each."""

import json
import math
from collections import Counter
from functools import cache
from itertools import chain, combinations, repeat
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.bots.vectors import Masks, Strengths, strengths
from service.engine.cards import RANKS
from service.engine.combinations import BIT, WILD_MASK, mask, strength
from tests.engine.counts import (
    OPTIONS,
    SIZES,
    by_name,
    known_by_wild_cards,
    twelve_ranks_up_to_suits,
    wild_cards,
)
from tests.engine.test_combinations import Hand, any_five, any_six

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "vectors.json").read_text("utf-8"))

# Six cards are judged one by one for some of them, to save time; `full_counts.py` judges all.
ONE_BY_ONE = [
    *((5, wild_rank, option) for wild_rank in RANKS for option in OPTIONS),
    (6, "4", "ace_low"),
    (6, "T", "ace_low"),
    (6, "A", "ace_high_only"),
]


def one_by_one(hands: Masks, wild_rank: str, *, ace_low: bool) -> Strengths:
    """What the engine's own judge says of each hand."""
    judged = map(strength, hands.tolist(), repeat(wild_rank), repeat(ace_low))
    return np.fromiter(judged, np.uint16, hands.size)


@cache
def twelve_ranks(size: int) -> tuple[Masks, Masks]:
    """All sets of cards below the aces up to an exchange of suits; how many each stands for."""
    classes = twelve_ranks_up_to_suits(size)
    ways = np.repeat(list(classes), [len(masks) for masks in classes.values()])
    return np.fromiter(chain(*classes.values()), np.uint64), ways.astype(np.uint64)


def up_to_suits(size: int, wild_rank: str, held: int) -> Masks:
    """All hands with so many wild cards, up to an exchange of suits."""
    masks, _ = twelve_ranks(size - held)
    lower = np.uint64(sum(BIT.values()) // ((1 << 13) - 1) * ((1 << RANKS.index(wild_rank)) - 1))
    wild = np.uint64(sum(wild_cards(wild_rank)[:held]))
    return wild | masks & lower | (masks & ~lower) << np.uint64(1)


@pytest.mark.parametrize("vector", VECTORS["hands"], ids=lambda vector: vector["note"])
def test_known_hands(vector: Any) -> None:
    """A known hand is worth what the engine, which is tested with the same, makes of it."""
    hand, wild_rank, ace_low = mask(vector["cards"]), vector["wild_rank"], vector["ace_low"]
    found = strengths(np.array([hand], np.uint64), wild_rank, ace_low)

    assert [strength(hand, wild_rank, ace_low)] == found.tolist()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("wild_rank", RANKS)
@pytest.mark.parametrize("option", OPTIONS)
def test_counts(size: int, wild_rank: str, option: str) -> None:
    """There are as many hands of each combination and number of wild cards as is known."""
    for held, expected in known_by_wild_cards(size, wild_rank, option).items():
        found = strengths(up_to_suits(size, wild_rank, held), wild_rank, OPTIONS[option])
        ways = math.comb(3, held) * np.bincount(found, twelve_ranks(size - held)[1])
        counts = Counter({value: int(ways[value]) for value in np.flatnonzero(ways).tolist()})
        assert {name: count for name, count in expected.items() if count} == by_name(counts)


@pytest.mark.parametrize(("size", "wild_rank", "option"), ONE_BY_ONE)
@pytest.mark.parametrize("held", range(4))
def test_all_hands(size: int, wild_rank: str, option: str, held: int) -> None:
    """Every hand is worth what the engine says, up to an exchange of suits."""
    hands, ace_low = up_to_suits(size, wild_rank, held), OPTIONS[option]

    assert np.array_equal(
        one_by_one(hands, wild_rank, ace_low=ace_low), strengths(hands, wild_rank, ace_low)
    )


@pytest.mark.parametrize("wild_rank", RANKS)
def test_four_wild_cards(wild_rank: str) -> None:
    """Hands with all four cards of the wild rank, which nobody is dealt, are judged alike too."""
    natural = [bit for bit in BIT.values() if not bit & WILD_MASK[wild_rank]]
    others = [sum(some) for size in (1, 2) for some in combinations(natural, size)]
    hands = np.array(others, np.uint64) | np.uint64(WILD_MASK[wild_rank])

    assert np.array_equal(one_by_one(hands, wild_rank, ace_low=False), strengths(hands, wild_rank))


@given(st.lists(any_five | any_six), st.sampled_from(RANKS), st.booleans())
def test_any_hands(dealt: list[Hand], wild_rank: str, ace_low: bool) -> None:
    """Hands of five and of six cards may be judged together, as many as there are."""
    hands = np.array([mask(cards) for cards, _ in dealt], np.uint64)

    assert np.array_equal(
        one_by_one(hands, wild_rank, ace_low=ace_low), strengths(hands, wild_rank, ace_low)
    )


def test_the_shape_stays() -> None:
    """The answer has the shape of the question, and a part of an array is judged like a whole."""
    hands, _ = twelve_ranks(5)
    square = hands[:60_000].reshape(300, 200)
    found = strengths(square, "A")

    assert np.array_equal(one_by_one(hands[:60_000], "A", ace_low=False), found.reshape(-1))
    assert (300, 200) == found.shape
    assert np.array_equal(found[:, ::3].T, strengths(square[:, ::3].T, "A"))
    assert (0, 7) == strengths(np.empty((0, 7), np.uint64), "A").shape
    assert found[3, 4] == strengths(square[3, 4], "A")
