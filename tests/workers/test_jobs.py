"""The job functions, through real RQ on the real server."""

from collections.abc import Iterator

import pytest
from redis import Redis
from rq.job import Job
from rq.registry import FailedJobRegistry, StartedJobRegistry
from rq.serializers import JSONSerializer

from service import bots, wiring
from service.config import Config
from service.game import Game
from service.store import codec, keys
from service.store.base import LOST_AFTER_MS, Due, Store, Unavailable
from service.store.queue_names import QUEUES
from service.store.queues import job_id, queue
from service.tables import Leave, Status, Table
from tests.support.tables import HOST, open_account, settings
from workers import context
from workers.context import TRY_AGAIN_MS
from workers.worker import Worker


@pytest.fixture
def game(config: Config, redis: Redis, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """The application that the job functions work on, over the real server."""
    monkeypatch.setenv("PAIUTE_SECRET", config.secret)
    monkeypatch.setenv("PAIUTE_REDIS_URL", config.redis_url)
    context.game.cache_clear()
    yield wiring.build_game(config)
    context.game.cache_clear()


def burst(redis: Redis, *names: str) -> int:
    """Work on queues in this process until they are empty; gives how many jobs were done."""
    worker = Worker(
        [queue(name, redis) for name in names or QUEUES],
        connection=redis,
        serializer=JSONSerializer,
    )
    done = 0
    while any(queue(name, redis).count for name in names or QUEUES):
        done += sum(queue(name, redis).count for name in names or QUEUES)
        worker.work(burst=True, logging_level="WARNING")
    return done


def exhibition(game: Game, deals: int = 2) -> Table:
    """A table that three bots play at."""
    return game.create_table(HOST, settings(seats=3, deals=deals), ("easy", "easy", "medium"))


def test_a_whole_table_by_jobs(game: Game, redis: Redis) -> None:
    """Bots' turns, settlements and next deals run as RQ jobs, one after the other, to the end."""
    table = exhibition(game)
    assert [job_id(Due("play_bot", table.id, table.version))] == queue("bots", redis).job_ids
    burst(redis)
    after = game.store.load(table.id)
    assert (Status.CLOSED, 2) == (after.status, after.number)
    assert 2 == len(game.store.records(table.id, None, 9))
    assert list(range(1, after.version + 1)) == versions(game.store, table.id)


def versions(store: Store, table_id: str) -> list[int]:
    """The versions in a table's log."""
    return [entry.id for entry in store.entries(table_id, 0, 100_000)]


def test_nothing_of_a_done_job_is_left(game: Game, redis: Redis) -> None:
    """A job that was done leaves nothing behind in Redis."""
    exhibition(game)
    burst(redis)
    assert [] == redis.keys("rq:job:*")
    for name in QUEUES:
        assert 0 == FailedJobRegistry(queue=queue(name, redis)).count
        assert 0 == StartedJobRegistry(queue=queue(name, redis)).count


def test_a_job_waits_twice(game: Game, redis: Redis, config: Config) -> None:
    """The same job twice in the queue is played once, and neither fails."""
    table = exhibition(game)
    due = Due("play_bot", table.id, table.version)
    queues = wiring.build_queues(config)
    for _ in range(2):
        queues.enqueue(due)
    assert 3 == queue("bots", redis).count
    burst(redis)
    after = game.store.load(table.id)
    assert Status.CLOSED is after.status
    assert list(range(1, after.version + 1)) == versions(game.store, table.id)
    assert 0 == FailedJobRegistry(queue=queue("bots", redis)).count


def test_a_table_that_is_gone(game: Game, redis: Redis, config: Config) -> None:
    """A job of a table that is not there does nothing, and what was due is due no more."""
    of = keys.keys_of("nowhere")
    redis.zadd(of.due, {"settle:nowhere:3": 1})
    wiring.build_queues(config).enqueue(Due("settle", "nowhere", 3))
    burst(redis)
    assert 0 == redis.zcard(of.due)
    assert 0 == FailedJobRegistry(queue=queue("settlement", redis)).count


def test_a_failed_job_can_be_done_again(
    game: Game, redis: Redis, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job that failed is done by the sweep's second try, under the same id."""
    table = exhibition(game, deals=1)
    due = Due("play_bot", table.id, table.version)

    def away(*_: object) -> Table:
        raise Unavailable("The store of the tables can't be reached now.")

    with monkeypatch.context() as patch:
        patch.setattr(type(game.store), "load", away)
        burst(redis)
    assert [job_id(due)] == FailedJobRegistry(queue=queue("bots", redis)).get_job_ids()
    wiring.build_queues(config).enqueue_lost(due)
    burst(redis)
    assert Status.CLOSED is game.store.load(table.id).status
    assert 0 == redis.exists(f"rq:job:{job_id(due)}")


def test_a_bot_that_never_answers(
    game: Game,
    redis: Redis,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A bot that overruns the job's time gets the fallback move, and the table goes on."""
    choose = bots.choose
    thought: list[bool] = []

    def ponder(*args: object) -> object:
        while not thought:
            try:
                while True:
                    pass
            finally:
                thought.append(True)
        return choose(*args)  # type: ignore[arg-type]

    monkeypatch.setattr("service.store.queues.JOB_SECONDS", 1)
    table = exhibition(game, deals=1)
    monkeypatch.setattr(bots, "choose", ponder)
    burst(redis)
    assert Status.CLOSED is game.store.load(table.id).status
    assert any("JobTimeoutException" in one.getMessage() for one in caplog.records)


def test_a_table_of_a_newer_release(game: Game, redis: Redis) -> None:
    """It is left to the newer release, and no job fails."""
    table = exhibition(game)
    of = keys.keys_of(table.id)
    redis.hset(of.table(table.id), "format", codec.FORMAT + 1)
    before = redis.hgetall(of.table(table.id))
    burst(redis)
    assert 0 == FailedJobRegistry(queue=queue("bots", redis)).count
    later = game.now() + LOST_AFTER_MS
    assert (Due("play_bot", table.id, table.version),) == game.store.claim_due(later, later, 9)
    assert before == redis.hgetall(of.table(table.id))


def test_a_job_that_always_fails_gives_way(
    game: Game, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried again, but not at once, and is kept for a day, to be looked at."""

    def fail(*_: object) -> None:
        raise RuntimeError

    table = exhibition(game)
    monkeypatch.setattr("service.game.bot_turn", fail)
    burst(redis)
    (failed,) = FailedJobRegistry(queue=queue("bots", redis)).get_job_ids()
    job = Job.fetch(failed, redis, JSONSerializer)
    result = job.latest_result()
    assert result is not None
    assert RuntimeError.__name__ in (result.exc_string or "")
    assert 86_000 < redis.ttl(job.key) <= 86_400
    soon, later = game.now() + TRY_AGAIN_MS - 5000, game.now() + TRY_AGAIN_MS
    assert () == game.store.claim_due(soon, soon, 9)
    assert (Due("play_bot", table.id, table.version),) == game.store.claim_due(later, later, 9)


def test_a_closed_table_is_forgotten(game: Game, redis: Redis) -> None:
    """After the retention a job deletes all that was kept of it, unless it still owes chips."""
    open_account(game.store, HOST)
    table = game.create_table(HOST, settings(), ())
    closed = game.act(table.id, Leave(HOST.id))
    of, due = keys.keys_of(table.id), Due("forget", table.id, closed.version)
    assert redis.zscore(of.due, f"forget:{table.id}:{closed.version}") is not None
    redis.hset(of.owed(table.id), "1", "[]")
    context.run(due)
    assert closed == game.store.load(table.id)
    game.store.paid(table.id, 1)
    for _ in range(2):
        context.run(due)
    kept = of.arrivals(table.id)
    assert [kept.encode()] == redis.keys(f"*:{table.id}")
    assert 0 < redis.ttl(kept) <= 86_400
    assert 0 == redis.zcard(of.due)
    assert [] == [table.id for table in game.store.lobby(None, open_only=False, limit=9).tables]
