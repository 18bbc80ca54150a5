"""Figures as bars, PNG or SVG: the ladder above all.  It takes matplotlib, as nothing else does."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

Json = dict[str, Any]

KINDS = (".png", ".svg")
"""The endings that say what kind of picture is meant."""

INK, LINE = "#1f2328", "#d0d7de"
BAR = "#2a6f97"
STYLE: Any = {
    "svg.fonttype": "none",  # Text stays text: small, and it can be found.
    "svg.hashsalt": "paiute",  # The same figures give the same file.
    "font.family": "sans-serif",
    "font.size": 11,
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


def can_draw() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


class Bar(NamedTuple):
    """A bar, and what is written beside it.

    Args:
        name: what it stands for.
        length: how long it is.
        label: what is written at its end.
        color: of what color it is.
        error: how far the interval reaches to both sides; 0 is none.
    """

    name: str
    length: float
    label: str
    color: str = BAR
    error: float = 0


def draw(found: Json, file: Path) -> None:
    """Draw the ladder of a tournament's figures."""
    bars = [Bar(of["player"], of["elo"], _label(of), error=of["error"]) for of in found["ladder"]]
    draw_bars(bars, file, at=0, axis="Elo, and the 95 % interval", title=_title(found))


def draw_bars(bars: Sequence[Bar], file: Path, *, at: float, axis: str, title: str) -> None:
    """Draw bars, the first one on top, with a line to compare them with.

    Args:
        bars: at least one.
        file: where to; its ending is one of `KINDS`.
        at: where the line is.
        axis: what their lengths are.
        title: what stands above them.
    """
    from matplotlib import rc_context  # noqa: PLC0415 - optional, and slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415

    names, lengths, labels, colors, errors = map(list, zip(*reversed(bars), strict=True))
    with rc_context(STYLE):
        figure = Figure(figsize=(7.5, 1.2 + 0.45 * len(bars)), layout="constrained")
        axes = figure.add_subplot()
        reach = errors if any(errors) else None
        drawn = axes.barh(names, lengths, xerr=reach, color=colors, height=0.65)
        axes.bar_label(drawn, labels, padding=6)
        axes.margins(x=0.15)
        axes.axvline(at, color=INK, linewidth=0.8)
        axes.grid(axis="x", color=LINE)
        axes.set_axisbelow(True)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.set_xlabel(axis)
        axes.set_title(title, loc="left", fontsize=11)
        bare = dict.fromkeys(("Creator", "Date", "Format", "Type")) if file.suffix == ".svg" else {}
        figure.savefig(file, metadata=bare, dpi=150)


def _label(of: Json) -> str:
    return f"{of['elo']:+.0f} ± {of['error']:.0f}" if of["error"] else f"{of['elo']:.0f}"


def _title(found: Json) -> str:
    return (
        f"Paiute bots, {found['players']} at a table, {found['blocks']:,} deals from every seat "
        f"a match, seed {found['seed']}"
    )
