"""The figures as text, and as the tables of docs/performance.md."""

from collections.abc import Callable, Sequence

from bench.measure import Json

Head = list[str]
Rows = list[list[str]]
Layout = Callable[[Head, Rows], str]

NONE = "-"
FIGURES = ["CPU s/1,000", "per second", "p50 ms", "p99 ms", "bytes", "Redis", "trips", "others"]
REFERENCES = {
    "hello": "bare Flask",
    "flask": "Flask by hand",
    "fastapi": "FastAPI by hand",
    "boardgame_files": "boardgame.io, files",
}


def table(head: Head, rows: Rows) -> str:
    """Aligned columns, the first to the left and the others to the right."""
    widths = [max(len(line[column]) for line in [head, *rows]) for column in range(len(head))]
    return "\n".join(
        line[0].ljust(widths[0])
        + "".join(cell.rjust(width + 2) for cell, width in zip(line[1:], widths[1:], strict=True))
        for line in [head, *rows]
    )


def markdown(head: Head, rows: Rows) -> str:
    """A table in Markdown."""
    rule = "|".join(["---", *["--:"] * (len(head) - 1)])
    return "\n".join([_line(head), f"|{rule}|", *map(_line, rows)])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def as_text(found: Json) -> str:
    """The whole report."""
    return "\n\n".join([_settings(found["settings"]), *_parts(found, table)])


def as_markdown(found: Json) -> str:
    """The tables, and beside them what can't be a table."""
    return "\n\n".join([_settings(found["settings"]), *_parts(found, markdown)])


def _parts(found: Json, layout: Layout) -> list[str]:
    by_name = {
        "long_poll": _long_poll,
        "bots": lambda of: _bots(of, layout),
        "idle": _idle,
    }
    extras = [write(found[name]) for name, write in by_name.items() if name in found]
    skipped = [f"Skipped, {name}: {why}" for name, why in found["skipped"].items()]
    tables = [_requests(found, layout), _ratios(found, layout), _redis(found["redis"])]
    return [part for part in [*tables, *extras, *skipped, *_refusals(found)] if part]


def _settings(of: Json) -> str:
    where = "nothing is pinned"
    if of["servers_on"]:
        where = f"servers on core {of['servers_on'][0]}, load on core {of['load_on'][0]}"
    packages = ", ".join(f"{name} {number}" for name, number in of["packages"].items() if number)
    return (
        f"{of['rounds']} rounds of {of['seconds']:g} s, {of['workers']} API process(es); "
        f"{of['cores']} cores, {where}; load average {of['load_average']:.1f}.\n"
        f"Python {of['python']}, {packages}."
    )


def _requests(found: Json, layout: Layout) -> str:
    rows = [
        [*_name(row), *_figures(row, found["redis"].get(row["name"], {}))] for row in found["rows"]
    ]
    return layout(["", "connections", *FIGURES, "driver"], rows)


def _name(row: Json) -> list[str]:
    return [row["title"], str(row["connections"])]


def _figures(row: Json, redis: Json) -> list[str]:
    return [
        f"{row['cpu_s_per_1000']:.3f}",
        f"{row['per_second']:,.0f}",
        _number(row["p50_ms"], 1),
        _number(row["p99_ms"], 1),
        _number(row["answer_bytes"], 0),
        _number(redis.get("commands"), 1),
        _number(redis.get("round_trips"), 1),
        f"{row['others_percent']:.0f} %",
        f"{row['driver_percent']:.0f} %",
    ]


def _number(value: float | None, digits: int) -> str:
    return NONE if value is None else f"{value:,.{digits}f}"


def _ratios(found: Json, layout: Layout) -> str:
    """CPU by that of the yardsticks, and the slowest answers by those of bare Flask."""
    known = {to for row in found["rows"] for to in row["ratios"]}
    to = [name for name in REFERENCES if name in known]
    if not to:
        return ""
    rows = [
        [
            *_name(row),
            *(_ratio(row, name, "cpu_s_per_1000") for name in to),
            _ratio(row, "hello", "p99_ms"),
        ]
        for row in found["rows"]
    ]
    heads = [f"CPU / {REFERENCES[name]}" for name in to]
    return layout(["", "connections", *heads, "p99 / bare Flask"], rows)


def _ratio(row: Json, to: str, what: str) -> str:
    return _number(row["ratios"].get(to, {}).get(what), 2)


def _redis(counted: Json) -> str:
    return "\n".join(
        f"Redis, {name}: "
        + ", ".join(f"{command} {number:.2f}" for command, number in of["by_command"].items())
        + "."
        for name, of in counted.items()
    )


def _long_poll(of: Json) -> str:
    return (
        f"A long poll is answered {of['p50_ms']:.2f} ms after another's move is sent "
        f"(p99 {of['p99_ms']:.2f}), {of['after_the_movers_answer_p50_ms']:+.2f} ms after the "
        f"mover's own answer."
    )


def _bots(of: Json, layout: Layout) -> str:
    parts = ("worker bots", "worker settlement", "api", "redis")
    rows = [
        [
            name,
            f"{one['turns_per_second']:,.0f}",
            f"{one['cpu_ms_per_turn']:.2f}",
            *(f"{one['cpu_parts_ms_per_turn'].get(part, 0):.2f}" for part in parts),
            f"{one['others_percent']:.0f} %",
        ]
        for name, one in (
            ("a person and a bot, four tables", of["against_people"]),
            ("bots alone, four tables of five", of["alone"]),
        )
    ]
    head = ["", "turns/s", "CPU ms a turn", "bots' worker", "settlement", "API", "Redis", "others"]
    delay = of["against_people"]["from_discard_to_own_turn"]
    waited = (
        f"From a person's discard, by way of the bot's turn, to the person's next turn: "
        f"{_number(delay['p50_ms'], 1)} ms (p99 {_number(delay['p99_ms'], 1)})."
    )
    return f"{layout(head, rows)}\n\n{waited}"


def _idle(parts: Json) -> str:
    each = ", ".join(f"{part} {took:.0f}" for part, took in parts.items())
    return f"Idle, the service takes {sum(parts.values()):.0f} CPU ms a second: {each}."


def _refusals(found: Json) -> list[str]:
    refused = {
        f"{row['name']} {row['connections']}": row["refusals"]
        for row in found["rows"]
        if row["refusals"]
    }
    return [f"Refusals, which there should be none of: {refused}"] if refused else []
