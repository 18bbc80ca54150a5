"""The bench as a picture: what each takes of the CPU, as a multiple of bare Flask."""

from pathlib import Path

from bench.measure import Json
from service.simulate.picture import INK, KINDS, LINE, STYLE, can_draw

__all__ = ["KINDS", "can_draw", "draw", "names"]

OURS, THEIRS = "#2a6f97", "#adb5bd"


def names(found: Json) -> set[str]:
    """What was measured."""
    return {row["name"] for row in found["rows"]}


def draw(found: Json, file: Path) -> None:
    """Draw the CPU of each request at the lowest number of connections, the cheapest on top.

    Bare Flask has to be among what was measured.
    """
    from matplotlib import rc_context  # noqa: PLC0415 - optional, and slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415

    rows = _rows(found)
    with rc_context(STYLE):
        figure = Figure(figsize=(8, 1.2 + 0.4 * len(rows)), layout="constrained")
        axes = figure.add_subplot()
        bars = axes.barh(
            [row["title"] for row in rows],
            [_ratio(row) for row in rows],
            color=[OURS if row["ours"] else THEIRS for row in rows],
            height=0.7,
        )
        axes.bar_label(bars, [f"{_ratio(row):.2f}" for row in rows], padding=6)
        axes.margins(x=0.12)
        axes.axvline(1, color=INK, linewidth=0.8)
        axes.grid(axis="x", color=LINE)
        axes.set_axisbelow(True)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.set_xlabel("CPU of all server processes for a request, as a multiple of bare Flask's")
        title = f"Paiute (blue) and others, {rows[0]['connections']} connections"
        axes.set_title(title, loc="left", fontsize=11)
        bare = dict.fromkeys(("Creator", "Date", "Format", "Type")) if file.suffix == ".svg" else {}
        figure.savefig(file, metadata=bare, dpi=150)


def _rows(found: Json) -> list[Json]:
    fewest = min(row["connections"] for row in found["rows"])
    rows = [row for row in found["rows"] if row["connections"] == fewest]
    return sorted(rows, key=_ratio, reverse=True)


def _ratio(row: Json) -> float:
    ratio: float = row["ratios"]["hello"]["cpu_s_per_1000"]
    return ratio
