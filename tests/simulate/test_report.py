"""The figures as text."""

import re
from typing import Any

from service.simulate.match import Plan
from service.simulate.report import as_text, table
from service.simulate.tournament import tournament


def report(*names: str, **options: Any) -> str:
    """The report of a short tournament."""
    return as_text(tournament(Plan(names, deals=10, **options), 1, lambda _: None))


def test_columns_are_aligned() -> None:
    """Names stand to the left and figures to the right, one below the other."""
    rows = [["a", "9"], ["bcdefg", "100"]]

    assert ["level   wins", "a          9", "bcdefg   100"] == table(["level", "wins"], rows).split(
        "\n"
    )


def test_a_tournament() -> None:
    """The report has a row for each match, and says that no move was illegal."""
    text = report("random", "easy", "medium")

    assert re.search(r"^medium +easy +\d+\.\d% ± \d+\.\d% +[+-]\d+ ± \d+ +20$", text, re.MULTILINE)
    assert re.search(r"^Ladder +Elo$", text, re.MULTILINE)
    assert re.search(r"^No illegal move in [\d,]+ decisions\.$", text, re.MULTILINE)
    assert "dealer's left  dealer" in text


def test_every_seat_has_a_column() -> None:
    """With five at a table the seats between are numbered."""
    assert "dealer's left      2      3      4  dealer" in report("easy", "medium", players=5)


def test_one_alone() -> None:
    """One alone has no score and no ladder, and a row in all other tables."""
    text = report("easy")

    assert "wins (" not in text
    assert "Ladder" not in text
    assert 3 == len(re.findall(r"^easy +easy ", text, re.MULTILINE))


def test_the_interval_is_told_before_clipping() -> None:
    """At the end of the scale half of the interval is told whole, not what is left of it."""
    found = tournament(Plan(("easy", "medium"), deals=2), 1, lambda _: None)
    found["matches"][0] |= {"share": 0.95, "error": 0.2, "low": 0.75, "high": 1.0}

    assert "95.0% ± 20.0%" in as_text(found)


def test_faults_are_named() -> None:
    """What a bot did that it may not is said in so many words."""
    found = tournament(Plan(("easy", "medium"), deals=2), 1, lambda _: None)
    found["illegal_moves"]["easy"] = 1_234

    assert "easy: 1,234 illegal moves, played by the fallback" in as_text(found)
