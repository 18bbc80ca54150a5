"""`paiute simulate`: how strong bots are, in tournaments on duplicate deals."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import click

from service.bots import LEVELS
from service.engine.house_rules import HouseRules
from service.simulate import options


class NotPlayed(click.ClickException):
    """A tournament could not be played."""

    exit_code = 2


@click.command()
@click.option(
    "--levels",
    default=",".join(LEVELS),
    show_default=True,
    metavar="NAME,...",
    help=f"Who plays: {', '.join(options.NAMES)}. The ladder is measured from the first.",
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="NAME=WHERE",
    callback=options.bots,
    help="A bot of your own that plays too: its URL, or its class as MODULE:CLASS.",
)
@click.option(
    "--players",
    type=click.IntRange(2, 5),
    default=2,
    show_default=True,
    help="How many sit at a table; beyond two, one of a kind among others of one kind.",
)
@click.option(
    "--deals",
    type=click.IntRange(1),
    default=1_000,
    show_default=True,
    help="Different deals of each match; each is played once from every seat.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Where all chance begins."
)
@click.option(
    "--rules",
    default="",
    metavar="NAME=VALUE,...",
    callback=options.rules,
    help=f"House rules other than the usual ones: {', '.join(options.RULES)}.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    help="Processes. If not given, one for each core, or one alone where a bot has a URL.",
)
@click.option(
    "--bot-seconds",
    type=click.FloatRange(0.01, 60),
    default=2.0,
    show_default=True,
    help="How long an answer over HTTP may take.",
)
@click.option("--json", "for_programs", is_flag=True, help="Print JSON; docs/bots.md describes it.")
@click.option(
    "--plot",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    callback=options.file,
    help="Draw the ladder as well, to a file that ends in .png or .svg.",
)
def simulate(
    *,
    levels: str,
    bots: dict[str, str],
    players: int,
    deals: int,
    seed: int,
    rules: HouseRules,
    jobs: int | None,
    bot_seconds: float,
    for_programs: bool,
    plot: Path | None,
) -> None:
    """Find out how strong bots are.

    Everyone plays everyone else, on duplicate deals: the same cards once from each seat, so that
    nobody is lucky with them. You learn how much of the pots each won, with a 95 % interval, the
    Elo that this stands for, and how they played. Beside the levels of the house there is `random`,
    which does anything legal but calls as soon as it can.

    \b
    Examples
      paiute simulate                                      each level against each other
      paiute simulate --levels easy,hard --deals 5000      one match, and a surer result
      paiute simulate --levels medium,hard --players 4     one among three of the other
      paiute simulate --levels hard --players 5            five alike: how do they play?
      paiute simulate --plot ladder.svg --json > all.json  a picture, and all figures
      paiute simulate --levels easy,medium --bot mine=http://127.0.0.1:9000/move

    A bot of your own can be a web server in any language. It is sent the view of a table, as the
    API shows it, with POST, and answers with a move:

    \b
      {"action": "draw", "from": "stock"}     or from "discard"
      {"action": "discard", "card": "7c"}
      {"action": "call"}                      with "discard", if you like

    What is illegal or late is counted, and a plain move is made for it. Or it is a class of Python,
    a service.bots.Bot, and plays at full speed.

    The same seed gives the same figures, but for times, on any number of processes. Ends with 2 if
    nothing could be played.
    """  # noqa: D301 - \b is for click: the next lines stay as they are
    from service.simulate.match import Plan  # noqa: PLC0415 - slow to import, as all that plays

    names = options.names(levels, bots)
    if plot is not None and len(names) == 1:
        raise click.BadParameter("One alone makes no ladder.", param_hint="'--plot'")
    sys.path.insert(0, "")  # A class is found in the present folder, too.
    if jobs is None:
        jobs = 1 if any("://" in where for where in bots.values()) else _cores()
    found = _played(Plan(names, players, deals, seed, rules, bots, bot_seconds), jobs)
    click.echo(json.dumps(found, indent=2) if for_programs else _as_text(found))
    if plot is not None:
        _draw(found, plot)


def _cores() -> int:
    """How many cores this process may use, which a container may keep below those there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _played(plan: Any, jobs: int) -> dict[str, Any]:
    """The figures, with a progress bar on standard error where that is a terminal."""
    from service.simulate.tournament import NotPlayable, tournament  # noqa: PLC0415

    blocks = plan.deals * len(plan.pairings)
    hidden = not sys.stderr.isatty()
    with click.progressbar(
        length=blocks, label="Playing", file=sys.stderr, hidden=hidden, show_pos=True
    ) as bar:
        try:
            return tournament(plan, jobs, bar.update)
        except NotPlayable as error:
            raise NotPlayed(str(error)) from None


def _as_text(found: dict[str, Any]) -> str:
    from service.simulate.report import as_text  # noqa: PLC0415

    return as_text(found)


def _draw(found: dict[str, Any], file: Path) -> None:
    from service.simulate.picture import draw  # noqa: PLC0415

    try:
        draw(found, file)
    except OSError as error:
        raise NotPlayed(f"{file} can't be written: {error.strerror}.") from None
