"""One connection per process that wakes everybody who waits for something to change.

Each name has a channel of its own, so that a process hears of what somebody waits for there, and of
nothing else.  A channel is left a while after the last one who waited: mostly they come again.
"""

import logging
import threading
import time
from collections.abc import Iterable
from contextlib import suppress

from redis import RedisError, exceptions

from service.store.cluster import GuardedCluster
from service.store.connection import GuardedRedis
from service.store.keys import CHANGED
from service.store.pool import Connection
from service.store.watches import Watches

logger = logging.getLogger(__name__)

RETRY_SECONDS = 0.2
"""The pause before the subscription is tried again."""

BEAT_SECONDS = 0.5
"""After so much silence the store is asked for a sign of life."""

SILENT_BEATS = 3
"""After so many beats in silence the subscription is lost."""

LEAVE_SECONDS = 5
"""How often channels are left that nobody waits for any more."""


class Listener(Watches):
    """All who wait, woken by what is published; the connection is made for the first of them."""

    def __init__(self, redis: GuardedRedis | GuardedCluster, polls: int, streams: int) -> None:
        super().__init__(polls, streams)
        self._redis = redis
        self._thread: threading.Thread | None = None
        self._lost = False
        self._line: Connection | None = None
        self._heard: set[str] = set()

    def _begin(self, names: Iterable[str]) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)
            self._thread.start()
        elif self._line is not None:
            self._hear(self._line, names)

    def _hear(self, line: Connection, names: Iterable[str]) -> None:
        """Ask for the channels of names, while the lock is held; answers wake who waits for them.

        Where that fails, who listens finds it out, and asks for everything anew.
        """
        new = set(names) - self._heard
        if new:
            self._heard |= new
            try:
                line.send_command("SUBSCRIBE", *map(CHANGED.__add__, new), check_health=False)
            except RedisError:
                self._line = None

    def _listen(self) -> None:
        """Pass on what is published; after a lost connection everybody looks for themselves."""
        while self._somebody_waits():
            try:
                with self._redis.line() as line:
                    self._pass_on(line)
            except Exception as error:  # noqa: BLE001 - who asks for a channel may cut the line
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

    def _pass_on(self, line: Connection) -> None:
        with self._lock:
            self._line, self._heard = line, set()
            self._hear(line, self._of)
        try:
            self._pass_on_from(line)
        finally:
            with self._lock:
                self._line = None

    def _pass_on_from(self, line: Connection) -> None:
        """Pass on until nobody waits any more."""
        silent, leave_at = 0, time.monotonic() + LEAVE_SECONDS
        while True:
            if self._line is None:  # Else it would be connected anew, with no channel.
                raise exceptions.ConnectionError("a channel could not be asked for")
            if line.can_read(BEAT_SECONDS):
                silent = 0
                with self._lock:  # With TLS, one thread at a time.
                    said = line.read_response(disconnect_on_error=False, push_request=True)
                self._take(said)
            else:
                silent += 1
                self._ask_for_life(line, silent)
            if self.closing:
                self.wake_all()
            if time.monotonic() > leave_at:
                leave_at += LEAVE_SECONDS
                if not self._leave(line):
                    return

    def _take(self, said: object) -> None:
        """Take what the store sends: a message, that a channel is heard, or a sign of life."""
        match said:
            case [b"message", bytes(channel), *_]:
                self.wake(channel.decode().removeprefix(CHANGED))
            case [b"subscribe", bytes(channel), *_]:
                if self._lost:
                    logger.warning("subscribed to changes again")
                self._lost = False
                self.wake(channel.decode().removeprefix(CHANGED))  # It may have changed before.

    def _ask_for_life(self, line: Connection, silent: int) -> None:
        if silent >= SILENT_BEATS:
            raise exceptions.TimeoutError("no sign of life")
        if silent == 1:
            with self._lock:
                line.send_command("PING", check_health=False)

    def _leave(self, line: Connection) -> bool:
        """Leave the channels that nobody waits for; whether somebody waits for any."""
        with self._lock:
            idle = self._heard.difference(self._of)
            if idle:
                self._heard -= idle
                line.send_command("UNSUBSCRIBE", *map(CHANGED.__add__, idle), check_health=False)
            return bool(self._of)
