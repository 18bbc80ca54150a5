"""`python -m bench.processes`: how moves grow with API processes, and what limits them."""

import json
import os
import tempfile
from collections import defaultdict
from pathlib import Path

import click

from bench import players, servers
from bench.driver import Crowd
from bench.measure import Figures, Json, figures, measure, median
from bench.options import numbers
from bench.players import people
from bench.subjects import MOVES

FULL = 0.85
"""Who is busy for so much of a time has little left: the rest is waiting and changing hands."""

WARM_UP_SECONDS = 1


def run(processes: tuple[int, ...], clients: int, seconds: float, rounds: int) -> list[Json]:
    """Medians of rounds in which each number of API processes is measured in turn."""
    found: dict[int, list[Figures]] = defaultdict(list)
    turns = [number for _ in range(rounds) for number in processes]
    with click.progressbar(turns, label="Playing", item_show_func=_name) as bar:
        for number in bar:
            found[number].append(_moves(number, clients, seconds))
    return [_row(number, taken) for number, taken in found.items()]


def _name(number: int | None) -> str:
    return "" if number is None else f"on {number} API processes"


def _moves(processes: int, clients: int, seconds: float) -> Figures:
    """Moves at a table for each client, on a service of its own that has the machine to itself."""
    with (
        tempfile.TemporaryDirectory(prefix="paiute-bench-") as data,
        servers.service(Path(data), processes) as server,
        players.host(server.address) as host,
        Crowd(server.address, [people(host.table_of_two()) for _ in range(clients)]) as crowd,
    ):
        crowd.run(WARM_UP_SECONDS)
        return figures(measure(server, crowd, seconds), MOVES)


def _row(processes: int, taken: list[Figures]) -> Json:
    row = median(taken)
    busy = {part: row["per_second"] / 1000 * cpu for part, cpu in row["cpu_parts"].items()}
    busy["load"] = row["driver_percent"] / 100
    cores = os.cpu_count() or 1
    others = row["others_percent"] / 100 * cores
    return row | {
        "processes": processes,
        "cores": busy,
        "limit": limit_of(processes, busy, others, cores),
    }


def limit_of(processes: int, busy: dict[str, float], others: float, cores: int) -> str:
    """What is full, by how many of the cores each part took, and what is not measured."""
    if busy.get("redis", 0) >= FULL:
        return "the one core of Redis"
    if busy["load"] >= FULL:
        return "the load itself, which is one process"
    if sum(busy.values()) + others >= FULL * cores:
        return "the cores of this machine"
    if busy.get("api", 0) >= FULL * processes:
        return "the API processes"
    return "nothing that is full: waiting"


def as_text(rows: list[Json]) -> str:
    """A table for people."""
    head = "processes   moves/s     CPU s/1000   p50 ms   p99 ms   cores: API  Redis  load  limit\n"
    return head + "\n".join(
        f"{row['processes']:9}{row['per_second']:10,.0f}{row['cpu_s_per_1000']:15.2f}"
        f"{row['p50_ms']:9.1f}{row['p99_ms']:9.1f}{row['cores'].get('api', 0):13.2f}"
        f"{row['cores'].get('redis', 0):7.2f}{row['cores']['load']:6.2f}  {row['limit']}"
        for row in rows
    )


def _processes(_: click.Context, __: click.Parameter, text: str) -> tuple[int, ...]:
    return numbers(text, 64)


@click.command(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.option("--processes", callback=_processes, default="1,2,4", help="How many serve the API.")
@click.option(
    "--clients", type=click.IntRange(1), default=32, help="How many tables are played at once."
)
@click.option(
    "--seconds", type=click.FloatRange(0.1), default=5.0, help="How long each is measured."
)
@click.option(
    "--rounds", type=click.IntRange(1), default=3, help="How often; the figures are medians."
)
@click.option("--json", "for_programs", is_flag=True, help="Print JSON.")
def main(
    processes: tuple[int, ...], clients: int, seconds: float, rounds: int, for_programs: bool
) -> None:
    """Measure moves per second with more and more API processes, on all cores of this machine.

    The load runs here too, and takes a part of the cores; `limit` says what is full first.
    """
    rows = run(processes, clients, seconds, rounds)
    click.echo(json.dumps(rows, indent=2) if for_programs else as_text(rows))


if __name__ == "__main__":
    main()
