"""The figures as text for a terminal."""

from collections.abc import Sequence
from typing import Any

Json = dict[str, Any]


def table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Aligned columns: the first `left` of them to the left, the others to the right."""
    lines = [head, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join("  ".join(_cells(line, widths, left)).rstrip() for line in lines)


def _cells(line: Sequence[str], widths: Sequence[int], left: int) -> list[str]:
    return [
        cell.ljust(width) if column < left else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(line, widths, strict=True))
    ]


def as_text(found: Json) -> str:
    """The whole report."""
    blocks = [
        _settings(found),
        _matches(found),
        _ladder(found),
        _play(found),
        _seats(found),
        _combinations(found),
        _decisions(found),
        _faults(found),
        _speed(found),
    ]
    return "\n\n".join(block for block in blocks if block)


def _settings(found: Json) -> str:
    rules = ", ".join(f"{name}={value}".lower() for name, value in found["rules"].items())
    return (
        f"{found['players']} players at a table, {found['blocks']:,} deals, each from every seat; "
        f"seed {found['seed']}\nHouse rules: {rules}"
    )


def _matches(found: Json) -> str:
    rows = [
        [
            *_names(of),
            f"{_percent(of['share'])} ± {_percent(of['error'])}",
            f"{of['elo']:+.0f} ± {of['elo_error']:.0f}",
            f"{of['deals']:,}",
        ]
        for of in found["matches"]
        if "share" in of
    ]
    fair = _percent(1 / found["players"], 0)
    return (
        table(["Player", "against", f"wins (fair: {fair})", "Elo", "deals"], rows, 2)
        if rows
        else ""
    )


def _ladder(found: Json) -> str:
    rows = [
        [of["player"], f"{of['elo']:+.0f}", f"± {of['error']:.0f}" if of["error"] else ""]
        for of in found["ladder"]
    ]
    return table(["Ladder", "Elo", ""], rows) if len(rows) > 2 else ""


def _play(found: Json) -> str:
    head = ["", "", "turns to the call", "caller wins", "stock ran out", "void"]
    rows = [
        [
            *_names(of),
            "-" if of["turns_to_call"] is None else f"{of['turns_to_call']:.2f}",
            _percent(of["caller_share"]),
            _percent(of["renewed"] / of["deals"], 2),
            _percent(of["void"] / of["deals"], 2),
        ]
        for of in found["matches"]
    ]
    return table(head, rows, 2)


def _seats(found: Json) -> str:
    middle = [str(place) for place in range(2, found["players"])]
    head = ["Share by seat", "", "dealer's left", *middle, "dealer"]
    rows = [[*_names(of), *map(_percent, of["share_by_seat"])] for of in found["matches"]]
    return table(head, rows, 2)


def _combinations(found: Json) -> str:
    kinds = list(found["matches"][0]["combinations"])
    rows = [[*_names(of), *map(_percent, of["combinations"].values())] for of in found["matches"]]
    return table(["Called", "", *(kind.replace("_", " ") for kind in kinds)], rows, 2)


def _decisions(found: Json) -> str:
    rows = [
        [
            of["player"],
            of["move"],
            f"{of['count']:,}",
            f"{of['p50_us']:,.1f}",
            f"{of['p99_us']:,.1f}",
            {"cpu": "of CPU", "wall": "until the answer"}[of["clock"]],
        ]
        for of in found["decisions"]
        if of["count"]
    ]
    return table(["Decisions", "", "number", "p50, µs", "p99, µs", ""], rows, 2)


def _faults(found: Json) -> str:
    decided = sum(of["count"] for of in found["decisions"])
    lines = [
        f"{name}: {number:,} {what}"
        for key, what in {
            "illegal_moves": "illegal moves, played by the fallback",
            "late_answers": "late answers, played by the fallback",
        }.items()
        for name, number in found[key].items()
        if number
    ]
    return "\n".join(lines) or f"No illegal move in {decided:,} decisions."


def _speed(found: Json) -> str:
    cpu = found["cpu"]
    deals = sum(of["deals"] for of in found["matches"])
    return (
        f"{deals:,} deals in {cpu['seconds']:,.1f} s of CPU, "
        f"{cpu['deals_per_second']:,.0f} deals a CPU second."
    )


def _names(of: Json) -> list[str]:
    return [of["player"], of["against"]]


def _percent(part: float | None, digits: int = 1) -> str:
    return "-" if part is None else f"{part:.{digits}%}"
