"""What hands are worth: known hands, the worked cases, and the laws."""

import json
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.engine.cards import DECK, RANKS, SUITS, Card
from service.engine.combinations import (
    BIT,
    WILD_MASK,
    Kind,
    best,
    best_laying,
    describe,
    layings,
    mask,
    strength,
    strength_of_all_six,
)
from tests.engine import naive
from tests.engine.naive import HEIGHT, Value
from tests.engine.positions import cards

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[1] / "data" / "vectors.json").read_text(encoding="utf-8")
)
FIVE_OF_A_KIND = list(Kind).index(Kind.FIVE_OF_A_KIND)

Hand = tuple[tuple[Card, ...], str]
"""Cards in hand, and the rank that is wild."""


def value(strength: int) -> Value:
    """A strength in the terms of the plain judge."""
    combination = describe(strength, ())
    if combination is None:
        return ()
    return list(Kind).index(combination.name), *(HEIGHT[rank] for rank in combination.ranks)


def worth(text: str, wild_rank: str, *, ace_low: bool = False) -> tuple[str, str] | None:
    """The name and ranks of the best combination of a hand like `Ks Kh 2c ...`."""
    found = best(cards(text), wild_rank, ace_low)
    return None if found is None else (found.name, "".join(found.ranks))


def may_go(hand: Iterable[Card], wild_rank: str, **options: Any) -> set[Card | None]:
    """The cards that may be discarded, or None, so that the best combination is left."""
    ways = layings(hand, wild_rank, **options)
    return {card for card, left in ways.items() if left == max(ways.values())}


@st.composite
def hands(draw: st.DrawFn, size: int, held: int) -> Hand:
    """Hands with so many wild cards, many of them nearly of one suit or of few ranks."""
    chance = Random(draw(st.integers(0, 2**32)))
    turned_up = chance.choice(DECK)
    wild_rank = turned_up[0]
    wild = [card for card in DECK if card[0] == wild_rank and card != turned_up]
    natural = [card for card in DECK if card[0] != wild_rank]
    few, suit = chance.sample(RANKS, 4), chance.choice(SUITS)
    pools = (
        natural,
        [card for card in natural if card[0] in few],
        [card for card in natural if card[0] in few[:3] or card[1] == suit],
        [card for card in natural if card[0] == few[0] or card[1] == suit],
    )
    chosen = chance.sample(chance.choice(pools), size - held)
    return (*chance.sample(wild, held), *chosen), wild_rank


any_six = st.integers(0, 3).flatmap(lambda held: hands(6, held))
any_five = st.integers(0, 3).flatmap(lambda held: hands(5, held))


@pytest.mark.parametrize("vector", VECTORS["hands"], ids=lambda vector: vector["note"])
def test_known_hands(vector: dict[str, Any]) -> None:
    """A known hand holds the combination that is known, and leaves over what is known."""
    hand, wild_rank = tuple(vector["cards"]), vector["wild_rank"]
    options = {"ace_low": vector["ace_low"], "kept": vector.get("drawn_from_discard")}
    found = best(hand, wild_rank, **options)

    assert vector["combination"] == (found and found.name)
    assert tuple(vector["ranks"]) == (found.ranks if found else ())
    if len(hand) == 6:
        assert set(vector["may_be_discarded"]) == may_go(hand, wild_rank, **options) - {None}


@pytest.mark.parametrize("vector", VECTORS["comparisons"], ids=lambda vector: vector["note"])
def test_known_comparisons(vector: dict[str, Any]) -> None:
    """Of two known hands the one that is known to be higher is, or neither where they tie."""
    a, b = (strength(mask(vector[hand]), vector["wild_rank"]) for hand in "ab")

    assert vector["higher"] == ("tie" if a == b else "a" if a > b else "b")


class TestWorkedCases:
    """The worked cases of docs/rules.md that are about hands, by their numbers."""

    def test_1(self) -> None:
        """Three wild cards and two kings are five kings; the queen is discarded."""
        hand = cards("7c 7d 7h Ks Kd Qc")

        assert ("five_of_a_kind", "K") == worth("7c 7d 7h Ks Kd Qc", "7")
        assert {"Qc"} == may_go(hand, "7")

    def test_2(self) -> None:
        """Three wild cards and three odd ones of three suits are three pairs."""
        assert ("two_two_two", "KQ2") == worth("7c 7d 7h Ks Qd 2c", "7")

    def test_3(self) -> None:
        """Three wild cards with king and queen of a suit are a royal flush; the two goes."""
        assert ("royal_flush", "") == worth("7c 7d 7h Ks Qs 2c", "7")
        assert {"2c"} == may_go(cards("7c 7d 7h Ks Qs 2c"), "7")

    def test_4(self) -> None:
        """Three aces and three kings are three/three, aces over kings, not four/two."""
        assert ("three_three", "AK") == worth("Ac Ad Kc Kd Kh Ah", "2")

    def test_5(self) -> None:
        """The wild card makes the higher of two sequences; it may not go itself."""
        hand = cards("9c 8s 7s 6s 5s Ts")

        assert ("straight_flush", "T") == worth("9c 8s 7s 6s 5s Ts", "9")
        assert {"5s": (3, HEIGHT["T"]), "Ts": (3, HEIGHT["9"])} == {
            card: value(left) for card, left in layings(hand, "9").items()
        }

    def test_6(self) -> None:
        """A wild card among the six is wild where it lies in a natural sequence, too."""
        assert ("straight_flush", "T") == worth("9s 8s 7s 6s 5s 9d", "9")
        assert {"5s"} == may_go(cards("9s 8s 7s 6s 5s 9d"), "9")

    def test_7(self) -> None:
        """Four and two odd cards are nothing; a wild card makes four/two of three/three."""
        assert worth("Kc Kd Kh Ks 4d 2c", "9") is None
        assert ("four_two", "59") == worth("5c 5d 5h 9s 9d 2c", "2")

    def test_8(self) -> None:
        """Of six cards of a suit in sequence from the ace down, the nine goes."""
        assert ("royal_flush", "") == worth("As Ks Qs Js Ts 9s", "2")
        assert {"9s"} == may_go(cards("As Ks Qs Js Ts 9s"), "2")

    def test_11(self) -> None:
        """A straight flush is no call where its sixth card, from the discards, has to stay."""
        hand = cards("5h 6h 7h 8h 9h Kc")

        assert {} == layings(hand, "2", kept=Card("Kc"))
        assert best(hand, "2", kept=Card("Kc")) is None
        assert {"Kc"} == set(layings(hand, "2"))

    def test_12(self) -> None:
        """Five cards are a straight flush by themselves."""
        assert ("straight_flush", "9") == worth("5h 6h 7h 8h 9h", "3")

    def test_20(self) -> None:
        """Of four kings and two wild cards any may go; unasked it is a king."""
        hand = cards("Kc Kd Kh Ks 9c 9d")
        choice = best_laying(layings(hand, "9"), "9")

        assert set(hand) == may_go(hand, "9")
        assert choice is not None
        assert "K" == choice[0]

    def test_21(self) -> None:
        """Where five kings would need the card just taken to go, it is four/two."""
        hand = cards("Kc Kd Kh 9c 9d 4d")
        found = best(hand, "9", kept=Card("4d"))

        assert found is not None
        assert (Kind.FOUR_TWO, ("K", "4")) == (found.name, found.ranks)


def test_the_order_of_combinations() -> None:
    """The six combinations have their names, and compare in their order."""
    examples = {
        "Ac Ad 7h 7s 4c 2d": "two_two_two",
        "5c 5d 5h 9s 9d 9c": "three_three",
        "8c 8d 8h 2s Jc Jd": "four_two",
        "9s 8s 7s 6s 2d": "straight_flush",
        "Ah Kh 2d Jh Th": "royal_flush",
        "Ks Kh Kd 2c 2s": "five_of_a_kind",
    }
    strengths = [strength(mask(cards(example)), "2") for example in examples]

    assert list(examples.values()) == list(Kind)
    for example, name in examples.items():
        found = best(cards(example), "2")
        assert found is not None
        assert name == found.name
    assert sorted(set(strengths)) == strengths


@pytest.mark.parametrize(
    "text",
    [
        "Kc Kd Kh Ks 4d",
        "Kc Kd Kh 4s 4d",
        "Kc Kd Kh 4s 4d 2c",
        "Ah Jh 8h 6h 4h 3h",
        "9c 8d 7h 6s 5c 4d",
        "Ah Kh Qh Jh 9h 8h",
        "Kh Ah 2h 3h 4h 5h",
        "2c 2d 4h 4s",
    ],
)
def test_what_wins_nothing(text: str) -> None:
    """Four of a kind, a full house, a flush, a straight and the like are no combinations."""
    assert 0 == strength(mask(cards(text)), "7")


def test_ace_low() -> None:
    """A-2-3-4-5 is the lowest sequence with the house rule, and none without; no other wraps."""
    assert worth("Ah 2h 3h 4h 5h", "9") is None
    assert ("straight_flush", "5") == worth("Ah 2h 3h 4h 5h", "9", ace_low=True)
    assert ("straight_flush", "6") == worth("Ah 2h 3h 4h 5h 6h", "9", ace_low=True)
    assert worth("Kh Ah 2h 3h 4h", "9", ace_low=True) is None


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("Kc Kd Kh Ks 9c 9d", "KA"),
        ("Ac Ad Ah As 9c 9d", "AK"),
        ("Kc Kd Kh 9c 9d 9h", "KA"),
        ("Ac Ad Ah 9c 9d 9h", "AK"),
        ("Kc Kd 4h 9c 9d 9h", "K4"),
        ("4c 4d Kh 9c 9d 9h", "K4"),
    ],
)
def test_five_of_a_kind_laid_as_six(text: str, ranks: str) -> None:
    """Five of a kind may be laid as the highest four/two of all six cards instead."""
    ways = layings(cards(text), "9")

    assert FIVE_OF_A_KIND == value(max(ways.values()))[0]
    assert (2, *(HEIGHT[rank] for rank in ranks)) == value(ways[None])


class TestAgainstEverySubstitution:
    """The judge of the service and the plain one, which tries every card, say the same."""

    @pytest.mark.parametrize(("held", "examples"), [(0, 150), (1, 150), (2, 60), (3, 20)])
    def test_five_cards(self, held: int, examples: int) -> None:
        """Five cards are worth what the best substitution makes of them."""

        @settings(max_examples=examples)
        @given(hands(5, held), st.booleans())
        def check(hand: Hand, ace_low: bool) -> None:
            held_cards, wild_rank = hand
            expected = naive.best(held_cards, wild_rank, ace_low=ace_low)
            assert expected == value(strength(mask(held_cards), wild_rank, ace_low))

        check()

    @pytest.mark.parametrize(("held", "examples"), [(0, 150), (1, 150), (2, 60), (3, 10)])
    def test_six_cards(self, held: int, examples: int) -> None:
        """Six cards may be laid in the ways that leave a combination, and are worth the best."""

        @settings(max_examples=examples)
        @given(hands(6, held), st.booleans())
        def check(hand: Hand, ace_low: bool) -> None:
            held_cards, wild_rank = hand
            expected = {
                out: naive.together(without(held_cards, out), wild_rank, ace_low=ace_low)
                for out in (None, *held_cards)
            }
            ways = layings(held_cards, wild_rank, ace_low)
            assert {out: left for out, left in expected.items() if left} == {
                out: value(left) for out, left in ways.items()
            }
            assert max(expected.values()) == value(strength(mask(held_cards), wild_rank, ace_low))

        check()

    @settings(max_examples=60)
    @given(st.integers(0, 2).flatmap(lambda held: hands(6, held)))
    def test_doubles(self, hand: Hand) -> None:
        """That a wild card may double a card held already matters for five of a kind alone."""
        held_cards, wild_rank = hand
        expected = naive.best(held_cards, wild_rank)
        strict = naive.best(held_cards, wild_rank, doubles=False)
        assert expected == strict or FIVE_OF_A_KIND == expected[0]
        assert not strict or FIVE_OF_A_KIND > strict[0]


def without(hand: tuple[Card, ...], out: Card | None) -> tuple[Card, ...]:
    """The cards that are left of a hand."""
    return tuple(card for card in hand if card != out)


class TestLaws:
    """What holds for every hand."""

    @given(any_six, st.permutations(SUITS), st.booleans())
    def test_suits_have_no_order(self, hand: Hand, suits: list[str], ace_low: bool) -> None:
        """Exchanging suits changes no hand's strength."""
        held_cards, wild_rank = hand
        other = [Card(card[0] + suits[SUITS.index(card[1])]) for card in held_cards]
        assert strength(mask(held_cards), wild_rank, ace_low) == strength(
            mask(other), wild_rank, ace_low
        )

    @given(any_six)
    def test_wild_cards_are_alike(self, hand: Hand) -> None:
        """Which of the wild cards are held changes no hand's strength."""
        held_cards, wild_rank = hand
        natural = [card for card in held_cards if card[0] != wild_rank]
        wild = [card for card in DECK if card[0] == wild_rank]
        strengths = {
            strength(mask([*natural, *some]), wild_rank)
            for some in combinations(wild, len(held_cards) - len(natural))
        }
        assert 1 == len(strengths)

    @given(any_six)
    def test_six_cards_hold_what_five_hold(self, hand: Hand) -> None:
        """Six cards are worth the most that five of them are, or all of them together."""
        held_cards, wild_rank = hand
        fives = [strength(mask(five), wild_rank) for five in combinations(held_cards, 5)]
        together = strength_of_all_six(mask(held_cards), wild_rank)
        assert max(*fives, together) == strength(mask(held_cards), wild_rank)

    @given(any_five, st.sampled_from(DECK))
    def test_a_wild_card_is_the_best_to_have(self, hand: Hand, card: Card) -> None:
        """No card makes more of five cards than a wild card does."""
        held_cards, wild_rank = hand
        five = mask(held_cards)
        spare = next((bit for bit in bits(WILD_MASK[wild_rank]) if not five & bit), 0)
        assert strength(five | spare, wild_rank) >= strength(five | BIT[card], wild_rank)

    @given(any_six)
    def test_ace_low_only_adds(self, hand: Hand) -> None:
        """The house rule `ace_low` makes no hand worse, and adds but the one sequence."""
        held_cards, wild_rank = hand
        usual, more = (strength(mask(held_cards), wild_rank, low) for low in (False, True))
        assert usual == more or (3, HEIGHT["5"]) == value(more)
        assert usual <= more

    @given(any_six, st.booleans())
    def test_the_best_combination_is_made_of_its_cards(self, hand: Hand, ace_low: bool) -> None:
        """The cards of the best combination are held, and by themselves worth as much."""
        held_cards, wild_rank = hand
        found = best(held_cards, wild_rank, ace_low)
        worth = strength(mask(held_cards), wild_rank, ace_low)
        if found is None:
            assert 0 == worth
        else:
            assert set(held_cards) >= set(found.cards)
            assert {5, 6} >= {len(found.cards)}
            assert describe(worth, found.cards) == found
            assert strength(mask(found.cards), wild_rank, ace_low) == worth

    @given(any_six, st.integers(0, 5))
    def test_a_kept_card_is_not_discarded(self, hand: Hand, place: int) -> None:
        """A card that came from the discards stays; the other ways to lay the hand stay too."""
        held_cards, wild_rank = hand
        kept = held_cards[place]
        ways = layings(held_cards, wild_rank)
        assert {out: left for out, left in ways.items() if out != kept} == layings(
            held_cards, wild_rank, kept=kept
        )

    @given(any_six)
    def test_the_choice_of_a_discard(self, hand: Hand) -> None:
        """Unasked the highest is laid, and no wild card goes where a natural one does as well."""
        held_cards, wild_rank = hand
        ways = layings(held_cards, wild_rank)
        if ways:
            choice = best_laying(ways, wild_rank)
            as_good = may_go(held_cards, wild_rank)
            assert choice in as_good
            if choice is not None and choice[0] == wild_rank:
                assert {wild_rank} == {out[0] for out in as_good if out is not None}


def bits(hand: int) -> list[int]:
    """The cards of a mask, each as a mask."""
    return [bit for bit in BIT.values() if hand & bit]


class TestTies:
    """Who can tie; the wild rank is two, and the club was turned up."""

    wild = tuple(BIT[Card("2" + suit)] for suit in "dhs")

    def with_wild_cards(self, ranks: Iterable[str]) -> list[int]:
        """The natural cards of some ranks and the three wild cards, as masks."""
        return [*(BIT[card] for card in DECK if card[0] in ranks), *self.wild]

    def test_who_cannot(self) -> None:
        """No two players can have the same five of a kind, four/two or three/three."""
        found = defaultdict(set)
        for pair in combinations(RANKS[1:], 2):
            for size in (5, 6):
                for hand in map(sum, combinations(self.with_wild_cards(pair), size)):
                    found[strength(hand, "2")].add(hand)
        counts = {Kind.FIVE_OF_A_KIND: 0, Kind.FOUR_TWO: 0, Kind.THREE_THREE: 0}
        for worth, same in found.items():
            combination = describe(worth, ())
            if combination and combination.name in counts:
                counts[combination.name] += 1
                assert all(one & other for one, other in combinations(same, 2))
        assert [12, 132, 66] == list(counts.values())

    def test_two_two_two(self) -> None:
        """Two players can have the same three pairs; there are no cards for a third."""
        assert worth("Ac Ad 7c 7d 3c 3d", "2") == worth("Ah As 7h 7s 3h 3s", "2")
        assert 3 * 6 > len(self.with_wild_cards("A73"))

    @pytest.mark.parametrize("ranks", ["AKQJT", "98765"])
    def test_sequences(self, ranks: str) -> None:
        """Four players can have the same straight or royal flush; no cards for a fifth."""
        same = {worth(" ".join(rank + suit for rank in ranks), "2") for suit in SUITS}

        assert 1 == len(same)
        assert None not in same
        assert 5 * 5 > len(self.with_wild_cards(ranks))
