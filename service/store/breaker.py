"""A circuit breaker: who calls a server that is known to be away is told so at once."""

import logging
import threading
import time
from collections.abc import Callable
from time import perf_counter

from redis import exceptions

from service.observe import metrics, tracing

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 0.5
"""How long a server that is away is left alone before one caller tries it again."""

TIMES = {
    call: metrics.REDIS_SECONDS.labels(call) for call in ("read", "commit", "pipeline", "other")
}
"""What times each kind of call."""


class Breaker:
    """Stands around the calls of one client, which may come from many threads.

    A call without an answer says that the server is away, unless others have been answered just
    now. From then on one call in each pause is let through, until one is answered.

    Args:
        clock: the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._away = False
        self._next_try = 0.0
        self._answered_at = float("-inf")

    def call(self, kind: str = "other") -> "Call":
        """Stands around a call, and times it.

        Args:
            kind: one of `TIMES`.
        """
        return Call(self, kind)

    def begin(self) -> None:
        """Ask whether a call may be made.

        Raises:
            ConnectionError: the server is away, and this call is not to be tried.
        """
        if self._away:
            self._let_through()

    def end(self, error: BaseException | None) -> None:
        """Take note of how a call has ended."""
        if error is None or isinstance(error, exceptions.ResponseError):
            self._answered()
        elif isinstance(error, exceptions.ConnectionError | exceptions.TimeoutError):
            late = isinstance(error, exceptions.TimeoutError)
            metrics.REDIS_ERRORS.labels("timeout" if late else "connection").inc()
            self._failed(error)

    @property
    def away(self) -> bool:
        """Whether the server is known to be away."""
        return self._away

    def give_up(self) -> None:
        """Forget that the server is away: nobody will call it any more."""
        with self._lock:
            if self._away:
                metrics.REDIS_AWAY.dec()
            self._away = False

    def _let_through(self) -> None:
        with self._lock:
            now = self._clock()
            if self._away and now < self._next_try:
                raise exceptions.ConnectionError("It was away a moment ago.")
            self._next_try = now + PAUSE_SECONDS

    def _failed(self, error: Exception) -> None:
        with self._lock:
            now = self._clock()
            if now < self._answered_at + PAUSE_SECONDS:
                return
            if not self._away:
                logger.warning("Redis is away: %s", error)
                metrics.REDIS_AWAY.inc()
            self._away, self._next_try = True, now + PAUSE_SECONDS

    def _answered(self) -> None:
        self._answered_at = self._clock()
        if self._away:
            with self._lock:
                if self._away:
                    logger.warning("Redis is back")
                    metrics.REDIS_AWAY.dec()
                self._away = False


class Call:
    """One call; made for each, so it is plain and quick."""

    __slots__ = ("_begun", "_breaker", "_kind")

    def __init__(self, breaker: Breaker, kind: str) -> None:
        self._breaker = breaker
        self._kind = kind

    def __enter__(self) -> None:
        self._breaker.begin()
        self._begun = perf_counter()

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        seconds = perf_counter() - self._begun
        TIMES[self._kind].observe(seconds)
        if tracing.on():
            tracing.happened(f"redis {self._kind}", seconds)
        self._breaker.end(error)
