"""`python -m bench`: the service under load, beside what others do on this machine."""

import json
import sys
from pathlib import Path
from typing import TextIO

import click

from bench import compare, picture, report
from bench.compare import EXTRAS, Plan
from bench.measure import Json
from bench.options import numbers
from bench.subjects import TITLES
from service import launcher

WHAT = (*TITLES, *EXTRAS)


def _names(_: click.Context, __: click.Parameter, text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()] or list(WHAT)
    unknown = ", ".join(name for name in names if name not in WHAT)
    if unknown:
        raise click.BadParameter(f"{unknown}: choose among {', '.join(WHAT)}.")
    return names


def _connections(_: click.Context, __: click.Parameter, text: str) -> tuple[int, ...]:
    return numbers(text, 1024)


def _picture(_: click.Context, __: click.Parameter, file: Path | None) -> Path | None:
    if file is None:
        return None
    if file.suffix not in picture.KINDS:
        raise click.BadParameter(f"its name has to end in one of {', '.join(picture.KINDS)}")
    if not picture.can_draw():
        raise click.BadParameter("it takes matplotlib: pip install -e '.[plot]'")
    return file


@click.command(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.option("--only", "names", callback=_names, default="", help="Some of it, as move,hello.")
@click.option("--seconds", type=click.FloatRange(0.1), default=2.0, help="Of each measurement.")
@click.option("--rounds", type=click.IntRange(1), default=5, help="How often each is measured.")
@click.option("--connections", callback=_connections, default="8,64,256", help="How many, in turn.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, help="API processes of each.")
@click.option("--pin/--no-pin", default=True, help="Servers on one core, load on another.")
@click.option("--quick", is_flag=True, help="One round of half a second, with 8 connections.")
@click.option("--from", "file", type=click.File(), help="Read a run's --json instead of measuring.")
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON, each round included.")
@click.option("--markdown", is_flag=True, help="The tables of docs/performance.md.")
@click.option(
    "--plot", type=click.Path(path_type=Path), callback=_picture, help="Draw it: PNG or SVG."
)
def main(
    *,
    names: list[str],
    seconds: float,
    rounds: int,
    connections: tuple[int, ...],
    workers: int,
    pin: bool,
    quick: bool,
    file: TextIO | None,
    as_json: bool,
    markdown: bool,
    plot: Path | None,
) -> None:
    """Measure the service under load, beside what others do on the same machine.

    Each is started here: the service, a bare Flask under the same gunicorn command, a move
    written by hand in Flask and in FastAPI, and boardgame.io and Colyseus with an equal little game
    where Node.js is there. They are measured by turns, and again in each round; figures are medians
    of the rounds, ratios those of the same round.

    \b
    What there is for --only
      hello flask fastapi                       the yardsticks
      move view not_modified awaited            ours
      create join                               ours too, tables by the hundred
      boardgame boardgame_files colyseus        of others
      idle long_poll bots                       what else ours takes

    \b
    How to read it
      CPU s/1,000   of all processes of a server, its Redis included, from /proc. It says
                    what a machine can carry, and is the figure to compare.
      per second    and times depend on the machine, and on what else it does: trust
                    them while `others` is under about 12 %.
      driver        what the load took of its core; near 100 % it is the limit.

    \b
    Examples
      python -m bench                              ten minutes
      python -m bench --quick                      a glance
      python -m bench --only move,hello,flask      what a change has done
      python -m bench --json > run.json            to keep, and then
      python -m bench --from run.json --markdown --plot docs/bench.svg
      python -m bench.inprocess                    where the time goes
    """  # noqa: D301 - click reads \b as its mark for lines to keep
    found = json.load(file) if file else None
    if plot and "hello" not in (picture.names(found) if found else names):
        raise click.UsageError("--plot draws multiples of bare Flask: it takes `hello` too.")
    if found is None:
        plan = Plan(names, seconds, rounds, connections, workers, pin)
        if quick:
            plan = Plan(names, 0.5, 1, (8,), workers, pin)
        found = _measure(plan)
    if plot:
        picture.draw(found, plot)
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        click.echo(report.as_markdown(found) if markdown else report.as_text(found))


def _measure(plan: Plan) -> Json:
    """Measure, with a bar that tells how far it has come."""
    launcher.allow_connections()
    with click.progressbar(
        length=1, label="measuring", file=sys.stderr, item_show_func=str, show_eta=True
    ) as bar:

        def begin(steps: int) -> None:
            bar.length = steps

        return compare.run(plan, begin, lambda name: bar.update(1, name))


if __name__ == "__main__":
    main()
