"""Times that are told in batches."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from prometheus_client import CollectorRegistry, Histogram, generate_latest

from service.observe.timings import BATCH, Timing, tell_all

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


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads change hands all the time."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hasty")
def test_new_ones_come_while_others_are_told() -> None:
    """A label that is new, as a route's first request is, keeps nobody from telling the others."""
    timing = Timing("seconds", "Says.", ["kind"], buckets=BUCKETS, registry=None)
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(lambda: [timing.labels(str(number)) for number in range(3000)])
        while not made.done():
            tell_all()
