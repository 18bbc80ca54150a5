"""The bench as a picture: what each takes of the CPU, as a multiple of bare Flask."""

import math
from pathlib import Path

from bench.measure import Json
from service.simulate.picture import BAR, KINDS, Bar, can_draw, draw_bars

__all__ = ["KINDS", "can_draw", "draw", "names"]

THEIRS = "#adb5bd"


def names(found: Json) -> set[str]:
    """What was measured."""
    return {row["name"] for row in found["rows"]}


def draw(found: Json, file: Path) -> None:
    """Draw the CPU of each request at the lowest number of connections, the cheapest on top.

    Bare Flask has to be among what was measured.
    """
    rows = _rows(found)
    bars = [_bar(row) for row in rows]
    axis = "CPU of all server processes for a request, as a multiple of bare Flask's"
    title = f"Paiute (blue) and others, {rows[0]['connections']} connections"
    draw_bars(bars, file, at=1, axis=axis, title=title)


def _bar(row: Json) -> Bar:
    """A row's bar; a run may be so short that bare Flask took no tick of the clock."""
    ratio, color = _ratio(row), BAR if row["ours"] else THEIRS
    if math.isinf(ratio):
        return Bar(row["title"], 0, "too short to tell", color)
    return Bar(row["title"], ratio, f"{ratio:.2f}", color)


def _rows(found: Json) -> list[Json]:
    fewest = min(row["connections"] for row in found["rows"])
    rows = [row for row in found["rows"] if row["connections"] == fewest]
    return sorted(rows, key=_ratio)


def _ratio(row: Json) -> float:
    ratio: float = row["ratios"]["hello"]["cpu_s_per_1000"]
    return math.inf if math.isnan(ratio) else ratio
