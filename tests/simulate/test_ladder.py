"""One scale for all players."""

from random import Random

import pytest

from service.simulate.ladder import Gap, ladder
from service.simulate.match import Pairing


def test_of_two_it_is_their_match() -> None:
    """With two players the ladder is what their match says, and the first is at zero."""
    found = ladder(["a", "b"], {Pairing("b", "a"): Gap(80.0, 5.0)})

    assert ["b", "a"] == list(found)
    assert (80, 5) == pytest.approx((found["b"].elo, found["b"].error))
    assert Gap(0.0, 0.0) == found["a"]


def test_what_fits_is_kept() -> None:
    """Matches that agree with each other give just the distances that they were made from."""
    heights = {"a": 0, "b": 120, "c": -30, "d": 300}
    gaps = {
        Pairing(one, other): Gap(heights[one] - heights[other], 3.0)
        for one in heights
        for other in heights
        if one < other
    }
    found = ladder(list(heights), gaps)

    assert ["d", "b", "a", "c"] == list(found)
    assert heights == pytest.approx({name: gap.elo for name, gap in found.items()})


def test_sure_matches_count_more() -> None:
    """Where matches don't agree, the surer ones count more."""
    found = ladder(
        ["a", "b", "c"],
        {
            Pairing("b", "a"): Gap(100.0, 1.0),
            Pairing("c", "b"): Gap(100.0, 1.0),
            Pairing("c", "a"): Gap(300.0, 100.0),
        },
    )

    assert 200 == pytest.approx(found["c"].elo, abs=1)


def test_the_interval_is_right() -> None:
    """The interval is what the ladder scatters by, when the matches scatter as they say."""
    chance, heights = Random(1), {"a": 0.0, "b": 50.0, "c": 90.0}
    pairings = [Pairing("b", "a"), Pairing("c", "a"), Pairing("c", "b")]
    held = 0
    for _ in range(1_000):
        gaps = {
            pairing: Gap(chance.gauss(heights[pairing.player] - heights[pairing.against], 10), 19.6)
            for pairing in pairings
        }
        gap = ladder(list(heights), gaps)["c"]
        held += abs(gap.elo - heights["c"]) < gap.error

    assert 0.93 < held / 1_000 < 0.97


def test_the_interval_is_right_where_matches_disagree() -> None:
    """Where matches scatter more than they say, the ladder's interval grows by as much."""
    twice = [Pairing("b", "a"), Pairing("c", "b"), Pairing("a", "c")]
    agree = ladder(["a", "b", "c"], {pairing: Gap(0.0, 1.96) for pairing in twice})
    apart = ladder(["a", "b", "c"], {pairing: Gap(10.0, 1.96) for pairing in twice})

    # A circle of three can't be ranked: each match is ten off, ten times what it says.
    assert (300**0.5 * agree["b"].error, 0) == pytest.approx((apart["b"].error, apart["b"].elo))
