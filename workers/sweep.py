"""The sweep: enqueues what has come due, and again what was lost on the way.

A follow-up that a queue or a worker has lost stays in the due index until its table moves on, so
the sweep finds it a second or two later.  Several sweeps may run at once.
"""

import logging
import threading
import time

from service import wiring
from service.config import Config
from service.game import Game
from service.store.base import LOST_AFTER_MS, Unavailable
from service.store.queues import JOBS, RqQueues

logger = logging.getLogger(__name__)

TICK_SECONDS = 0.1
"""How often the due index is looked at: how late a turn's end can be noticed."""

QUIET_SECONDS = LOST_AFTER_MS / 1000 + 0.5
"""After so long without a failure all is well: what could not be enqueued was due again by then."""

BATCH = 100
"""How many due entries one look takes from each partition."""


def sweep_once(game: Game, queues: RqQueues) -> int:
    """Enqueue what is due now and does not wait in a queue; gives how much was due."""
    queues.ping()  # Else what is claimed would be late, though the store has it.
    now = game.now()
    due = game.store.claim_due(now, now + LOST_AFTER_MS, BATCH)
    for one in due:
        if one.kind in JOBS:
            queues.enqueue_lost(one)
        else:
            logger.warning("left to a newer release: %s", one)
    return len(due)


def run(config: Config, stop: threading.Event) -> None:
    """Sweep until told to stop."""
    game, queues = wiring.build_game(config), wiring.build_queues(config)
    failed_at: float | None = None
    while not stop.wait(TICK_SECONDS):
        now = time.monotonic()
        try:
            sweep_once(game, queues)
        except Unavailable as error:
            if failed_at is None:
                logger.warning("the sweep goes on when the store is back: %s", error)
            failed_at = now
            continue
        if failed_at is not None and now > failed_at + QUIET_SECONDS:
            logger.warning("the sweep goes on")
            failed_at = None
