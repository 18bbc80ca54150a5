"""The RQ queues: the fast way to what is due.  What makes it certain is the `due` index."""

from typing import Protocol

from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer
from rq.timeouts import JobTimeoutException

from service.store.base import QUEUES, Due
from service.store.connection import available

JOBS = {
    "play_bot": ("bots", "workers.bots.play_bot"),
    "settle": ("settlement", "workers.settlement.settle"),
    "next_deal": ("settlement", "workers.settlement.next_deal"),
    "expire_turn": ("clock", "workers.clock.expire_turn"),
    "close_idle": ("clock", "workers.clock.close_idle"),
    "arrive": ("settlement", "workers.settlement.arrive"),
    "pay_out": ("settlement", "workers.settlement.pay_out"),
    "forget": ("clock", "workers.clock.forget"),
}
"""For each kind of follow-up, its queue and its job function."""

JOB_SECONDS = 10
"""The time after which a job is broken off; jobs take milliseconds."""

TimeUp = JobTimeoutException
"""What breaks a job off."""

FAILED_JOB_SECONDS = 24 * 3600
"""How long RQ keeps a job that raised, to be looked at."""


class JobQueue(Protocol):
    """Where jobs are put."""

    def enqueue(self, due: Due) -> None:
        """Ask for a job; one that is asked for twice does nothing the second time."""


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
        with available("The job queues"):
            self._queues[name].enqueue_call(
                function,
                args=(due.subject, due.number),
                job_id=job_id(due),
                timeout=JOB_SECONDS,
                result_ttl=0,
                failure_ttl=FAILED_JOB_SECONDS,
            )

    def ping(self) -> None:
        """Raise `Unavailable` unless the queues can be reached."""
        with available("The job queues"):
            self._redis.ping()

    def enqueue_lost(self, due: Due) -> None:
        """Put a job on its queue unless it waits there already.

        Raises:
            Unavailable: the queues can't be reached.
        """
        name, _ = JOBS[due.kind]
        with available("The job queues"):
            place = self._redis.lpos(self._queues[name].key, job_id(due))
        if place is None:
            self.enqueue(due)


def queue(name: str, redis: Redis) -> Queue:
    """An RQ queue with JSON job payloads."""
    return Queue(name, connection=redis, serializer=JSONSerializer)


def job_id(due: Due) -> str:
    """The id of the job that sees to something due."""
    return f"{due.kind}-{due.subject}-{due.number}"
