"""Figures: what a sample of requests took, in time and in CPU, and the medians of rounds."""

import os
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from bench import cpu
from bench.driver import Sample

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Figures:
    """One measurement.  Times in seconds, unless the name says otherwise."""

    seconds: float
    count: int
    per_second: float
    cpu_s_per_1000: float
    """Of every process of the service, or of hello."""
    cpu_parts: dict[str, float]
    """The same, by part."""
    p50_ms: float | None
    p99_ms: float | None
    answer_bytes: float | None
    others_percent: float
    """What processes that are not part of the measurement took of all cores."""
    driver_percent: float
    """What the load driver took of one core."""
    refusals: dict[str, int]


@dataclass(frozen=True, slots=True)
class Taken:
    """A sample, and the CPU seconds that passed meanwhile."""

    sample: Sample
    parts: dict[str, float]
    """Of what was measured, by part."""
    others_percent: float
    driver_percent: float


class Clients(Protocol):
    """What can be let run for a while."""

    def run(self, seconds: float) -> Sample:
        """Run for so long."""


class Clock:
    """Reads the CPU that passes while clients run.

    Args:
        roots: the process at the root of each server, by name.
    """

    def __init__(self, roots: dict[str, int]) -> None:
        self._roots = roots

    def measure(self, name: str, clients: Clients, seconds: float) -> Taken:
        """Let clients of a server run for so long."""
        before, start = self._read(), time.perf_counter()
        sample = clients.run(seconds)
        after, wall = self._read(), time.perf_counter() - start
        spent = {key: after[key] - before.get(key, 0.0) for key in after}
        machine = spent.pop(("machine", ""))
        others = (machine - sum(spent.values())) / (wall * (os.cpu_count() or 1))
        parts = {part: took for (server, part), took in spent.items() if server == name}
        return Taken(sample, parts, max(0.0, 100 * others), 100 * spent["driver", ""] / wall)

    def _read(self) -> dict[tuple[str, str], float]:
        read: dict[tuple[str, str], float] = {}
        for name, pid in self._roots.items():
            for part, seconds in cpu.seconds_by_part(pid).items():
                read[name, part] = seconds
        read["driver", ""] = cpu.own_seconds()
        read["machine", ""] = cpu.machine_seconds()
        return read


def figures(taken: Taken, kinds: Sequence[str], count: int | None = None) -> Figures:
    """What a sample says about some kinds of request, or about `count` things done meanwhile."""
    sample = taken.sample
    latencies = sorted(one for kind in kinds for one in sample.latencies.get(kind, ()))
    size = sum(sample.bytes[kind] for kind in kinds)
    number = len(latencies) if count is None else count
    thousands = max(1, number) / 1000
    return Figures(
        seconds=sample.seconds,
        count=number,
        per_second=number / sample.seconds,
        cpu_s_per_1000=sum(taken.parts.values()) / thousands,
        cpu_parts={part: took / thousands for part, took in sorted(taken.parts.items())},
        p50_ms=percentile(latencies, 50),
        p99_ms=percentile(latencies, 99),
        answer_bytes=size / len(latencies) if latencies else None,
        others_percent=taken.others_percent,
        driver_percent=taken.driver_percent,
        refusals=dict(sample.refusals),
    )


def percentile(latencies: Sequence[float], percent: int) -> float | None:
    """Milliseconds that so many per cent of the sorted latencies are within."""
    if not latencies:
        return None
    return 1000 * latencies[min(len(latencies) - 1, len(latencies) * percent // 100)]


def median(rounds: Sequence[Figures]) -> Json:
    """The median of each figure, and the rounds that it was taken from."""
    whole: Json = {"rounds": [asdict(one) for one in rounds]}
    for name in ("per_second", "cpu_s_per_1000", "p50_ms", "p99_ms", "answer_bytes"):
        values = [value for one in rounds if (value := getattr(one, name)) is not None]
        whole[name] = statistics.median(values) if values else None
    for name in ("others_percent", "driver_percent"):
        whole[name] = statistics.median(getattr(one, name) for one in rounds)
    parts = sorted({part for one in rounds for part in one.cpu_parts})
    whole["cpu_parts"] = {
        part: statistics.median(one.cpu_parts.get(part, 0.0) for one in rounds) for part in parts
    }
    whole["count"] = sum(one.count for one in rounds)
    whole["refusals"] = dict(sum((Counter(one.refusals) for one in rounds), Counter()))
    return whole
