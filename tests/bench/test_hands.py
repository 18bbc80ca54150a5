"""The bench of hands runs and says something sensible.  How quick things are is not tested."""

import json
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from typing import Any

import pytest

from bench.hands import as_text

OTHERS = ("eval7", "phevaluator", "pokerkit", "treys")


@cache
def measured() -> Any:
    """What `python -m bench.hands --json` finds in the shortest time."""
    command = [sys.executable, "-m", "bench.hands", "--json", "--seconds", "0.001"]
    done = subprocess.run(command, check=True, capture_output=True, timeout=120)
    return json.loads(done.stdout)


@pytest.mark.parametrize("size", ["5", "6"])
def test_each_judge_of_ours_has_a_rate(size: str) -> None:
    """Hands of each number of wild cards are judged one by one and many at once."""
    found = measured()["hands_per_cpu_second"][size]
    assert ["as dealt", "0 wild", "1 wild", "2 wild", "3 wild"] == list(found)
    assert all({"strengths", "strength", "best"} <= set(rates) for rates in found.values())
    assert all(0 < rate for rates in found.values() for rate in rates.values())


@pytest.mark.parametrize("size", ["5", "6"])
@pytest.mark.parametrize("name", OTHERS)
def test_other_evaluators_have_a_rate_where_they_are_installed(name: str, size: str) -> None:
    """An evaluator that others wrote is measured, or said to be missing."""
    rate = measured()["others_without_wild_cards"][size][name]
    assert (find_spec(name) is None) == (rate is None)
    assert rate is None or 0 < rate


def test_the_text_says_the_same() -> None:
    """The tables have a line for each, and say which evaluators know no wild cards."""
    text = as_text(measured())
    assert "none wild" in text
    assert f"{measured()['hands_per_cpu_second']['6']['as dealt']['strengths']:,}" in text
    assert all(f"\n{name} " in text for name in OTHERS)


def test_what_is_missing_can_be_installed() -> None:
    """Where an evaluator is not installed the text says how it would be."""
    found = {**measured(), "others_without_wild_cards": {"6": dict.fromkeys(OTHERS)}}
    assert "pip install -e '.[bench]'" in as_text(found)
