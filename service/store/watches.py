"""Who in this process waits for something to change: one subscription wakes them all.

What can change has a name: a table's id, a player's, or `token:` and a token's id.
"""

import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Literal, Protocol

from service import drain
from service.observe import metrics

Kind = Literal["poll", "stream", "look"]
"""What waits: a long poll, for one change, or a stream, for all that come; a look does not wait."""

WAITING = {"poll": metrics.WAITING_POLLS, "stream": metrics.OPEN_STREAMS}
"""What counts those that wait now."""


class Guard(Protocol):
    """What says whether somebody may wait on."""

    @property
    def woken_by(self) -> str:
        """The name by which it has to be asked again."""

    def check(self, woken_by: frozenset[str]) -> None:
        """Raise a refusal where nobody may wait any longer, woken by these names."""


class Watch:
    """Names that somebody waits for, and which of them may have changed since."""

    def __init__(self, watches: "Watches", lock: threading.Lock) -> None:
        self._watches = watches
        self._lock = lock
        self._changed = threading.Event()
        self._woken_by: set[str] = set()
        self.names: set[str] = set()

    def add(self, *names: str) -> None:
        """Wait for these too."""
        self._watches.register(self, names)

    def drop(self, *names: str) -> None:
        """Wait for these no longer."""
        self._watches.forget(self, names)

    def wake(self, *names: str) -> None:
        """Say that these may have changed; for whoever holds the lock of all watches."""
        self._woken_by.update(names)
        self._changed.set()

    def wait(self, seconds: float) -> frozenset[str]:
        """The names that may have changed since it was last asked; none, where time runs out.

        At once, and with all of them, where nobody should wait any longer.
        """
        if self._watches.closing:
            return frozenset(self.names)
        self._changed.wait(max(seconds, 0))
        with self._lock:
            self._changed.clear()
            woken_by, self._woken_by = self._woken_by, set()
        return frozenset(woken_by)


class Watches:
    """All who wait in this process.

    Args:
        polls: how many long polls may wait at once.
        streams: how many streams may be open at once.
    """

    def __init__(self, polls: int, streams: int) -> None:
        self._places: dict[Kind, threading.BoundedSemaphore] = {
            "poll": threading.BoundedSemaphore(polls),
            "stream": threading.BoundedSemaphore(streams),
        }
        self._lock = threading.Lock()
        self._of: defaultdict[str, set[Watch]] = defaultdict(set)

    @property
    def closing(self) -> bool:
        """Whether nobody should wait any longer, since the process is about to be stopped."""
        return drain.begun()

    @contextmanager
    def watching(self, kind: Kind, *names: str) -> Iterator[Watch | None]:
        """A watch on some names, from now on; None where nobody may wait.

        That is so when too many wait already, and when the process is about to be stopped.
        """
        place = self._places.get(kind)
        if place and (self.closing or not place.acquire(blocking=False)):
            yield None
            return
        watch, waiting = Watch(self, self._lock), WAITING.get(kind)
        if waiting:
            waiting.inc()
        try:
            watch.add(*names)
            yield watch
        finally:
            watch.drop(*watch.names)
            if place:
                place.release()
            if waiting:
                waiting.dec()

    def register(self, watch: Watch, names: tuple[str, ...]) -> None:
        """Have a watch woken by these names."""
        with self._lock:
            watch.names.update(names)
            for name in names:
                self._of[name].add(watch)
            self._begin(names)

    def forget(self, watch: Watch, names: tuple[str, ...]) -> None:
        """Have a watch woken by these names no longer."""
        with self._lock:
            watch.names.difference_update(names)
            for name in names:
                self._of[name].discard(watch)
                if not self._of[name]:
                    del self._of[name]

    def _begin(self, names: Iterable[str]) -> None:
        """See to it that changes of names are heard of, while the lock is held."""

    def wake(self, name: str) -> None:
        """Wake all who wait for a name."""
        with self._lock:
            for watch in self._of.get(name, ()):
                watch.wake(name)

    def wake_all(self) -> None:
        """Have everybody look for themselves."""
        with self._lock:
            for name, watches in self._of.items():
                for watch in watches:
                    watch.wake(name)
