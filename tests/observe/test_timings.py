"""Times that are told in batches."""

from random import Random

from prometheus_client import CollectorRegistry, Histogram, generate_latest

from service.observe.timings import BATCH, Timing

BUCKETS = (0.125, 0.5, 1)


def told_of(kind: type[Histogram], times: list[float]) -> list[str]:
    """What a kind of histogram tells of times."""
    registry = CollectorRegistry()
    timing = kind("seconds", "Says.", ["kind"], buckets=BUCKETS, registry=registry).labels("a")
    for one in times:
        timing.observe(one)
    return generate_latest(registry).decode().splitlines()


def test_they_are_a_histogram() -> None:
    """However many there are, all are told, in the very buckets of a histogram of the library."""
    chance = Random(7)
    times = [chance.choice([0.125, 0.5, 1, 1.5]) for _ in range(3 * BATCH + 5)]

    assert told_of(Histogram, times) == told_of(Timing, times)


def test_few_are_kept() -> None:
    """What is noted where nobody asks is told in time, so that it does not pile up."""
    timing = Timing("seconds", "Says.", ["kind"], buckets=BUCKETS).labels("a")
    for _ in range(10 * BATCH + 1):
        timing.observe(0.2)

    assert 1 == len(timing._seen)
