"""How many hands a CPU second judges: `make bench-hands`, or `python -m bench.hands [--json]`.

Each figure is that of the quickest of many short rounds, since whatever else the machine does
only slows a round down.
"""

import json
import os
import platform
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import click

from bench.report import table
from service.engine.cards import DECK, RANKS, Card
from service.engine.combinations import best, layings, mask, strength

HANDS = 2_000
ROUNDS = 50
WHAT = ("strength", "best", "layings")
HELD = {"as dealt": None, "0 wild": 0, "1 wild": 1, "2 wild": 2, "3 wild": 3}

Hand = tuple[tuple[Card, ...], str]
"""Cards, and the rank that is wild."""


def deal(chance: Random, size: int, held: int | None) -> Hand:
    """A hand out of the 51 cards, with so many wild cards; None is as they come."""
    wild_rank = chance.choice(RANKS)
    wild = [Card(wild_rank + suit) for suit in "dhs"]
    natural = [card for card in DECK if card[0] != wild_rank]
    if held is None:
        return tuple(chance.sample(wild + natural, size)), wild_rank
    return (*chance.sample(wild, held), *chance.sample(natural, size - held)), wild_rank


def rate(calls: Callable[[], Iterable[object]]) -> int:
    """How many hands a CPU second judges, if these calls judge them all."""
    return round(HANDS / min(_seconds(calls()) for _ in range(ROUNDS)))


def _seconds(calls: Iterable[object]) -> float:
    started = time.process_time()
    for _ in calls:
        pass
    return time.process_time() - started


def rates(size: int, held: int | None) -> dict[str, int]:
    """The rates of what the service does with hands of this size and number of wild cards."""
    chance = Random(1)
    hands = [deal(chance, size, held) for _ in range(HANDS)]
    cards, wild_ranks = zip(*hands, strict=True)
    masks = [mask(hand) for hand in cards]
    found = {
        "strength": rate(lambda: map(strength, masks, wild_ranks)),
        "best": rate(lambda: map(best, cards, wild_ranks)),
    }
    if size == 6:
        found["layings"] = rate(lambda: map(layings, cards, wild_ranks))
    return found


def machine() -> str:
    """The kind of machine, and how busy it is."""
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        if line.startswith("model name")
    ]
    return (
        f"Python {platform.python_version()}, {os.cpu_count()} cores "
        f"({models[0] if models else platform.machine()}), load average {os.getloadavg()[0]:.1f}"
    )


def as_text(found: dict[str, Any]) -> str:
    """The figures as a table."""
    rows = [
        [f"{size} cards, {name}", *(f"{of[what]:,}" if what in of else "" for what in WHAT)]
        for size, by_held in found["hands_per_cpu_second"].items()
        for name, of in by_held.items()
    ]
    return f"{found['machine']}\n\n{table(['Hands per CPU second', *WHAT], rows)}"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--json", "as_json", is_flag=True, help="The figures as JSON.")
def main(*, as_json: bool) -> None:
    """Measure how many hands a CPU second judges."""
    found = {
        "machine": machine(),
        "hands_per_cpu_second": {
            str(size): {name: rates(size, held) for name, held in HELD.items()} for size in (5, 6)
        },
    }
    click.echo(json.dumps(found, indent=2) if as_json else as_text(found))


if __name__ == "__main__":
    main()
