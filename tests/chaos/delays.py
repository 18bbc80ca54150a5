"""How late what was due was done: by kind, and whether a needed part had been away."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from service.tables.followups import Kind
from tests.chaos.follower import Wait
from tests.chaos.outages import NETWORK, Met, Outages, counted_from

ALWAYS = ("redis", "store", "sweep", NETWORK)
NEEDED: dict[Kind, tuple[str, ...]] = {
    "play_bot": ("bots", *ALWAYS),
    "settle": ("settlement", *ALWAYS),
    "next_deal": ("settlement", *ALWAYS),
    "expire_turn": ("clock", *ALWAYS),
}
"""The parts without which something that is due is not done."""

NAMES: dict[Kind, str] = {
    "play_bot": "bots' turns",
    "settle": "settlements",
    "next_deal": "next deals",
    "expire_turn": "ends of clocks",
}

LONGEST = 5
"""How many of the longest delays are kept to be looked at."""


@dataclass
class Delays:
    """The delays of one kind in seconds, sorted, by what they have met; and the longest."""

    by_met: dict[Met, list[float]] = field(default_factory=lambda: {met: [] for met in Met})
    longest: list[tuple[float, Wait]] = field(default_factory=list)

    @property
    def recovered(self) -> list[float]:
        """From when the last needed part was back."""
        return self.by_met[Met.OUTAGE]

    @property
    def counted(self) -> list[float]:
        """Those that were due, or done, while all needed parts were there."""
        return sorted(self.by_met[Met.NOTHING] + self.recovered)


def measure(waits: Iterable[Wait], outages: Outages) -> dict[Kind, Delays]:
    """The delays of everything that was due, by kind."""
    found = {kind: Delays() for kind in NEEDED}
    away = {kind: outages.of(parts) for kind, parts in NEEDED.items()}
    for wait in waits:
        counted, met = counted_from(away[wait.kind], wait.due, wait.done)
        seconds = (wait.done - counted) / 1000
        found[wait.kind].by_met[met].append(seconds)
        found[wait.kind].longest.append((seconds, wait))
    for delays in found.values():
        for seconds_late in delays.by_met.values():
            seconds_late.sort()
        delays.longest = sorted(delays.longest, key=lambda one: one[0])[-LONGEST:]
    return found


def percentile(ordered: list[float], percent: float) -> float:
    """A percentile of sorted values; 0 where there are none."""
    if not ordered:
        return 0.0
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
