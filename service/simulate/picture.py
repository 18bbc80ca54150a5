"""The ladder as a picture, PNG or SVG.  It takes matplotlib, which nothing else needs."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

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


def draw(found: Json, file: Path) -> None:
    """Draw the ladder of a tournament's figures."""
    from matplotlib import rc_context  # noqa: PLC0415 - optional, and slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415

    steps = found["ladder"][::-1]
    with rc_context(STYLE):
        figure = Figure(figsize=(7, 1.2 + 0.55 * len(steps)), layout="constrained")
        axes = figure.add_subplot()
        names, heights = [of["player"] for of in steps], [of["elo"] for of in steps]
        bars = axes.barh(names, heights, xerr=[of["error"] for of in steps], color=BAR, height=0.6)
        axes.bar_label(bars, [_label(of) for of in steps], padding=6)
        axes.margins(x=0.18)
        axes.axvline(0, color=INK, linewidth=0.8)
        axes.grid(axis="x", color=LINE)
        axes.set_axisbelow(True)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.set_xlabel("Elo, and the 95 % interval")
        axes.set_title(_title(found), loc="left", fontsize=11)
        bare = dict.fromkeys(("Creator", "Date", "Format", "Type")) if file.suffix == ".svg" else {}
        figure.savefig(file, metadata=bare, dpi=150)


def _label(of: Json) -> str:
    return f"{of['elo']:+.0f} ± {of['error']:.0f}" if of["error"] else f"{of['elo']:.0f}"


def _title(found: Json) -> str:
    return (
        f"Paiute bots, {found['players']} at a table, {found['blocks']:,} deals from every seat "
        f"a match, seed {found['seed']}"
    )
