"""Jobs of the queue `webhooks`.

An endpoint may take seconds to answer, so a job only begins to deliver to it, on a thread, and the
worker goes on.  A process that is killed meanwhile loses nothing: the webhook is due again later.
"""

import random
import threading
from contextlib import suppress

from service.store.base import Due
from workers.context import JobFailed, game, run

THREADS = 16
"""How many endpoints a process calls at once that answered quickly the last time."""

SLOW_THREADS = 4
"""How many it calls at once that did not, so that these don't keep the others waiting."""


class Lane:
    """Threads of which some number run at once.

    Args:
        most: how many.
        again_ms: about how long something waits for the next look whether one is free.
    """

    def __init__(self, most: int, again_ms: int) -> None:
        self._places = threading.BoundedSemaphore(most)
        self._again_ms = again_ms

    def begin(self, due: Due) -> bool:
        """Do what is due on a thread; where all are busy nothing is done, and it is put off."""
        if self._places.acquire(blocking=False):
            try:
                threading.Thread(target=self._do, args=[due], name=f"deliver-{due.subject}").start()
            except RuntimeError:  # The machine has no thread left.
                self._places.release()
            else:
                return True
        pause = self._again_ms * random.uniform(0.5, 1.5)  # noqa: S311 - just to part them
        game().store.put_off(due, game().now() + int(pause))
        return False

    def _do(self, due: Due) -> None:
        try:
            with suppress(JobFailed):  # The log has said why, and it is due again.
                run(due)
        finally:
            self._places.release()


QUICK, SLOW = Lane(THREADS, 1000), Lane(SLOW_THREADS, 10_000)


def notify(table_id: str, number: int) -> None:
    """Tell those who hear of a table what has happened there."""
    run(Due("notify", table_id, number))


def deliver(webhook_id: str, number: int) -> None:
    """Begin to send what waits for a webhook's endpoint."""
    lane = SLOW if game().postman.is_slow(webhook_id) else QUICK
    lane.begin(Due("deliver", webhook_id, number))
