"""When which part was away: what every wait at a table is judged against."""

import threading
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

NETWORK = "network"
"""The way to the store, which every other part needs."""

LONGEST_MS = 60_000
"""More than any part is away for."""


@dataclass
class Outage:
    """A part that was killed, halted or cut off.

    Args:
        part: the kind of part.
        how: what was done to it.
        began: when, in milliseconds since 1970.
        ended: when it was there again; None while it is away.
    """

    part: str
    how: str
    began: int
    ended: int | None = None


class Outages:
    """All outages so far; one thread adds to them while others look."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: list[Outage] = []

    def add(self, outage: Outage) -> Outage:
        """Keep an outage, which may still go on."""
        with self._lock:
            self._all.append(outage)
        return outage

    def of(self, parts: Iterable[str]) -> list[Outage]:
        """Those of some parts, in the order in which they began."""
        with self._lock:
            return sorted((o for o in self._all if o.part in parts), key=lambda o: o.began)


class Met(StrEnum):
    """What a wait has met."""

    NOTHING = "usual"
    OUTAGE = "recovered"
    """A needed part was away, and came back before it was done."""
    ONGOING = "meanwhile"
    """It was done while a needed part was away: by another one, or just before."""


def counted_from(outages: list[Outage], due: int, done: int) -> tuple[int, Met]:
    """From when a wait counts, and what it has met.

    What was due while a needed part was away counts from when the last such part was back.

    Args:
        outages: those of the needed parts, in the order in which they began.
        due: when the wait's end was due.
        done: when it came.
    """
    first = bisect_left(outages, due - LONGEST_MS, key=lambda one: one.began)
    counted, met = due, Met.NOTHING
    for one in outages[first:]:
        if one.began > done:
            break
        if one.ended is None or one.ended > done:
            met = Met.ONGOING
        elif one.ended >= due:
            counted = max(counted, one.ended)
            met = met if met is Met.ONGOING else Met.OUTAGE
    return counted, met
