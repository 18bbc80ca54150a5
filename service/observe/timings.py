"""Histograms that are told in batches: telling takes longer than much of what they time."""

import atexit
import threading
import time
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterable

from prometheus_client import Histogram
from prometheus_client.samples import Sample

BATCH = 256
"""After so many observations they are told by whoever makes the next one."""

TELL_SECONDS = 0.5
"""How often they are told where other processes read them."""

_all: "list[Timing]" = []
_began = threading.Event()


class Timing(Histogram):
    """A histogram of seconds, of which an observation costs a tenth of a microsecond."""

    def _metric_init(self) -> None:
        super()._metric_init()
        self._seen: deque[float] = deque()
        _all.append(self)

    def observe(self, amount: float, exemplar: dict[str, str] | None = None) -> None:  # noqa: ARG002
        """Note how long something took, in seconds."""
        self._seen.append(amount)
        if len(self._seen) >= BATCH:
            self.tell()

    def tell(self) -> None:
        """Put what was noted into the buckets."""
        noted = []
        for _ in range(len(self._seen)):
            try:
                noted.append(self._seen.popleft())
            except IndexError:  # Another thread has told it meanwhile.
                break
        if noted:
            self._sum.inc(sum(noted))
        for bucket, times in Counter(bisect_left(self._upper_bounds, one) for one in noted).items():
            self._buckets[bucket].inc(times)

    def _child_samples(self) -> Iterable[Sample]:
        self.tell()
        return super()._child_samples()


def tell_all() -> None:
    """Put whatever this process has noted into the buckets."""
    for timing in _all:
        timing.tell()


def begin() -> None:
    """Tell what is noted twice a second, and at the end of the process, for others to read."""
    if not _began.is_set():
        _began.set()
        atexit.register(tell_all)
        threading.Thread(target=_tell_on, name="timings", daemon=True).start()


def _tell_on() -> None:
    while True:
        time.sleep(TELL_SECONDS)
        tell_all()
