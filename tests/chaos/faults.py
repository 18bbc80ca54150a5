"""The schedule of faults: what happens when, all of it fixed by a seed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Literal

from service.store.keys import PARTITIONS
from tests.chaos.system import API_WORKER, USUAL, Size, System

GAP_SECONDS = (2.0, 3.6)
"""The time from one fault to the next."""

WORKERS = ("settlement", "clock")
"""Those that have jobs, beside the ones of the bots."""

OTHERS = ("sweep", "api", API_WORKER)
AIMED = 0.7
"""How many of the kills of workers wait for one to be at work: jobs take milliseconds."""

KINDS = {"kill": 13, "halt": 4, "drop": 1, "delay": 1, "swallow": 1}
"""How often each kind of fault comes, of twenty."""

MOVES = {"move": 4}
"""How often slots are moved beside, on a cluster."""

RESTART_SECONDS = (0.0, 1.5)
"""How long after a kill a part is started again."""

HALT_SECONDS = (0.5, 4.0)
DELAY_SECONDS = (1.0, 3.0)
DELAY_MS = (50, 1500)
SWALLOWED = (1, 8)


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong.

    Args:
        at: seconds after the beginning.
        kind: what happens.
        part: whom it happens to; empty for the network.
        seconds: for how long.
        count: how many replies are swallowed, or which partition is moved.
        at_work: whether a worker is killed in the middle of a job.
    """

    at: float
    kind: Literal["kill", "halt", "drop", "delay", "swallow", "move"]
    part: str = ""
    seconds: float = 0.0
    count: int = 0
    at_work: bool = False

    def strike(self, system: System) -> None:
        """Let it happen."""
        match self.kind:
            case "kill":
                system.kill(self.part, self.seconds, at_work=self.at_work)
            case "halt":
                system.halt(self.part, self.seconds)
            case "drop":
                system.network("drop")
            case "delay":
                least, most = DELAY_MS
                system.network("delay", self.seconds, least_ms=least, most_ms=most)
            case "swallow":
                system.network("swallow", count=self.count)
            case "move":
                system.move(self.count)

    def __str__(self) -> str:
        """What happens, for people."""
        what = f"{self.kind} {self.part}".strip() + self.at_work * " at work"
        if self.kind in ("swallow", "move"):
            return f"{what} {self.count}"
        return f"{what} {self.seconds:.1f} s" if self.seconds else what


def schedule(seed: int, seconds: float, size: Size = USUAL) -> Iterator[Fault]:
    """The faults of a run; the same seed gives the same ones, and a longer run more of them."""
    chance = Random(f"{seed}:faults")
    workers = (*(f"bots {number}" for number in range(1, size.workers + 1)), *WORKERS)
    nodes = tuple(f"node {number}" for number in range(1, size.nodes + 1))
    kinds = (KINDS | MOVES) if nodes else KINDS
    at = chance.uniform(*GAP_SECONDS)
    if nodes:  # So that a short run has both.
        yield Fault(at, "kill", chance.choice(nodes), chance.uniform(*RESTART_SECONDS))
        yield Fault(at + 1, "move", count=chance.randrange(PARTITIONS))
        at += 1 + chance.uniform(*GAP_SECONDS)
    while at < seconds:
        yield _fault(at, chance, kinds, nodes, workers)
        at += chance.uniform(*GAP_SECONDS)


def _fault(
    at: float,
    chance: Random,
    kinds: Mapping[str, int],
    nodes: tuple[str, ...],
    workers: tuple[str, ...],
) -> Fault:
    [kind] = chance.choices(list(kinds), list(kinds.values()))
    part = chance.choice(("redis", *nodes, *workers, *OTHERS))
    match kind:
        case "kill":
            at_work = part in workers and chance.random() < AIMED
            return Fault(at, "kill", part, chance.uniform(*RESTART_SECONDS), at_work=at_work)
        case "halt":
            return Fault(at, "halt", part, chance.uniform(*HALT_SECONDS))
        case "delay":
            return Fault(at, "delay", seconds=chance.uniform(*DELAY_SECONDS))
        case "swallow":
            return Fault(at, "swallow", count=chance.randint(*SWALLOWED))
        case "move":
            return Fault(at, "move", count=chance.randrange(PARTITIONS))
    return Fault(at, "drop")
