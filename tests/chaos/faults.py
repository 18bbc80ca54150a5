"""The schedule of faults: what happens when, all of it fixed by a seed."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

from tests.chaos.system import API_WORKER, System

GAP_SECONDS = (2.0, 3.6)
"""The time from one fault to the next."""

PARTS = ("redis", "bots 1", "bots 2", "settlement", "clock", "sweep", "api", API_WORKER)
AT_WORK = ("bots 1", "bots 2", "settlement", "clock")
AIMED = 0.7
"""How many of the kills of workers wait for one to be at work: jobs take milliseconds."""

KINDS = {"kill": 13, "halt": 4, "drop": 1, "delay": 1, "swallow": 1}
"""How often each kind of fault comes, of twenty."""

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
        count: how many replies are swallowed.
        at_work: whether a worker is killed in the middle of a job.
    """

    at: float
    kind: Literal["kill", "halt", "drop", "delay", "swallow"]
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

    def __str__(self) -> str:
        """What happens, for people."""
        what = f"{self.kind} {self.part}".strip() + self.at_work * " at work"
        if self.kind == "swallow":
            return f"{what} {self.count}"
        return f"{what} {self.seconds:.1f} s" if self.seconds else what


def schedule(seed: int, seconds: float) -> Iterator[Fault]:
    """The faults of a run; the same seed gives the same ones, and a longer run more of them."""
    chance = Random(f"{seed}:faults")
    at = chance.uniform(*GAP_SECONDS)
    while at < seconds:
        yield _fault(at, chance)
        at += chance.uniform(*GAP_SECONDS)


def _fault(at: float, chance: Random) -> Fault:
    [kind] = chance.choices(list(KINDS), list(KINDS.values()))
    part = chance.choice(PARTS)
    match kind:
        case "kill":
            at_work = part in AT_WORK and chance.random() < AIMED
            return Fault(at, "kill", part, chance.uniform(*RESTART_SECONDS), at_work=at_work)
        case "halt":
            return Fault(at, "halt", part, chance.uniform(*HALT_SECONDS))
        case "delay":
            return Fault(at, "delay", seconds=chance.uniform(*DELAY_SECONDS))
        case "swallow":
            return Fault(at, "swallow", count=chance.randint(*SWALLOWED))
    return Fault(at, "drop")
