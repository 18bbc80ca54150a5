"""What is made of the shares of many blocks of duplicate deals."""

import json
import math
import statistics
from dataclasses import asdict
from functools import reduce
from random import Random

import pytest

from service.bots.scores import Score


def score(*shares: float) -> Score:
    """The score of these blocks."""
    return reduce(Score.add, shares, Score())


def test_share_is_the_mean_of_the_blocks() -> None:
    """The share is the mean of what was won of each block."""
    assert 0.625 == score(1.0, 0.5, 0.5, 0.5).share


def test_error_is_from_what_scatters_between_blocks() -> None:
    """The interval is that of a mean: 1.96 standard deviations, over the root of the number."""
    chance = Random(1)
    shares = [chance.choice((0.0, 0.5, 1.0)) for _ in range(1_000)]

    expected = 1.96 * statistics.stdev(shares) / math.sqrt(1_000)
    assert expected == pytest.approx(score(*shares).error)
    assert score(*shares).share - expected == pytest.approx(score(*shares).low)
    assert score(*shares).share + expected == pytest.approx(score(*shares).high)


def test_the_interval_holds_the_truth() -> None:
    """In about 95 of 100 matches the interval holds what a player wins in the long run."""
    chance, held = Random(1), 0
    for _ in range(2_000):
        found = score(*(chance.random() for _ in range(50)))
        held += found.low <= 0.5 <= found.high
    assert 0.93 < held / 2_000 < 0.97


@pytest.mark.parametrize(
    ("shares", "low", "high"),
    [([], 0, 1), ([1.0], 0, 1), ([1.0] * 2, 0, 1), ([1.0] * 30, 0.9, 1), ([0.0] * 30, 0, 0.1)],
)
def test_few_blocks_prove_little(shares: list[float], low: float, high: float) -> None:
    """Blocks that happen to be alike don't make a certainty, and the interval ends at 0 and 1."""
    assert (low, high) == pytest.approx((score(*shares).low, score(*shares).high))


@pytest.mark.parametrize(
    ("share", "players", "elo"),
    [(0.5, 2, 0), (0.75, 2, 191), (0.25, 2, -191), (10 / 11, 2, 400), (0.25, 4, 0), (0.2, 5, 0)],
)
def test_elo_is_about_the_odds(share: float, players: int, elo: int) -> None:
    """A fair share is no difference, and odds of ten to one are 400 points."""
    assert elo == round(score(*[share] * 10).elo(players))


def test_elo_is_finite() -> None:
    """Who won all is taken to have lacked half a deal; who played nothing is no better or worse."""
    assert 400 * math.log10(39) == pytest.approx(score(*[1.0] * 10).elo())
    assert -400 * math.log10(39) == pytest.approx(score(*[0.0] * 10).elo())
    assert 0 == Score().elo()


def test_two_scores_add_up() -> None:
    """The sum of two scores is that of all their blocks."""
    assert score(1.0, 0.5, 0.25) == score(1.0) + score(0.5, 0.25)
    assert score(1.0) == score(1.0) + Score()


def test_goes_through_json() -> None:
    """A score can be written down as JSON and read again."""
    found = score(1.0, 0.5)
    assert found == Score(**json.loads(json.dumps(asdict(found))))
