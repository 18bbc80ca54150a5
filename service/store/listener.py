"""One subscription per process that wakes everybody who waits for something to change."""

import logging
import threading
import time
from contextlib import suppress

from redis import Redis, RedisError, TimeoutError  # noqa: A004 - the client's own

from service.store.keys import CHANGED
from service.store.watches import Watches

logger = logging.getLogger(__name__)

RETRY_SECONDS = 0.2
"""The pause before the subscription is tried again."""

BEAT_SECONDS = 0.5
"""After so much silence the store is asked for a sign of life."""

SILENT_BEATS = 3
"""After so many beats in silence the subscription is lost."""


class Listener(Watches):
    """All who wait, woken by what is published; the subscription begins with the first of them."""

    def __init__(self, redis: Redis, polls: int, streams: int) -> None:
        super().__init__(polls, streams)
        self._redis = redis
        self._thread: threading.Thread | None = None
        self._lost = False

    def _begin(self) -> None:
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
                    logger.warning("lost the subscription to changes: %s", error)
                self._lost = True
                with suppress(RedisError):  # One finds out whether the store is away, for all.
                    self._redis.ping()
                self.wake_all()
                time.sleep(RETRY_SECONDS)

    def _somebody_waits(self) -> bool:
        """Whether to go on; otherwise the next one who waits begins anew."""
        with self._lock:
            if not self._of:
                self._thread = None
            return bool(self._of)

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
                    self.wake(message["data"].decode())
                if self.closing:
                    self.wake_all()

    def _subscribed(self) -> None:
        if self._lost:
            logger.warning("subscribed to changes again")
        self._lost = False
        self.wake_all()
