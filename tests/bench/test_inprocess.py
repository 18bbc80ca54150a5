"""The bench in one process measures and profiles a move.  How quick it is is not tested."""

import json
from functools import cache
from typing import Any

import pytest

from bench.inprocess import NAMES, as_text
from tests.bench.running import run


@cache
def measured() -> Any:
    """What `python -m bench.inprocess` finds in a short time."""
    return json.loads(run("bench.inprocess", "--seconds", "0.1", "--rounds", "1", "--json"))


def test_everything_is_compared_with_hello_and_with_the_move_by_hand() -> None:
    """Each kind of request has its CPU and its ratios, which are 1 to themselves."""
    assert set(NAMES) == set(measured()["cpu_us"])
    assert 1 == measured()["ratio_to_hello"]["hello"]
    assert 1 == measured()["ratio_to_byhand"]["byhand"]
    assert 0 < measured()["ratio_to_byhand"]["move"]


def test_the_profile_covers_the_whole_of_a_move() -> None:
    """The shares of the layers add up."""
    assert 100 == pytest.approx(sum(measured()["percent_by_layer"].values()))


def test_the_text_says_the_same() -> None:
    """Each kind of request has its line."""
    assert [] == [name for name in NAMES.values() if name not in as_text(measured())]
