"""The figures as text."""

from bench.measure import Json

ROWS = {"move": "a move", "view": "a view (GET)", "not_modified": "a 304", "hello": "bare Flask"}


def table(head: list[str], rows: list[list[str]]) -> str:
    """Aligned columns, the first to the left and the others to the right."""
    widths = [max(len(line[column]) for line in [head, *rows]) for column in range(len(head))]
    return "\n".join(
        line[0].ljust(widths[0])
        + "".join(cell.rjust(width + 2) for cell, width in zip(line[1:], widths[1:], strict=True))
        for line in [head, *rows]
    )


def as_text(found: Json) -> str:
    """The whole report."""
    blocks = [
        _settings(found["settings"]),
        _requests(found),
        _ratios(found["ratio_to_hello"]),
        _redis(found["redis"]),
        _long_poll(found["long_poll"]),
        _bots(found["bot_answers"], found["bots_alone"]),
        _idle(found["idle_cpu_ms_per_s"]),
    ]
    refusals = {kind: found[kind]["refusals"] for kind in ROWS if found[kind]["refusals"]}
    if refusals:
        blocks.append(f"Refusals, which there should be none of: {refusals}")
    return "\n\n".join(blocks)


def _settings(of: Json) -> str:
    where = "nothing is pinned"
    if of["servers_on"]:
        where = f"servers on core {of['servers_on'][0]}, load on core {of['load_on'][0]}"
    packages = ", ".join(f"{name} {number}" for name, number in of["packages"].items())
    return (
        f"{of['clients']} clients, {of['rounds']} rounds of {of['seconds']:g} s, {of['workers']} "
        f"API process(es); {of['cores']} cores, {where}; load average {of['load_average']:.1f}.\n"
        f"Python {of['python']}, {packages}."
    )


def _requests(found: Json) -> str:
    head = ["", "per second", "CPU s/1,000", "API", "Redis", "rest", "p50 ms", "p99 ms", "bytes"]
    rows = []
    for kind, name in ROWS.items():
        of = found[kind]
        parts = dict(of["cpu_parts"])
        api, redis = parts.pop("api", 0.0), parts.pop("redis", 0.0)
        figures = [of["cpu_s_per_1000"], api, redis, sum(parts.values())]
        cells = [f"{of['per_second']:,.0f}", *(f"{value:.3f}" for value in figures)]
        cells += [f"{of['p50_ms']:.2f}", f"{of['p99_ms']:.2f}", f"{of['answer_bytes']:,.0f}"]
        cells += [f"{of['others_percent']:.0f} %", f"{of['driver_percent']:.0f} %"]
        rows.append([name, *cells])
    return table([*head, "others", "driver"], rows)


def _ratios(ratios: Json) -> str:
    head = ["ratio to bare Flask", "CPU", "per second", "p50", "p99"]
    rows = [
        [ROWS[kind], *(f"{of[name]:.2f}" for name in ("cpu", "per_second", "p50", "p99"))]
        for kind, of in ratios.items()
    ]
    return table(head, rows)


def _redis(of: Json) -> str:
    commands = ", ".join(f"{name} {number:.2f}" for name, number in of["commands"].items())
    return (
        f"Redis, a move: {of['round_trips_per_move']:.2f} round trips, "
        f"{of['commands_per_move']:.1f} commands (those in scripts included): {commands}.\n"
        f"The state of a table of two: {of['state_bytes']:,} bytes."
    )


def _long_poll(of: Json) -> str:
    return (
        f"A long poll is answered {of['p50_ms']:.2f} ms after another's move is sent "
        f"(p99 {of['p99_ms']:.2f}), {of['after_the_movers_answer_p50_ms']:+.2f} ms after the "
        f"mover's own answer."
    )


def _bots(answers: Json, alone: Json) -> str:
    lines = []
    for name, of in {"bots against people": answers, "bots alone": alone}.items():
        parts = ", ".join(
            f"{part} {took:.2f}" for part, took in of["cpu_parts_ms_per_turn"].items() if took > 0
        )
        lines.append(
            f"{name}: {of['turns_per_second']:,.0f} turns/s, {of['cpu_ms_per_turn']:.2f} CPU ms a "
            f"turn ({parts}), others {of['others_percent']:.0f} %."
        )
    delay = answers["from_discard_to_own_turn"]
    if delay["p50_ms"] is not None:
        lines.append(
            f"From a person's discard, the bot's turn through RQ, to the person's next turn: "
            f"{delay['p50_ms']:.1f} ms (p99 {delay['p99_ms']:.1f})."
        )
    return "\n".join(lines)


def _idle(parts: Json) -> str:
    each = ", ".join(f"{part} {took:.0f}" for part, took in parts.items())
    return f"Idle, the service takes {sum(parts.values()):.0f} CPU ms a second: {each}."
