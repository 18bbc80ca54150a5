"""The figures of a tournament."""

import re
from functools import cache
from typing import Any

import pytest

from service.simulate.match import Plan
from service.simulate.tournament import tournament
from tests.docs.pages import DOCS

Json = dict[str, Any]

OPEN = re.compile(r"(combinations|last_turns|illegal_moves|late_answers)\.\w+")
"""Objects whose fields are no fixed ones."""


@cache
def found(*names: str, players: int = 2, deals: int = 40) -> Json:
    """The figures of a tournament."""
    return tournament(Plan(names, players, deals), 1, lambda _: None)


def fields(value: Any, path: str = "") -> set[str]:
    """The names of all fields, with those that they are in."""
    if isinstance(value, list):
        return set().union(*(fields(each, f"{path}[]") for each in value))
    if not isinstance(value, dict):
        return {path}
    return set().union(*(fields(each, f"{path}.{name}") for name, each in value.items()))


def test_shares_and_intervals() -> None:
    """A match gives the share of pots, its 95 % interval, and the Elo that it stands for."""
    (match,) = found("random", "medium")["matches"]

    assert ("medium", "random", 80) == (match["player"], match["against"], match["deals"])
    assert 0.5 < match["low"] < match["share"] < match["high"] <= 1
    assert 100 < match["elo"] < 600
    assert 0 < match["elo_error"]


@pytest.mark.parametrize("players", [2, 4])
def test_shares_by_seat_add_up(players: int) -> None:
    """What the seats won is all there was, and what was called is all that was called."""
    for match in found("easy", "medium", players=players, deals=12)["matches"]:
        assert players == len(match["share_by_seat"])
        assert 1 == pytest.approx(sum(match["share_by_seat"]), abs=1e-4)
        assert 1 == pytest.approx(sum(match["combinations"].values()), abs=1e-4)
        assert match["deals"] == match["called"] + match["void"] == 12 * players


def test_a_fair_share_is_no_elo() -> None:
    """At a table of four a quarter of the pots is fair."""
    for match in found("easy", "medium", players=4, deals=12)["matches"]:
        assert (match["share"] > 1 / 4) == (match["elo"] > 0)


def test_one_alone() -> None:
    """One name alone has no score and no ladder, and all other figures."""
    figures = found("medium", players=3, deals=20)
    (match,) = figures["matches"]

    assert [] == figures["ladder"]
    assert "share" not in match
    assert 20 == match["deals"]
    assert 1 < match["turns_to_call"] < 30


def test_decisions() -> None:
    """Each player's decisions are counted by kind, with the times that 50 and 99 % took."""
    decisions = found("random", "medium")["decisions"]

    assert [(name, verb) for name in ("random", "medium") for verb in ("draw", "discard")] == [
        (each["player"], each["move"]) for each in decisions
    ]
    for each in decisions:
        assert 100 < each["count"]
        assert 0 < each["p50_us"] <= each["p99_us"]
        assert "cpu" == each["clock"]


def test_no_illegal_moves() -> None:
    """The house's bots make no illegal move."""
    assert {"random": 0, "medium": 0} == found("random", "medium")["illegal_moves"]


def test_the_page_names_every_figure() -> None:
    """docs/bots.md describes each field, and no other ones."""
    page = (DOCS / "bots.md").read_text(encoding="utf-8")
    rows = page.partition("\n| figure |")[2].partition("\n\n")[0].splitlines()
    described = {name for row in rows for name in re.findall("`([^`]+)`", row.split("|")[1])}
    named = {OPEN.sub(r"\1", path).lstrip(".") for path in fields(found("random", "medium"))}

    assert named == described
