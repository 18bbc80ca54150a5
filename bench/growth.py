"""`make bench-growth`: what requests take as tables and deals grow, and how many bytes."""

import json
import os
import statistics
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import TextIO

import click

from bench import footprint, servers
from bench.footprint import LONG, SHORT
from bench.measure import Json
from bench.options import numbers
from bench.report import Layout, markdown, table
from bench.worlds import MOVES_AT_A_TABLE, World

NAMES = {"move": "a move", "lobby": "the lobby's first page", "sweep": "a pass of the sweep"}
MANY = 10_000_000
"""More tables fit into no machine."""

PASSES = 10
"""How many passes of the sweep, and looks at the lobby, count as one measurement."""


def measure(sizes: Sequence[int], rounds: int, starts: int, tick: Callable[[], None]) -> Json:
    """Everything: by the number of tables, by the length of a deal, bytes, and the start."""
    seconds, of_deal = footprint.starts(starts)
    with ExitStack() as stack:
        stack.enter_context(servers.pinned({min(os.sched_getaffinity(0))}))
        worlds = {size: World(stack, size, tick) for size in sizes}
        for world in worlds.values():
            world.wait_until_quiet()
        few = worlds[min(sizes)]
        works: dict[str, Callable[[], float]] = {}
        for size, world in worlds.items():
            works |= _works(world, size)
        for actions in (SHORT, LONG):
            works[f"action {actions}"] = lambda n=actions: few.moves(PASSES, n)  # type: ignore[misc]
        taken = _rounds(works, rounds, tick)
        median = {name: statistics.median(numbers) for name, numbers in taken.items()}
        return {
            "cpu_us_by_tables": {
                what: {str(size): median[f"{what} {size}"] for size in sizes}
                for what in ("move", "lobby", "sweep")
            },
            "cpu_us_by_actions": {str(n): median[f"action {n}"] for n in (SHORT, LONG)},
            "rounds": taken,
            "bytes_of_a_table": footprint.of_tables(few),
            "bytes_by_tables": {str(size): one.bytes_per_table for size, one in worlds.items()},
            "bytes_of_a_finished_deal": of_deal,
            "start_up_seconds": seconds,
            "load_average": os.getloadavg()[0],
        }


def _works(world: World, size: int) -> dict[str, Callable[[], float]]:
    return {
        f"move {size}": lambda: world.moves(PASSES),
        f"lobby {size}": lambda: world.lobby(PASSES * MOVES_AT_A_TABLE),
        f"sweep {size}": lambda: world.sweep(PASSES),
    }


def _rounds(
    works: dict[str, Callable[[], float]], rounds: int, tick: Callable[[], None]
) -> dict[str, list[float]]:
    """All by turns, so that whatever else goes on meets them alike; the first round warms up."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for number in range(rounds + 1):
        for name, work in works.items():
            micros = work()
            if number:
                taken[name].append(micros)
            tick()
    return taken


def as_text(found: Json, layout: Layout = table) -> str:
    """The figures as tables."""
    by_tables = found["cpu_us_by_tables"]
    sizes = list(by_tables["move"])
    rows = [
        [name, *(f"{by_tables[what][size]:,.0f}" for size in sizes), _growth(by_tables[what])]
        for what, name in NAMES.items()
    ]
    by_actions = found["cpu_us_by_actions"]
    lengths = list(by_actions)
    begun = sorted(found["start_up_seconds"])
    blocks = [
        layout(["CPU us", *(f"{int(size):,} tables" for size in sizes), "last / first"], rows),
        layout(
            ["CPU us", *(f"after {length} actions" for length in lengths), "last / first"],
            [["a move", *(f"{by_actions[n]:,.0f}" for n in lengths), _growth(by_actions)]],
        ),
        _bytes(found, layout),
        f"From `paiute serve` to ready: {statistics.median(begun):.2f} s "
        f"({begun[0]:.2f} to {begun[-1]:.2f} in {len(begun)} starts).",
        f"Load average {found['load_average']:.1f}.",
    ]
    return "\n\n".join(blocks)


def _growth(by_size: dict[str, float]) -> str:
    first, *_, last = by_size.values()
    return f"{last / first:.2f}"


def _bytes(found: Json, layout: Layout) -> str:
    *_, (many, of_many) = found["bytes_by_tables"].items()
    rows = [
        *([f"a table, {name}", *_by_key(of)] for name, of in found["bytes_of_a_table"].items()),
        ["a finished deal", *_by_key(found["bytes_of_a_finished_deal"])],
        [f"a table among {int(many):,} that have begun, indexes and all", f"{of_many:,.0f}", ""],
    ]
    return layout(["bytes in Redis", "", "of it"], rows)


def _by_key(of: Json) -> list[str]:
    parts = ", ".join(f"{name} {size:,.0f}" for name, size in of.items() if size)
    return [f"{sum(of.values()):,.0f}", parts]


def _sizes(_: click.Context, __: click.Parameter, text: str) -> list[int]:
    sizes = sorted(numbers(text, MANY))
    if len(sizes) < 2:
        raise click.BadParameter("two numbers or more")
    return sizes


@click.command(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.option("--tables", "sizes", callback=_sizes, default="10,1000,100000", help="How many.")
@click.option("--rounds", type=click.IntRange(1), default=5, help="How often each is measured.")
@click.option("--starts", type=click.IntRange(1), default=5, help="How often it is started.")
@click.option("--from", "file", type=click.File(), help="Read a run's --json instead of measuring.")
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON, each round included.")
@click.option("--markdown", "as_markdown", is_flag=True, help="The tables of docs/performance.md.")
def main(
    *,
    sizes: list[int],
    rounds: int,
    starts: int,
    file: TextIO | None,
    as_json: bool,
    as_markdown: bool,
) -> None:
    """Measure what requests take as tables and deals grow, and how many bytes they keep.

    Each number of tables has a Redis of its own, filled through the store. A move, the first page
    of the lobby and a pass of the sweep that finds nothing due are measured there by turns, as CPU
    microseconds of the API's process (without sockets) and of Redis together, on one core.

    \b
    Examples
      python -m bench.growth                                       three minutes
      python -m bench.growth --tables 10,1000 --rounds 1 --starts 1   a glance
      python -m bench.growth --json > growth.json                  to keep, and then
      python -m bench.growth --from growth.json --markdown
    """  # noqa: D301 - click reads \b as its mark for lines to keep
    found = json.load(file) if file else _measure(sizes, rounds, starts)
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        click.echo(as_text(found, markdown if as_markdown else table))


def _measure(sizes: Sequence[int], rounds: int, starts: int) -> Json:
    length = sum(sizes) + (rounds + 1) * (3 * len(sizes) + 2)
    with click.progressbar(length=length, label="measuring", file=sys.stderr) as bar:
        return measure(sizes, rounds, starts, lambda: bar.update(1))


if __name__ == "__main__":
    main()
