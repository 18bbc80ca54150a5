"""The bench of growth measures small worlds too.  How little they grow is not tested."""

import json
from functools import cache
from typing import Any

import pytest
from click.testing import CliRunner

from bench.growth import as_text, main
from tests.bench.running import run


@cache
def measured() -> Any:
    """What `python -m bench.growth` finds for few tables."""
    few = ("--tables", "5,50", "--rounds", "1", "--starts", "1")
    return json.loads(run("bench.growth", *few, "--json"))


@pytest.mark.parametrize("what", ["move", "lobby", "sweep"])
def test_each_is_measured_by_the_number_of_tables(what: str) -> None:
    """Moves, the lobby and the sweep have a figure for each number of tables."""
    by_tables = measured()["cpu_us_by_tables"][what]
    assert ["5", "50"] == list(by_tables)
    assert all(0 < micros for micros in by_tables.values())


def test_moves_are_measured_early_and_late_in_a_deal() -> None:
    """A move has a figure after few actions and after many."""
    assert ["10", "500"] == list(measured()["cpu_us_by_actions"])


def test_only_the_log_of_a_table_grows_with_its_deal() -> None:
    """The state has a bound, and each action leaves a log entry."""
    grown = measured()["bytes_of_a_table"]["an action"]
    assert 100 < grown["log"] < 500
    assert abs(grown["table"]) < 1


def test_a_finished_deal_keeps_its_record_and_its_log() -> None:
    """Both are in the bytes of a finished deal."""
    of = measured()["bytes_of_a_finished_deal"]
    assert 500 < of["deals"]
    assert 500 < of["log"]


def test_the_service_becomes_ready() -> None:
    """The start has been timed."""
    [seconds] = measured()["start_up_seconds"]
    assert 0 < seconds < 60


def test_the_text_says_the_same() -> None:
    """Each figure has its line."""
    text = as_text(measured())
    assert "a pass of the sweep" in text
    assert "a finished deal" in text
    assert "to ready" in text


@pytest.mark.parametrize("sizes", ["10", "ten,1000"])
def test_growth_takes_two_numbers(sizes: str) -> None:
    """Anything else is refused at once."""
    assert 2 == CliRunner().invoke(main, ["--tables", sizes]).exit_code
