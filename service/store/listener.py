"""One subscription per process that wakes everybody who waits for a table to change."""

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from redis import Redis, RedisError

from service.store.keys import CHANGED

logger = logging.getLogger(__name__)

RETRY_SECONDS = 0.2
"""The pause before the subscription is tried again."""


class Listener:
    """Wakes waiting threads; the subscription begins with the first of them."""

    def __init__(self, redis: Redis, capacity: int) -> None:
        self._redis = redis
        self._places = threading.BoundedSemaphore(capacity)
        self._lock = threading.Lock()
        self._waiting: dict[str, set[threading.Event]] = defaultdict(set)
        self._thread: threading.Thread | None = None

    @contextmanager
    def watching(self, table_id: str) -> Iterator[threading.Event | None]:
        """An event that is set when the table may have changed; None if too many wait already."""
        if not self._places.acquire(blocking=False):
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
                logger.warning("lost the subscription to table changes: %s", error)
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
            while True:
                message = pubsub.get_message(timeout=60)
                if message and message["type"] == "subscribe":
                    self._wake_all()
                elif message:
                    self._wake(message["data"].decode())

    def _wake(self, table_id: str) -> None:
        with self._lock:
            for changed in self._waiting.get(table_id, ()):
                changed.set()

    def _wake_all(self) -> None:
        with self._lock:
            for waiters in self._waiting.values():
                for changed in waiters:
                    changed.set()
