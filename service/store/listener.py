"""One subscription per process that wakes everybody who waits for a table to change."""

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from redis import Redis, RedisError, TimeoutError  # noqa: A004 - the client's own

from service import drain
from service.store.keys import CHANGED

logger = logging.getLogger(__name__)

RETRY_SECONDS = 0.2
"""The pause before the subscription is tried again."""

BEAT_SECONDS = 0.5
"""After so much silence the store is asked for a sign of life."""

SILENT_BEATS = 3
"""After so many beats in silence the subscription is lost."""


class Listener:
    """Wakes waiting threads; the subscription begins with the first of them."""

    def __init__(self, redis: Redis, capacity: int) -> None:
        self._redis = redis
        self._places = threading.BoundedSemaphore(capacity)
        self._lock = threading.Lock()
        self._waiting: dict[str, set[threading.Event]] = defaultdict(set)
        self._thread: threading.Thread | None = None
        self._lost = False

    @property
    def closing(self) -> bool:
        """Whether nobody should wait any longer, since the process is about to be stopped."""
        return drain.begun()

    @contextmanager
    def watching(self, table_id: str) -> Iterator[threading.Event | None]:
        """An event that is set when the table may have changed; None where nobody may wait.

        That is so when too many wait already, and when the process is about to be stopped.
        """
        if self.closing or not self._places.acquire(blocking=False):
            yield None
            return
        changed = threading.Event()
        try:
            with self._lock:
                self._start()
                self._waiting[table_id].add(changed)
            yield changed
        finally:
            with self._lock:
                self._waiting[table_id].discard(changed)
                if not self._waiting[table_id]:
                    del self._waiting[table_id]
            self._places.release()

    def _start(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)
            self._thread.start()

    def _listen(self) -> None:
        """Pass on what is published; after a lost connection everybody looks for themselves."""
        while self._somebody_waits():
            try:
                self._pass_on()
            except RedisError as error:
                if not self._lost:
                    logger.warning("lost the subscription to table changes: %s", error)
                self._lost = True
                with suppress(RedisError):  # One finds out whether the store is away, for all.
                    self._redis.ping()
                self._wake_all()
                time.sleep(RETRY_SECONDS)

    def _somebody_waits(self) -> bool:
        """Whether to go on; otherwise the next one who waits begins anew."""
        with self._lock:
            if not self._waiting:
                self._thread = None
            return bool(self._waiting)

    def _pass_on(self) -> None:
        with self._redis.pubsub() as pubsub:  # type: ignore[no-untyped-call]
            pubsub.subscribe(CHANGED)
            silent = 0
            while True:
                message = pubsub.get_message(timeout=BEAT_SECONDS)
                silent = 0 if message else silent + 1
                if silent == 1:
                    pubsub.ping()
                elif silent >= SILENT_BEATS:
                    raise TimeoutError("no sign of life")
                elif message and message["type"] == "subscribe":
                    self._subscribed()
                elif message and message["type"] == "message":
                    self._wake(message["data"].decode())
                if self.closing:
                    self._wake_all()

    def _subscribed(self) -> None:
        if self._lost:
            logger.warning("subscribed to table changes again")
        self._lost = False
        self._wake_all()

    def _wake(self, table_id: str) -> None:
        with self._lock:
            for changed in self._waiting.get(table_id, ()):
                changed.set()

    def _wake_all(self) -> None:
        with self._lock:
            for waiters in self._waiting.values():
                for changed in waiters:
                    changed.set()
