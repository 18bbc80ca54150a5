"""How long bots think, and how strong they are: `python -m bench.bots [--deals N] [--json]`.

Each pair of levels plays duplicate deals heads-up: every deal twice, the seats changed.  Beside
them plays `random`, which does anything legal but calls as soon as it can.
"""

import itertools
import json
import math
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

import click

from bench.report import table
from service import bots
from service.engine import rules, showdown, views
from service.engine.commands import Call, Command, Cut, Discard, Draw
from service.engine.deal import Deal, Phase, new_deal
from service.engine.house_rules import HouseRules
from service.engine.views import DealView

Player = Callable[[DealView, Random], Command]


def by_chance(view: DealView, chance: Random) -> Command:
    """Any legal move, but a call as soon as there is one."""
    assert view.you is not None
    if view.you.legal.cut:
        return Cut(chance.randrange(52))
    if view.you.legal.call is not None:
        return Call()
    return chance.choice(list(view.you.legal.commands()))


PLAYERS: Mapping[str, Player] = {
    "random": by_chance,
    **{level: partial(bots.choose, level) for level in bots.LEVELS},
}
"""Who plays, the weakest first."""


@dataclass(frozen=True, slots=True)
class Move:
    """What a player saw and did, the CPU nanoseconds it thought, and the deal that follows."""

    before: Deal
    seat: int
    view: DealView
    command: Command
    took: int
    after: Deal


def moves(deal: Deal, players: Mapping[int, Player], chance: Random) -> Iterator[Move]:
    """Play a deal to its end, each seat by its player."""
    while deal.turn is not None:
        seat, before = deal.turn, deal
        view = views.view(deal, seat)
        started = time.thread_time_ns()
        command = players[seat](view, chance)
        took = time.thread_time_ns() - started
        deal, _ = rules.apply(deal, seat, command)
        yield Move(before, seat, view, command, took, deal)


def shares(deal: Deal) -> dict[int, float]:
    """What each seat won of the pot of a deal that is over: nothing, all, or its part of a tie."""
    assert deal.phase is Phase.OVER
    result = showdown.settle(deal)
    won = result.winners or deal.seats  # A void deal is everyone's.
    return {seat: (seat in won) / len(won) for seat in deal.seats}


@dataclass(slots=True)
class Match:
    """Duplicate deals of one player against another, heads-up."""

    names: tuple[str, str]
    scores: list[float] = field(default_factory=list)
    """The first player's shares, each of a deal and its double."""
    took: dict[tuple[str, str], list[int]] = field(default_factory=lambda: defaultdict(list))
    """How long each player thought about each kind of move, in CPU nanoseconds."""

    @property
    def share(self) -> float:
        """The part of all pots that the first player won."""
        return statistics.fmean(self.scores)

    @property
    def error(self) -> float:
        """Half of the share's 95 % interval."""
        return 1.96 * statistics.stdev(self.scores) / math.sqrt(len(self.scores))

    @property
    def elo(self) -> float:
        """The difference in Elo; a whole share is taken for all but half a deal."""
        least = 0.5 / (2 * len(self.scores))
        share = min(max(self.share, least), 1 - least)
        return 400 * math.log10(share / (1 - share))

    def play(self, chance: Random) -> None:
        """Play one more deal and its double."""
        secret = chance.randbytes(32).hex()
        won = [self._won(secret, seats, chance) for seats in ((1, 2), (2, 1))]
        self.scores.append(statistics.fmean(won))

    def _won(self, secret: str, seats: tuple[int, int], chance: Random) -> float:
        """What the first player wins of a deal, sitting in the first of these seats."""
        seated = dict(zip(seats, self.names, strict=True))
        deal = new_deal(secret, (1, 2), 1, HouseRules())
        for move in moves(deal, {seat: PLAYERS[name] for seat, name in seated.items()}, chance):
            if isinstance(move.command, Draw | Discard):
                verb = type(move.command).__name__.lower()
                self.took[seated[move.seat], verb].append(move.took)
            deal = move.after
        return shares(deal)[seats[0]]


def measured(deals: int, seed: int) -> dict[str, Any]:
    """All figures: every pair of players, and how long each thought in all of its matches."""
    pairs = list(itertools.combinations(PLAYERS, 2))
    took: dict[tuple[str, str], list[int]] = defaultdict(list)
    results = []
    with click.progressbar(length=len(pairs) * deals, label="Playing", file=sys.stderr) as bar:
        for weaker, stronger in pairs:
            match, chance = Match((stronger, weaker)), Random(seed)
            for _ in range(deals):
                match.play(chance)
                bar.update(1)
            results.append(
                {
                    "level": stronger,
                    "against": weaker,
                    "share": round(match.share, 4),
                    "error": round(match.error, 4),
                    "elo": round(match.elo),
                }
            )
            for key, times in match.took.items():
                took[key] += times
    return {
        "deals": 2 * deals,
        "seed": seed,
        "matches": results,
        "microseconds": [
            {"level": name, "move": verb, **_percentiles(took[name, verb])}
            for name, verb in itertools.product(bots.LEVELS, ("draw", "discard"))
        ],
    }


def _percentiles(nanoseconds: list[int]) -> dict[str, float]:
    cuts = statistics.quantiles(nanoseconds, n=100)
    return {"p50": round(cuts[49] / 1000, 1), "p99": round(cuts[98] / 1000, 1)}


def as_text(found: dict[str, Any]) -> str:
    """The figures as two tables."""
    matches = table(
        ["Level", "against", "share of pots", "Elo"],
        [
            [of["level"], of["against"], f"{of['share']:.1%} ± {of['error']:.1%}", f"{of['elo']:+}"]
            for of in found["matches"]
        ],
    )
    times = table(
        ["Level", "move", "p50, µs of CPU", "p99"],
        [
            [of["level"], of["move"], f"{of['p50']:,}", f"{of['p99']:,}"]
            for of in found["microseconds"]
        ],
    )
    return f"{found['deals']:,} deals a match, seed {found['seed']}\n\n{matches}\n\n{times}"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--deals",
    type=click.IntRange(min=2),
    default=500,
    show_default=True,
    help="Deals of each match; each is played twice, the seats changed.",
)
@click.option("--seed", default=1, show_default=True, help="Where cards and careless moves start.")
@click.option("--json", "as_json", is_flag=True, help="The figures as JSON.")
def main(*, deals: int, seed: int, as_json: bool) -> None:
    """Measure how long the house's bots think, and how strong they are."""
    found = measured(deals, seed)
    click.echo(json.dumps(found, indent=2) if as_json else as_text(found))


if __name__ == "__main__":
    main()
