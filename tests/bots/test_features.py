"""What some cards are good for, against counts by hand and by brute force."""

from collections.abc import Iterator
from random import Random

import pytest

from service.bots.features import cards, completing, near, outs, promise
from service.bots.turn import ALL_CARDS
from service.engine.cards import DECK, RANKS
from service.engine.combinations import BIT, WILD_MASK, mask, strength
from tests.bots.test_levels import dealt, turn
from tests.engine import positions

SUITS = [sum(BIT[card] for card in DECK if card[1] == suit) for suit in "cdhs"]


def fives(wild_rank: str, chance: Random) -> Iterator[int]:
    """Hands of five with up to three wild cards: of all cards, of few ranks, of one suit."""
    wild = WILD_MASK[wild_rank]
    few = sum(WILD_MASK[rank] for rank in chance.sample(RANKS, 4))
    for wilds in range(4):
        for pool in (ALL_CARDS, few, chance.choice(SUITS)):
            held = chance.sample([*cards(wild)], wilds)
            natural = [*cards(pool & ~wild)]
            yield sum(held) | sum(chance.sample(natural, 5 - wilds))


@pytest.mark.parametrize("ace_low", [False, True])
@pytest.mark.parametrize("wild_rank", RANKS)
def test_what_completes_a_hand(wild_rank: str, ace_low: bool) -> None:
    """Just those cards complete five cards with which the rules see a combination."""
    chance, wild = Random(wild_rank), WILD_MASK[wild_rank]
    for _ in range(25):
        for five in fives(wild_rank, chance):
            others = [card for card in cards(ALL_CARDS ^ five) if five & wild != wild ^ card]
            expected = [card for card in others if strength(five | card, wild_rank, ace_low)]
            assert expected == [*cards(completing(five, wild, ace_low) & sum(others))]


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        pytest.param("5h 6h 8h 9h Kc", 3, id="three wild cards"),
        pytest.param("5h 6h 8h 9h 9c", 3, id="a pair does not help"),
        pytest.param("4h 5h 6h 8h 9c", 3, id="the card between is wild itself"),
        pytest.param("8h 9h Th Jh Kc", 4, id="a queen, since the seven is wild already"),
        pytest.param("Kc Kd 9h 9s 4c", 6, id="three fours and three wild cards"),
        pytest.param("Kc Kd Kh 9h 9s", 6, id="a king, two nines, three wild cards"),
        pytest.param("Kc Kd Kh Ks 2c", 6, id="three twos and three wild cards"),
        pytest.param("2c 5d 9h Js Kc", 0, id="nothing"),
    ],
)
def test_outs(hand: str, expected: int) -> None:
    """The unseen cards that complete a hand are counted as one would by hand."""
    at_turn = turn(dealt(hand))

    assert expected == outs(at_turn, at_turn.hand, at_turn.unseen)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        pytest.param("2c 2d 2h 8s Kd", 3, id="three of a rank are three pairs"),
        pytest.param("2c 6c Tc Jd Kh", 4, id="two twos of a suit, four ranks apart"),
        pytest.param("2c 7d 7h Qs Kd", 18, id="two wild cards"),
        pytest.param("Ac 2c 9d Jh 4s", 0, id="the ace is high"),
        pytest.param("Kc Kd 2d Ac 2c", 4, id="two pairs and a run, not from suit to suit"),
    ],
)
def test_promise(hand: str, expected: int) -> None:
    """Wild cards, pairs and near cards of a suit are what gives a hand promise."""
    at_turn = turn(dealt(hand))

    assert expected == promise(at_turn, at_turn.hand)


@pytest.mark.parametrize("ace_low", [False, True])
def test_near(ace_low: bool) -> None:
    """Two cards are near where some third, fourth and fifth make a straight flush of them."""
    for place, one in enumerate(DECK):
        for other in DECK[:place]:
            expected = one[1] == other[1] and bool(_apart(one[0], other[0], ace_low) < 5)
            assert expected == near(mask([one, other]), ace_low)


def _apart(one: str, other: str, ace_low: bool) -> int:
    """How many ranks apart two ranks are in a sequence at best."""
    places = [RANKS.index(rank) for rank in (one, other)]
    if ace_low and "A" in (one, other):
        return min(abs(places[0] - places[1]), min(places) + 1)
    return abs(places[0] - places[1])


def test_cards_come_in_the_order_of_the_deck() -> None:
    """A mask is taken apart into its cards."""
    held = positions.cards("2c Kd Ah 3s As")

    assert [BIT[card] for card in held] == [*cards(mask(held))]
