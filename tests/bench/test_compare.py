"""The bench measures all that it compares.  How quick things are is not tested."""

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bench import picture, report
from bench.__main__ import main
from bench.stage import NODE
from bench.subjects import OF_NODE, TITLES
from tests.bench.running import run
from tests.support import npm

SHORT = ("--seconds", "0.5", "--rounds", "1", "--connections", "2", "--no-pin")
HERE = [name for name in TITLES if name not in OF_NODE or npm.installed(NODE)]
"""What Node.js runs is measured where its packages are there already; `make bench` brings them."""


@cache
def measured() -> Any:
    """What `python -m bench` finds in a short time."""
    names = ",".join([*HERE, "idle", "long_poll", "bots"])
    return json.loads(run("bench", "--only", names, *SHORT, "--json"))


def row(name: str) -> Any:
    return next(row for row in measured()["rows"] if row["name"] == name)


@pytest.mark.parametrize("name", HERE)
def test_each_is_measured_without_a_refusal(name: str) -> None:
    """Requests of each kind were answered, all with success, and took some time."""
    found = row(name)
    assert {} == found["refusals"]
    assert 0 < found["count"]
    assert 0 < found["per_second"]
    assert 0 < found["p50_ms"] <= found["p99_ms"]
    assert 100 < found["answer_bytes"]


def test_everything_is_compared_with_the_yardsticks() -> None:
    """Each row has its ratios to bare Flask and to the moves by hand, which are 1 to themselves."""
    for name in HERE:
        assert {"hello", "flask", "fastapi"} <= set(row(name)["ratios"])
    assert 1 == row("flask")["ratios"]["flask"]["per_second"]


def test_the_yardsticks_are_as_large_as_the_real_thing() -> None:
    """The moves by hand answer with views about as large as those of the service."""
    ours = row("move")["answer_bytes"]
    for name in ("flask", "fastapi"):
        assert ours == pytest.approx(row(name)["answer_bytes"], rel=0.25)


def test_a_move_takes_two_round_trips() -> None:
    """One to read and one to write, by hand as in the service."""
    redis = measured()["redis"]
    for name in ("move", "flask", "fastapi"):
        assert 2 == pytest.approx(redis[name]["round_trips"], abs=0.5)
    assert 1 == pytest.approx(redis["flask"]["by_command"]["evalsha"])


def test_the_cpu_is_broken_down_by_part() -> None:
    """What the service takes at rest is told for each kind of process."""
    assert {"api", "redis", "sweep", "launcher", "worker bots"} <= set(measured()["idle"])


def test_bots_play_through_rq() -> None:
    """Bots have had turns, against people and among themselves."""
    assert 0 < measured()["bots"]["against_people"]["turns"]
    assert 0 < measured()["bots"]["alone"]["turns"]


def test_a_long_poll_wakes_up() -> None:
    """A long poll is answered once somebody has moved, long before it ends by itself."""
    assert 0 < measured()["long_poll"]["p50_ms"] < 10_000


def test_the_text_says_the_same() -> None:
    """Tables for people have a line for each, and so have those for the page."""
    for text in (report.as_text(measured()), report.as_markdown(measured())):
        assert [] == [name for name in HERE if TITLES[name] not in text]
        assert "CPU / Flask by hand" in text


def test_a_run_can_be_shown_again(tmp_path: Path) -> None:
    """The JSON of a run gives its tables and its picture, without measuring again."""
    kept, drawn = tmp_path / "run.json", tmp_path / "bench.svg"
    kept.write_text(json.dumps(measured()))
    shown = CliRunner().invoke(main, ["--from", str(kept), "--markdown", "--plot", str(drawn)])

    assert f"{report.as_markdown(measured())}\n" == shown.output
    assert TITLES["flask"] in drawn.read_text()


def test_a_run_that_was_too_short_is_drawn(tmp_path: Path) -> None:
    """Where bare Flask took no tick of the CPU's clock, the picture says so at each bar."""
    found = json.loads(json.dumps(measured()))
    for one in found["rows"]:
        one["ratios"]["hello"]["cpu_s_per_1000"] = math.nan
    picture.draw(found, tmp_path / "bench.svg")

    text = (tmp_path / "bench.svg").read_text()
    assert TITLES["flask"] in text
    assert len(HERE) == text.count("too short to tell")


def test_what_can_not_be_had_is_skipped_with_a_word() -> None:
    """A report says what is missing, and why."""
    found = measured() | {"skipped": {"colyseus": "Node.js or its packages can't be had."}}
    assert "Skipped, colyseus: Node.js" in report.as_text(found)


@pytest.mark.parametrize(
    "wrong",
    [
        ("--only", "nothing"),
        ("--connections", "0"),
        ("--plot", "bench.gif"),
        ("--plot", "bench.svg", "--only", "move"),
    ],
)
def test_what_is_wrong_is_told_before_anything_starts(wrong: tuple[str, ...]) -> None:
    """An option that makes no sense is refused at once."""
    assert 2 == CliRunner().invoke(main, wrong).exit_code


def test_help_teaches() -> None:
    """The help says how to read the figures, and has examples."""
    text = CliRunner().invoke(main, ["--help"]).output
    assert "How to read it" in text
    assert "Examples" in text
