"""The application that the job functions of this process work on."""

import logging
from contextlib import suppress
from functools import cache

from service import faults, wiring
from service.config import from_env
from service.game import Game
from service.store.base import Due, NewerFormat, Unavailable
from service.store.queues import TimeUp

logger = logging.getLogger(__name__)


TRY_AGAIN_MS = 30_000
"""When a job that can't be done now is tried again."""


class JobFailed(Exception):
    """A job raised; what is due stays in the due index and is tried again."""


@cache
def game() -> Game:
    """The application, built from the environment when the first job asks for it."""
    return wiring.build_game(from_env())


def run(due: Due) -> None:
    """Do what is due.

    Raises:
        JobFailed: it raised; the log says where, without the message, which may name a card.
    """
    try:
        game().run(due)
    except NewerFormat:
        logger.warning("left to a newer release: %s", due)
    except Exception as error:  # noqa: BLE001 - whatever it was, it must not be logged in full
        logger.error("job %s failed: %s", due, faults.describe(error))  # noqa: TRY400
        if not isinstance(error, Unavailable | TimeUp):
            _try_later(due)
        raise JobFailed(type(error).__name__) from None


def _try_later(due: Due) -> None:
    """Give other jobs the worker before one that can't be done now is tried again."""
    with suppress(Unavailable):
        game().store.put_off(due, game().now() + TRY_AGAIN_MS)
