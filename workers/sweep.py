"""The sweep: enqueues what has come due, and again what was lost on the way.

A follow-up that a queue or a worker has lost stays in the due index until its table moves on, so
the sweep finds it a second or two later.  Several sweeps may run at once.

What webhooks wait for has an index of its own.  It gets what time the game's leaves, so that a
turn's end is noticed as soon as ever, however many webhooks there are.
"""

import logging
import threading
import time

from service import wiring
from service.config import Config
from service.game import Game
from service.observe import metrics
from service.store.base import LOST_AFTER_MS, Unavailable
from service.store.queues import JOBS, RqQueues
from workers import pulse

logger = logging.getLogger(__name__)

TICK_SECONDS = 0.1
"""How often the due index is looked at: how late a turn's end can be noticed."""

QUIET_SECONDS = LOST_AFTER_MS / 1000 + 0.5
"""After so long without a failure all is well: what could not be enqueued was due again by then."""

BATCH = 100
"""How many due entries one look takes from each partition."""

WEBHOOKS_BATCH = 1
"""How many of those of webhooks: so few that it is soon done with them."""

WEBHOOKS_SECONDS = 0.06
"""For how long in a tick it goes on with those, where there are many: well before the next one."""


def sweep_once(game: Game, queues: RqQueues) -> int:
    """Enqueue what is due now and does not wait in a queue; gives how much was due.

    Of what webhooks wait for it takes just a little, after all else.
    """
    queues.ping()  # Else what is claimed would be late, though the store has it.
    return _enqueue_due(game, queues, BATCH) + sweep_webhooks(game, queues)


def sweep_webhooks(game: Game, queues: RqQueues) -> int:
    """Enqueue a little of what webhooks wait for; gives how much."""
    return _enqueue_due(game, queues, WEBHOOKS_BATCH, webhooks=True)


def _enqueue_due(game: Game, queues: RqQueues, batch: int, *, webhooks: bool = False) -> int:
    now = game.now()
    due = game.store.claim_due(now, now + LOST_AFTER_MS, batch, webhooks=webhooks)
    for one in due:
        if one.kind in JOBS:
            queues.enqueue_lost(one)
            metrics.SWEPT.inc()
        else:
            logger.warning("left to a newer release: %s", one)
    return len(due)


def run(config: Config, stop: threading.Event) -> None:
    """Sweep until told to stop."""
    game, queues = wiring.build_game(config), wiring.build_queues(config)
    failed_at: float | None = None
    now = time.monotonic()
    while not stop.wait(max(0.0, now + TICK_SECONDS - time.monotonic())):
        now = time.monotonic()
        pulse.beat(config.pulse_file)
        try:
            sweep_once(game, queues)
            metrics.SWEEP_LAST.set_to_current_time()
            while time.monotonic() < now + WEBHOOKS_SECONDS and sweep_webhooks(game, queues):
                pass
        except Unavailable as error:
            if failed_at is None:
                logger.warning("the sweep goes on when the store is back: %s", error)
            failed_at = now
            continue
        if failed_at is not None and now > failed_at + QUIET_SECONDS:
            logger.warning("the sweep goes on")
            failed_at = None
