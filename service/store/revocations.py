"""What a process knows of revoked tokens, so that checking one costs no round trip.

The list is read as a whole at first, and what came since at most twice a second: so every process
knows of a revocation within a second, and asks for nothing while no requests come.
"""

import threading
import time
from collections.abc import Callable

from service.engine.errors import PaiuteError
from service.store.tokens import FIRST_PLACE, Tokens

FRESH_SECONDS = 0.5
"""How old the knowledge may be; with the time of a read it stays well below a second."""

CLEAN_SECONDS = 60
"""How often tokens are forgotten that have expired since."""


class Revocations:
    """The revoked tokens, as this process knows them.

    Args:
        tokens: where the list is kept.
        clock: seconds that pass, from any beginning.
    """

    def __init__(self, tokens: Tokens, clock: Callable[[], float] = time.monotonic) -> None:
        self._tokens = tokens
        self._clock = clock
        self._reading = threading.Lock()
        self._place = FIRST_PLACE
        self._until: dict[str, int | None] = {}
        self._fresh_until = self._clean_at = float("-inf")
        self._away = False

    def revoked(self, token_id: str) -> bool:
        """Whether a token was revoked, by what was known half a second ago at the latest."""
        if self._clock() >= self._fresh_until:
            self._catch_up()
        return token_id in self._until

    def revoked_now(self, token_id: str) -> bool:
        """Whether a token was revoked, by what the store says at this moment."""
        with self._reading:
            self._read()
        return token_id in self._until

    def _catch_up(self) -> None:
        """Have one thread read, while the others wait for it; unless the store was away before.

        Then nobody waits: it may be long until the read fails.
        """
        if not self._reading.acquire(blocking=not self._away):
            return
        try:
            if self._clock() >= self._fresh_until:
                self._read()
        finally:
            self._reading.release()

    def _read(self) -> None:
        """Read what came since; while the store is away, what is known is all there is."""
        began = self._clock()
        try:
            more, self._place = self._tokens.revoked_after(self._place)
            self._away = False
        except PaiuteError:
            more, self._away = (), True
        self._until.update((one.token, one.until) for one in more)
        self._fresh_until = began + FRESH_SECONDS
        if began >= self._clean_at:
            self._clean_at = began + CLEAN_SECONDS
            self._forget_expired(int(time.time()))

    def _forget_expired(self, now: int) -> None:
        for token_id in [one for one, until in self._until.items() if until and until <= now]:
            del self._until[token_id]
