"""The application that the job functions of this process work on."""

import logging
import threading
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cache

from rq import get_current_job

from service import faults, wiring
from service.config import from_env
from service.game import Game
from service.observe import logs, metrics, tracing
from service.store.base import Due, NewerFormat, Unavailable
from service.store.queues import TimeUp, job_id

logger = logging.getLogger(__name__)


TRY_AGAIN_MS = 30_000
"""When a job that can't be done now is tried again."""


_doing = threading.local()
"""What each thread is doing, for the log."""


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
    _doing.due = due
    try:
        with _traced(due):
            _run(due)
    finally:
        _doing.due = None


def _traced(due: Due) -> AbstractContextManager[object]:
    """Around a job: a part of the trace of who has asked for it, where anything is traced."""
    if not tracing.on():
        return nullcontext()
    job = get_current_job()
    came_with = job.meta if job else {}
    return tracing.span(f"job {due.kind}", came_with, facts(), "CONSUMER")


def _run(due: Due) -> None:
    result = "failed"
    try:
        with metrics.timed(metrics.JOB_SECONDS.labels(due.kind)):
            game().run(due)
        result = "done"
    except NewerFormat:
        result = "left"
        logger.warning("left to a newer release: %s", due)
    except Exception as error:  # noqa: BLE001 - whatever it was, it must not be logged in full
        logger.error("job %s failed: %s", due, faults.describe(error))  # noqa: TRY400
        if not isinstance(error, Unavailable | TimeUp):
            _try_later(due)
        raise JobFailed(type(error).__name__) from None
    finally:
        metrics.JOBS.labels(due.kind, result).inc()


def facts() -> dict[str, str | int]:
    """What log and trace tell of the job at hand, where there is one."""
    due: Due | None = getattr(_doing, "due", None)
    if due is None:
        return {}
    subject = {"deliver": "webhook", "arrive": "player"}.get(due.kind, "table")
    return {"job": job_id(due), "kind": due.kind, subject: due.subject, "version": due.number}


logs.about(facts)


def _try_later(due: Due) -> None:
    """Give other jobs the worker before one that can't be done now is tried again."""
    with suppress(Unavailable):
        game().store.put_off(due, game().now() + TRY_AGAIN_MS)
