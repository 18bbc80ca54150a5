"""A circuit breaker: who calls a server that is known to be away is told so at once."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from redis import exceptions

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 0.5
"""How long a server that is away is left alone before one caller tries it again."""


class Breaker:
    """Stands before the calls of one client, which may come from many threads.

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

    @contextmanager
    def call(self) -> Iterator[None]:
        """Stands around a call.

        Raises:
            ConnectionError: the server is away, and this call has not been tried.
        """
        if self._away:
            self._let_through()
        try:
            yield
        except (exceptions.ConnectionError, exceptions.TimeoutError) as error:
            self._failed(error)
            raise
        except exceptions.ResponseError:
            self._answered()
            raise
        self._answered()

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
            self._away, self._next_try = True, now + PAUSE_SECONDS

    def _answered(self) -> None:
        self._answered_at = self._clock()
        if self._away:
            with self._lock:
                if self._away:
                    logger.warning("Redis is back")
                self._away = False
