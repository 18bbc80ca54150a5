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
from bench.servers import Server

Json = dict[str, Any]

DRIVER, MACHINE = "driver", "machine"


@dataclass(frozen=True, slots=True)
class Figures:
    """One measurement.  Times in seconds, unless the name says otherwise."""

    seconds: float
    count: int
    per_second: float
    cpu_s_per_1000: float
    """Of every process of the server, its Redis included."""
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


def measure(server: Server, clients: Clients, seconds: float) -> Taken:
    """Let clients of a server run for so long, and read the CPU that passes meanwhile."""
    before, start = _read(server), time.perf_counter()
    sample = clients.run(seconds)
    after, wall = _read(server), time.perf_counter() - start
    spent = {part: after[part] - before.get(part, 0.0) for part in after}
    machine, driver = spent.pop(MACHINE), spent.pop(DRIVER)
    others = machine - driver - sum(spent.values())
    share = max(0.0, 100 * others / (wall * (os.cpu_count() or 1)))
    return Taken(sample, spent, share, 100 * driver / wall)


def _read(server: Server) -> dict[str, float]:
    own, machine = cpu.own_seconds(), cpu.machine_seconds()
    return {**cpu.seconds_by_part(*server.pids), DRIVER: own, MACHINE: machine}


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
