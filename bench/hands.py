"""How many hands a CPU second judges: `make bench-hands`, or `python -m bench.hands [--json]`.

Beside the service's own judges stand evaluators of poker hands that others wrote.  Each figure is
that of the quickest of many short rounds, since whatever else the machine does only slows a round
down.
"""

import json
import math
import os
import platform
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np

from bench.evaluators import evaluators
from bench.report import table
from service.bots.vectors import strengths
from service.engine.cards import DECK, RANKS, Card
from service.engine.combinations import best, layings, mask, strength

HANDS = 2_000
AT_ONCE = 1 << 14
WHAT = ("strengths", "strength", "best", "layings")
HELD = {"as dealt": None, "0 wild": 0, "1 wild": 1, "2 wild": 2, "3 wild": 3}


def deal(chance: Random, size: int, held: int | None, wild_rank: str) -> tuple[Card, ...]:
    """A hand out of the 51 cards, with so many wild cards; None is as they come."""
    wild = [Card(wild_rank + suit) for suit in "dhs"]
    natural = [card for card in DECK if card[0] != wild_rank]
    if held is None:
        return tuple(chance.sample(wild + natural, size))
    return *chance.sample(wild, held), *chance.sample(natural, size - held)


def rate(calls: Callable[[], Iterable[object]], hands: int, seconds: float) -> int:
    """How many hands a CPU second judges, if these calls judge so many; measured for so long."""
    quickest, until = math.inf, time.process_time() + seconds
    while time.process_time() < until:
        quickest = min(quickest, _seconds(calls()))
    return round(hands / quickest)


def _seconds(calls: Iterable[object]) -> float:
    started = time.process_time()
    for _ in calls:
        pass
    return time.process_time() - started


def rates(size: int, held: int | None, seconds: float) -> dict[str, int]:
    """The rates of what the service does with hands of this size and number of wild cards."""
    chance = Random(1)
    wild_ranks = chance.choices(RANKS, k=HANDS)
    cards = [deal(chance, size, held, wild_rank) for wild_rank in wild_ranks]
    masks = [mask(hand) for hand in cards]
    many = np.array([mask(deal(chance, size, held, "7")) for _ in range(AT_ONCE)], np.uint64)
    found = {
        "strengths": rate(lambda: map(strengths, [many], ["7"]), AT_ONCE, seconds),
        "strength": rate(lambda: map(strength, masks, wild_ranks), HANDS, seconds),
        "best": rate(lambda: map(best, cards, wild_ranks), HANDS, seconds),
    }
    if size == 6:
        found["layings"] = rate(lambda: map(layings, cards, wild_ranks), HANDS, seconds)
    return found


def others(size: int, seconds: float) -> dict[str, int | None]:
    """The rates of other evaluators, for hands as dealt; None for those that are not installed."""
    chance = Random(1)
    hands = [deal(chance, size, None, "7") for _ in range(HANDS)]
    return {
        name: None if evaluator is None else rate(evaluator.calls(hands), HANDS, seconds)
        for name, evaluator in evaluators().items()
    }


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
    """The figures as two tables."""
    rows = [
        [f"{size} cards, {name}", *(f"{of[what]:,}" if what in of else "" for what in WHAT)]
        for size, by_held in found["hands_per_cpu_second"].items()
        for name, of in by_held.items()
    ]
    by_size = found["others_without_wild_cards"]
    others_rows = [
        [name, *(f"{of[name]:,}" if of[name] else "-" for of in by_size.values())]
        for name in next(iter(by_size.values()))
    ]
    missing = any("-" in row for row in others_rows)
    return "\n\n".join(
        [
            found["machine"],
            "`strengths` judges many hands at once, the others one by one.",
            table(["Hands per CPU second", *WHAT], rows),
            "Other evaluators, one by one; they find poker's hands, of five cards and none wild:",
            table(["Hands per CPU second", *(f"{size} cards" for size in by_size)], others_rows),
            *(["Those without a figure are not installed: pip install -e '.[bench]'"] * missing),
        ]
    )


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--json", "as_json", is_flag=True, help="The figures as JSON.")
@click.option("--seconds", default=0.3, show_default=True, help="CPU seconds for each figure.")
def main(*, as_json: bool, seconds: float) -> None:
    """Measure how many hands a CPU second judges."""
    found = {
        "machine": machine(),
        "hands_per_cpu_second": {
            str(size): {name: rates(size, held, seconds) for name, held in HELD.items()}
            for size in (5, 6)
        },
        "others_without_wild_cards": {str(size): others(size, seconds) for size in (5, 6)},
    }
    click.echo(json.dumps(found, indent=2) if as_json else as_text(found))


if __name__ == "__main__":
    main()
