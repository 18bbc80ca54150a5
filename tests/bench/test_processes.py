"""The bench of several API processes: it plays real moves, and says what is full."""

import pytest
from click.testing import CliRunner

from bench import processes


def test_moves_are_measured() -> None:
    """A short run finds moves without refusals, the cores that each part took, and a limit."""
    [row] = processes.run((1,), clients=2, seconds=0.3, rounds=1)
    assert 1 == row["processes"]
    assert row["per_second"] > 1
    assert {} == row["refusals"]
    assert {"api", "redis", "load"} <= set(row["cores"])
    assert row["limit"] in processes.as_text([row])


@pytest.mark.parametrize(
    ("limit", "busy", "others"),
    [
        ("the API processes", {"api": 1.9, "redis": 0.1, "load": 0.1}, 0.0),
        ("the one core of Redis", {"api": 1.0, "redis": 0.95, "load": 0.3}, 0.0),
        ("the load itself, which is one process", {"api": 1.0, "load": 0.95}, 0.0),
        ("the cores of this machine", {"api": 0.5, "load": 0.2}, 9.0),
        ("nothing that is full: waiting", {"api": 0.2, "load": 0.1}, 0.0),
    ],
)
def test_what_is_full_is_named(limit: str, busy: dict[str, float], others: float) -> None:
    """On a machine of eight cores: who is busy all the time is the limit, Redis before others."""
    assert limit == processes.limit_of(2, busy, others, cores=8)


@pytest.mark.parametrize("wrong", ["two", "0,1"])
def test_it_takes_numbers(wrong: str) -> None:
    """Anything else is refused at once."""
    assert 2 == CliRunner().invoke(processes.main, ["--processes", wrong]).exit_code
