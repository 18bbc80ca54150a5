"""Jobs on RQ's queues: waiting once, found again where they were lost."""

from pathlib import Path

import pytest
from redis import Redis
from rq import SimpleWorker
from rq.job import Job
from rq.serializers import JSONSerializer

from service.store.base import Due, Unavailable, now_ms
from service.store.connection import connect
from service.store.queue_names import QUEUES
from service.store.queues import (
    FAILED_JOB_SECONDS,
    JOBS,
    QueueHealth,
    RqQueues,
    job_id,
    queue,
)

DUE = Due("play_bot", "01JTABLE", 17)


def waiting(redis: Redis, name: str = "bots") -> list[str]:
    """The ids of the jobs that wait in a queue."""
    return list(queue(name, redis).job_ids)


@pytest.fixture
def queues(redis: Redis) -> RqQueues:
    """Empty queues on the real server."""
    return RqQueues(redis)


@pytest.mark.parametrize("kind", JOBS)
def test_each_kind_has_its_queue(redis: Redis, queues: RqQueues, kind: str) -> None:
    """A follow-up becomes a job of its kind's function, with the table and the version."""
    due = Due(kind, "01JTABLE", 17)  # type: ignore[arg-type]
    queues.enqueue(due)
    name, function = JOBS[due.kind]
    assert name in QUEUES
    assert [f"{kind}-01JTABLE-17"] == waiting(redis, name)
    job = Job.fetch(job_id(due), redis, JSONSerializer)
    assert (function, ["01JTABLE", 17]) == (job.func_name, list(job.args))
    assert (0, FAILED_JOB_SECONDS) == (job.result_ttl, job.failure_ttl)


def test_a_waiting_job_is_not_doubled(redis: Redis, queues: RqQueues) -> None:
    """What waits in its queue is not put there a second time by the sweep."""
    queues.enqueue(DUE)
    for _ in range(3):
        queues.enqueue_lost(DUE)
    assert [job_id(DUE)] == waiting(redis)


def test_a_lost_job_is_enqueued_again(redis: Redis, queues: RqQueues) -> None:
    """What a worker has taken and never finished waits again after the sweep saw it."""
    queues.enqueue(DUE)
    assert redis.lpop(queue("bots", redis).key)
    queues.enqueue_lost(DUE)
    assert [job_id(DUE)] == waiting(redis)


def test_another_version_is_another_job(redis: Redis, queues: RqQueues) -> None:
    """A job that waits for an older version does not keep a newer one out."""
    newer = Due("play_bot", "01JTABLE", 18)
    queues.enqueue(DUE)
    queues.enqueue_lost(newer)
    assert [job_id(DUE), job_id(newer)] == waiting(redis)


def test_queues_that_are_away(tmp_path: Path) -> None:
    """Where the queues can't be reached, both ways to enqueue say so."""
    away = RqQueues(connect(f"unix://{tmp_path}/nothing.sock"))
    for enqueue in (away.enqueue, away.enqueue_lost):
        with pytest.raises(Unavailable):
            enqueue(DUE)
    with pytest.raises(Unavailable):
        away.health()


def test_how_queues_are(redis: Redis, queues: RqQueues) -> None:
    """Each queue tells how many jobs wait, since when, how many have failed, and who works."""
    before = now_ms()
    queues.enqueue(DUE)
    queues.enqueue(Due("play_bot", "01JTABLE", 18))
    failed = queue("clock", redis)
    failed.failed_job_registry.add(failed.create_job("no.such.function"), ttl=60)
    worker = SimpleWorker([queue("settlement", redis)], connection=redis)
    worker.register_birth()  # type: ignore[no-untyped-call]
    health = {one.name: one for one in queues.health()}
    assert set(QUEUES) == set(health)
    assert (2, 0, 0) == (health["bots"].jobs, health["bots"].failed, health["bots"].workers)
    assert before - 1 <= (health["bots"].oldest_at or 0) <= now_ms()
    assert QueueHealth("clock", 0, None, 1, 0) == health["clock"]
    assert QueueHealth("settlement", 0, None, 0, 1) == health["settlement"]


def test_a_dead_worker_is_not_counted(redis: Redis, queues: RqQueues) -> None:
    """A worker that was killed counts no more once its time is over."""
    worker = SimpleWorker([queue("bots", redis)], connection=redis)
    worker.register_birth()  # type: ignore[no-untyped-call]
    redis.delete(worker.key)
    assert [0] == [one.workers for one in queues.health() if one.name == "bots"]
