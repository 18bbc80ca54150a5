"""The load driver runs and says something sensible.  How quick things are is not tested."""

import json
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

from bench.report import as_text

SHORT = ("--seconds", "0.3", "--rounds", "1", "--clients", "2")


def run(*options: str) -> str:
    """What `python -m bench.load` prints."""
    return subprocess.run(
        [sys.executable, "-m", "bench.load", *options],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    ).stdout


@cache
def under_load() -> Any:
    return json.loads(run(*SHORT, "--json"))


@cache
def in_process() -> Any:
    return json.loads(run("--in-process", "--seconds", "0.1", "--rounds", "1", "--json"))


@pytest.mark.parametrize("kind", ["move", "hello", "view", "not_modified"])
def test_each_kind_of_request_is_measured_without_a_refusal(kind: str) -> None:
    found = under_load()[kind]
    assert found["count"] > 0
    assert found["refusals"] == {}
    assert found["per_second"] > 0
    assert 0 < found["p50_ms"] <= found["p99_ms"]


def test_the_cpu_is_broken_down_by_part() -> None:
    parts = under_load()["idle_cpu_ms_per_s"]
    assert {"api", "redis", "sweep", "launcher", "worker bots"} <= set(parts)


def test_a_move_takes_two_round_trips() -> None:
    redis = under_load()["redis"]
    assert redis["round_trips_per_move"] == pytest.approx(2, abs=0.1)
    assert redis["commands"]["evalsha"] == pytest.approx(2, abs=0.1), "its budget, and its commit"


def test_bots_play_through_rq() -> None:
    assert under_load()["bot_answers"]["turns"] > 0
    assert under_load()["bots_alone"]["turns"] > 0


def test_a_long_poll_wakes_up() -> None:
    assert 0 < under_load()["long_poll"]["p50_ms"] < 20_000


def test_the_text_says_the_same() -> None:
    text = as_text(under_load())
    assert "bare Flask" in text
    assert "round trips" in text


def test_in_process_everything_is_compared_with_hello() -> None:
    found = in_process()
    assert found["ratio_to_hello"]["hello"] == 1
    assert set(found["cpu_us"]) == {
        "hello",
        "move",
        "view",
        "not_modified",
        "move_while_subscribed",
    }


def test_the_profile_covers_the_whole_of_a_move() -> None:
    assert sum(in_process()["percent_by_layer"].values()) == pytest.approx(100)


def test_help_teaches() -> None:
    text = run("--help")
    assert "How to read them" in text
    assert "Examples" in text
