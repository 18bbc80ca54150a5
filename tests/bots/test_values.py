"""The tables say what follows from themselves, worked out here card by card."""

from random import Random

import numpy as np
import pytest

from service.bots.solving import Solver
from service.bots.values import FIVES, ONE, PATIENCE, RISK, file, laid, values
from service.engine.cards import DECK, RANKS, Card
from service.engine.combinations import mask, strength

BYTE = 1 / ONE


def worth(five: list[Card], wild_rank: str, ace_low: bool) -> float:
    """What the table says of a hand."""
    return float(values(np.array([mask(five)]), wild_rank, ace_low)[0])


def drawn(six: list[Card], wild_rank: str, ace_low: bool) -> float:
    """What a hand is worth with a card drawn."""
    if found := strength(mask(six), wild_rank, ace_low):
        return float(laid(np.array([found], np.uint16))[0])
    natural = [card for card in six if card[0] != wild_rank]
    fives = [[card for card in six if card != out] for out in natural]
    return PATIENCE * max(worth(five, wild_rank, ace_low) for five in fives)


def expected(five: list[Card], wild_rank: str, ace_low: bool) -> float:
    """What a hand is worth by what it may become: the stock's card, or a better one that lies."""
    held = next(Card(wild_rank + suit) for suit in "cdhs" if wild_rank + suit not in five)
    unseen = [card for card in DECK if card not in five and card != held]
    after = {card: drawn([*five, card], wild_rank, ace_low) for card in unseen}
    stock = sum(after.values()) / len(after)
    offers = [max(after[card], stock) for card in unseen if card[0] != wild_rank]
    return sum(offers) / len(offers)


@pytest.mark.parametrize("ace_low", [False, True])
@pytest.mark.parametrize("wild_rank", ["2", "7", "A"])
def test_the_tables_follow_from_themselves(wild_rank: str, ace_low: bool) -> None:
    """A hand is worth what the hands after it make it worth, to about a byte's last bit."""
    chance = Random(3)
    for _ in range(4):
        natural = [card for card in DECK if card[0] != wild_rank]
        wild = [card for card in DECK if card[0] == wild_rank]
        wilds = chance.randrange(4)
        five = [*chance.sample(natural, 5 - wilds), *chance.sample(wild, wilds)]
        after = expected(five, wild_rank, ace_low)
        assert after == pytest.approx(worth(five, wild_rank, ace_low), abs=1.2 * BYTE)


def test_the_files_are_what_the_solver_makes() -> None:
    """Another step of the solver moves no value of a whole table by a byte's last bit."""
    solver = Solver()
    table = np.load(file(ace_low=False))[RANKS.index("9")] / np.float32(ONE)
    after = solver.step(table, solver.laid("9", ace_low=False))
    assert after.shape == (FIVES.count,)
    assert np.abs(after - table).max() < BYTE


def test_a_straight_flush_in_hand_is_worth_a_call() -> None:
    """What is laid down with any card drawn is worth what it is laid down."""
    five = [Card(card) for card in ("9s", "8s", "7s", "6s", "5s")]
    assert 1 - RISK / 10 <= worth(five, "2", ace_low=False) <= 1


def test_a_low_ace_makes_a_sequence_only_by_the_house_rule() -> None:
    """A-2-3-4-5 of a suit is worth a lot more where the house rule says so."""
    five = [Card(card) for card in ("As", "2s", "3s", "4s", "5s")]
    assert 0.9 < worth(five, "K", ace_low=True)
    assert 0.5 > worth(five, "K", ace_low=False)


def test_higher_hands_are_worth_more_laid_down() -> None:
    """The higher three pairs are, the more they win laid down; all above them wins alike."""
    found = np.array([0, 1 << 12 | 2 << 8 | 1 << 4, 1 << 12 | 12 << 8, 2 << 12, 6 << 12], np.uint16)
    chances = laid(found).tolist()
    assert 0 == chances[0]
    assert chances[1] == pytest.approx(1 - RISK)
    assert chances == sorted(chances)
    assert chances[2] < 0.98
    assert [pytest.approx(0.98)] * 2 == chances[3:]
