"""The RQ queues: the fast way to what is due.  What makes it certain is the `due` index."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from redis import Redis
from rq import Queue, worker_registration
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.timeouts import JobTimeoutException

from service.observe import tracing
from service.store.base import Due
from service.store.connection import available
from service.store.queue_names import QUEUES

JOBS = {
    "play_bot": ("bots", "workers.bots.play_bot"),
    "settle": ("settlement", "workers.settlement.settle"),
    "next_deal": ("settlement", "workers.settlement.next_deal"),
    "expire_turn": ("clock", "workers.clock.expire_turn"),
    "close_idle": ("clock", "workers.clock.close_idle"),
    "fill": ("clock", "workers.clock.fill"),
    "arrive": ("settlement", "workers.settlement.arrive"),
    "pay_out": ("settlement", "workers.settlement.pay_out"),
    "forget": ("clock", "workers.clock.forget"),
    "notify": ("webhooks", "workers.webhooks.notify"),
    "deliver": ("webhooks", "workers.webhooks.deliver"),
}
"""For each kind of follow-up, its queue and its job function."""

JOB_SECONDS = 10
"""The time after which a job is broken off; jobs take milliseconds."""

NOBODY = "paiute:nobody"
"""A key that there never is: RQ's list of workers may be empty, and Redis wants to be asked one."""

TimeUp = JobTimeoutException
"""What breaks a job off."""

FAILED_JOB_SECONDS = 24 * 3600
"""How long RQ keeps a job that raised, to be looked at."""


@dataclass(frozen=True, slots=True)
class QueueHealth:
    """How a queue is.

    Args:
        name: which one.
        jobs: how many jobs wait.
        oldest_at: since when the first of them waits, in milliseconds since 1970, or None.
        failed: how many have failed in the last day.
        workers: how many workers live that work on it.
    """

    name: str
    jobs: int
    oldest_at: int | None
    failed: int
    workers: int

    def oldest_ms(self, now: int) -> int:
        """How long the first job waits, at a time in milliseconds since 1970."""
        return max(0, now - self.oldest_at) if self.oldest_at is not None else 0


class JobQueue(Protocol):
    """Where jobs are put."""

    def enqueue(self, due: Due) -> None:
        """Ask for a job; one that is asked for twice does nothing the second time."""

    def health(self) -> tuple[QueueHealth, ...]:
        """How each queue is; raises `Unavailable` where they can't be reached."""


class RqQueues:
    """Jobs on RQ.  A job's id follows from what is due, so that the sweep can look for it."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._queues = {name: queue(name, redis) for name in QUEUES}

    def enqueue(self, due: Due) -> None:
        """Put a job on its queue.

        Raises:
            Unavailable: the queues can't be reached; the sweep will see to it later.
        """
        name, function = JOBS[due.kind]
        with available("queues"):
            self._queues[name].enqueue_call(
                function,
                args=(due.subject, due.number),
                job_id=job_id(due),
                timeout=JOB_SECONDS,
                result_ttl=0,
                failure_ttl=FAILED_JOB_SECONDS,
                meta=tracing.carried(),
            )

    def health(self) -> tuple[QueueHealth, ...]:
        """How each queue is.

        Raises:
            Unavailable: the queues can't be reached.
        """
        queues = self._queues.values()
        with available("queues"), self._redis.pipeline(transaction=False) as pipe:
            for one in queues:
                pipe.llen(one.key)
                pipe.zcard(one.failed_job_registry.key)
                pipe.lindex(one.key, 0)
                pipe.smembers(worker_registration.WORKERS_BY_QUEUE_KEY % one.name)
            found = [iter(pipe.execute())] * 4
            seen = list(zip(*found, strict=True))
            for _, _, first, workers in seen:
                pipe.hget(Job.key_for((first or b"").decode()), "enqueued_at")
                pipe.exists(*workers, NOBODY)
            found = [iter(pipe.execute())] * 2
            more = zip(*found, strict=True)
        return tuple(
            QueueHealth(one.name, jobs, _milliseconds(since), failed, alive)
            for one, (jobs, failed, _, _), (since, alive) in zip(queues, seen, more, strict=True)
        )

    def ping(self) -> None:
        """Raise `Unavailable` unless the queues can be reached."""
        with available("queues"):
            self._redis.ping()

    def enqueue_lost(self, due: Due) -> None:
        """Put a job on its queue unless it waits there already.

        Raises:
            Unavailable: the queues can't be reached.
        """
        name, _ = JOBS[due.kind]
        with available("queues"):
            place = self._redis.lpos(self._queues[name].key, job_id(due))
        if place is None:
            self.enqueue(due)


def _milliseconds(text: bytes | None) -> int | None:
    """A time as RQ writes it, in milliseconds since 1970."""
    if not text:
        return None
    return round(1000 * datetime.fromisoformat(text.decode()).timestamp())


def queue(name: str, redis: Redis) -> Queue:
    """An RQ queue with JSON job payloads."""
    return Queue(name, connection=redis, serializer=JSONSerializer)


def job_id(due: Due) -> str:
    """The id of the job that sees to something due."""
    return f"{due.kind}-{due.subject}-{due.number}"
