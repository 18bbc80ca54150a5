"""What a process knows of revoked tokens, so that checking one costs no round trip.

The list is read as a whole at first, and what came since at most twice a second: so every process
knows of a revocation within a second, and asks for nothing while no requests come.

Nobody waits for a long list.  It is read a page at a time, in the background; until its end is
reached the store is asked for each token by itself.
"""

import threading
import time
from collections.abc import Callable

from service.engine.errors import PaiuteError
from service.store.tokens import FIRST_PLACE, PAGE, Tokens

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
        self._reader: threading.Thread | None = None
        self._place = FIRST_PLACE
        self._until: dict[str, int | None] = {}
        self._fresh_until = self._clean_at = float("-inf")
        self._away = self._behind = self._read_once = False

    def ready(self) -> bool:
        """Whether the list has been read once to its end; the first to ask has it begun."""
        self._keep_up()
        return self._read_once

    def revoked(self, token_id: str) -> bool:
        """Whether a token was revoked, by what was known half a second ago at the latest."""
        self._keep_up()
        return self._knows(token_id)

    def revoked_now(self, token_id: str) -> bool:
        """Whether a token was revoked, by what the store says at this moment."""
        if not self._behind:
            with self._reading:
                self._read()
        return self._knows(token_id)

    def _knows(self, token_id: str) -> bool:
        """Whether a token is known to be revoked; the store has to say, where more is to be read.

        While the store is away, what is known is all there is.
        """
        if token_id in self._until or not self._behind:
            return token_id in self._until
        try:
            return self._tokens.revoked(token_id)
        except PaiuteError:
            return False

    def _keep_up(self) -> None:
        """Have one thread read, where it is time to, while others wait for that page.

        Nobody waits where the store was away before, since it may be long until the read fails,
        nor while a long list is read.
        """
        if self._clock() < self._fresh_until:
            return
        if not self._reading.acquire(blocking=not (self._away or self._behind)):
            return
        try:
            if self._clock() >= self._fresh_until:
                self._read()
        finally:
            self._reading.release()

    def _read(self) -> None:
        """Read what came since, a page of it; for whoever holds the lock."""
        began = self._clock()
        try:
            more, self._place = self._tokens.revoked_after(self._place)
        except PaiuteError:
            self._away = True
        else:
            self._until.update((one.token, one.until) for one in more)
            self._away, self._behind = False, len(more) >= PAGE  # Not before it is known.
            self._read_once = self._read_once or not self._behind
        self._fresh_until = began + FRESH_SECONDS
        if began >= self._clean_at:
            self._clean_at = began + CLEAN_SECONDS
            self._forget_expired(int(time.time()))
        if self._behind and not self._away and self._reader is None:
            self._reader = threading.Thread(target=self._read_on, daemon=True)
            self._reader.start()

    def _read_on(self) -> None:
        """Read to the end of the list, while the store is there."""
        while True:
            with self._reading:
                self._read()
                if self._away or not self._behind:
                    self._reader = None
                    return

    def _forget_expired(self, now: int) -> None:
        for token_id in [one for one, until in self._until.items() if until and until <= now]:
            del self._until[token_id]
