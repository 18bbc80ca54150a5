"""What hands are worth: those laid down by their rank, others as `service.bots.solving` found.

The tables are mapped from their files, so all processes of a machine share them; a byte a class.
"""

from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from service.bots.classes import Classes, Masks, natural
from service.bots.vectors import Strengths
from service.engine.cards import RANKS

Floats = NDArray[np.float32]

FIVES = Classes(5)
"""The classes of hands of five."""

PATIENCE = 0.85
"""The chance that a hand is still of use a turn later, because nobody else has called.

It is about that of two players.  Four call sooner, but with 0.7 they play no better.
"""

RISK = 0.2
"""The chance that another beats the lowest of combinations, laid down before the last turns.

Chosen by play: of 0.12, 0.2 and 0.3 it is best for two players and four together.
"""

ONE = 255
"""What stands for a value of one in the tables."""

_THREE_PAIRS = np.sort(
    [1 << 12 | high << 8 | middle << 4 | low for low, middle, high in combinations(range(13), 3)]
)
_OF_A_HUNDRED = 90
"""How many of a hundred hands that are laid down are three pairs, all of about one frequency."""


def file(ace_low: bool) -> Path:
    """The table of values by wild rank, the two first, and by class."""
    return Path(__file__).parent / "data" / ("ace_low.npy" if ace_low else "ace_high.npy")


def laid(found: Strengths) -> Floats:
    """The chance that hands of these strengths win once they are laid down; 0 for no combination.

    It is less by the risk, as far as others can be stronger.
    """
    weaker = np.searchsorted(_THREE_PAIRS, found) / len(_THREE_PAIRS) * _OF_A_HUNDRED / 100
    chance: Floats = np.where(found > 0, 1 - RISK * (1 - weaker), 0).astype(np.float32)
    return chance


def values(hands: Masks, wild_rank: str, ace_low: bool = False) -> Floats:
    """About the chance that five cards become a combination before another player calls.

    Args:
        hands: masks as of `combinations.mask`, of five cards each, in an array of any shape.
        wild_rank: the rank that is wild, in all of them.
        ace_low: whether A-2-3-4-5 is a sequence (house rule).
    """
    table = _table(ace_low)[RANKS.index(wild_rank)]
    found: Floats = table[FIVES.of(natural(hands, wild_rank))] / np.float32(ONE)
    return found


@cache
def _table(ace_low: bool) -> NDArray[np.uint8]:
    return np.asarray(np.load(file(ace_low), mmap_mode="r"))
