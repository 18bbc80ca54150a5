"""The worker that keeps nothing of its jobs, on real RQ."""

import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from redis import Redis, RedisError
from rq import get_current_job
from rq.registry import FailedJobRegistry
from rq.serializers import JSONSerializer

from service.store.connection import connect
from service.store.queues import queue
from tests.support.parts import Server, own_server
from workers.worker import Worker

JOB_ID = "notify-somewhere-0"

servers: list[Server] = []
"""What a job kills."""

went_on: list[str] = []
"""Jobs that were not broken off."""


def worker(redis: Redis) -> Worker:
    """A worker of one queue."""
    return Worker([queue("bots", redis)], connection=redis, serializer=JSONSerializer)


def enqueue(redis: Redis, function: str, *args: object) -> None:
    """Put a job on the queue."""
    queue("bots", redis).enqueue_call(f"{__name__}.{function}", args=args, job_id=JOB_ID)


def is_looked_after(fails: bool) -> None:
    """A job during which another worker's maintenance finds it."""
    job = get_current_job()
    assert job
    bots = queue("bots", job.connection)
    assert [JOB_ID] == bots.intermediate_queue.get_job_ids()
    bots.intermediate_queue.cleanup(worker(job.connection), bots)
    assert bots.intermediate_queue.get_first_seen(JOB_ID)
    if fails:
        raise RuntimeError


@pytest.mark.parametrize("fails", [False, True])
def test_maintenance_during_a_job(redis: Redis, fails: bool) -> None:
    """What maintenance has noted of a job goes with it: its id may come again."""
    enqueue(redis, "is_looked_after", fails)
    worker(redis).work(burst=True, logging_level="CRITICAL")
    assert [] == redis.keys("*first_seen*")
    assert int(fails) == FailedJobRegistry(queue=queue("bots", redis)).count


def nothing() -> None:
    """A job."""


def test_what_a_killed_worker_had(redis: Redis) -> None:
    """Of a job whose worker was killed nothing is left once it was done again."""
    bots = queue("bots", redis)
    enqueue(redis, "nothing")
    redis.lmove(bots.key, bots.intermediate_queue_key)
    enqueue(redis, "nothing")
    another = worker(redis)
    another.work(burst=True, logging_level="WARNING")
    another.clean_registries()  # type: ignore[no-untyped-call]
    assert [] == redis.keys("rq:job:*") + redis.keys("*intermediate*")
    assert 0 == FailedJobRegistry(queue=bots).count


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server of one test alone."""
    with own_server(tmp_path) as server:
        yield server


def is_told_to_stop() -> None:
    """A job during which the queues go away, and its worker is told to stop."""
    servers.pop().kill()
    signal.raise_signal(signal.SIGTERM)
    went_on.append(JOB_ID)


def test_told_to_stop_while_the_queues_are_away(server: Server) -> None:
    """A worker that is told to stop in the midst of a job ends it first, and needs no Redis."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    redis = connect(server.url)
    assert isinstance(redis, Redis)
    enqueue(redis, "is_told_to_stop")
    servers.append(server)
    one = worker(redis)
    try:
        with suppress(RedisError):
            one.work(logging_level="CRITICAL")
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    assert [JOB_ID] == went_on
    assert one.stopping
