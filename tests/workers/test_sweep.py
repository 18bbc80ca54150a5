"""The sweep finds what a queue or a worker has lost."""

import threading

import pytest
from redis import Redis
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from service import wiring
from service.config import Config
from service.game import Game
from service.store.base import LOST_AFTER_MS, Due, Unavailable
from service.store.keys import PARTITIONS, keys_of
from service.store.queue_names import QUEUES
from service.store.queues import RqQueues, job_id, queue
from service.store.redis_store import RedisStore
from service.tables import Status, Table
from service.tables.table import GRACE_MS
from tests.support.game import FakeClock
from tests.support.tables import GUEST, HOST, START, open_account, settings
from tests.support.waiting import wait_until
from workers import sweep
from workers.context import game as game_of_jobs


@pytest.fixture
def clock() -> FakeClock:
    """The time of these tests."""
    return FakeClock()


@pytest.fixture
def game(config: Config, redis: Redis, clock: FakeClock) -> Game:
    """The application over the real server, with a clock in hand."""
    store = RedisStore(redis, 3600, 4, clock)
    open_account(store, HOST)
    return Game(store, RqQueues(redis), clock=clock)


@pytest.fixture
def queues(redis: Redis) -> RqQueues:
    """The job queues."""
    return RqQueues(redis)


def exhibition(game: Game, thinking_ms: int = 0) -> Table:
    """A table of two bots."""
    return game.create_table(HOST, settings(deals=1, thinking_ms=thinking_ms), ("easy", "easy"))


def waiting(redis: Redis, name: str = "bots") -> list[str]:
    """The jobs that wait in a queue."""
    return list(queue(name, redis).job_ids)


def test_a_lost_job_is_enqueued_again(
    game: Game, queues: RqQueues, redis: Redis, clock: FakeClock
) -> None:
    """A job that a worker took and never did waits again a second and a half later."""
    table = exhibition(game)
    lost = waiting(redis)
    redis.delete(queue("bots", redis).key)
    assert 0 == sweep.sweep_once(game, queues), "it may still be at work"
    clock.advance(LOST_AFTER_MS / 1000)
    assert 1 == sweep.sweep_once(game, queues)
    assert [job_id(Due("play_bot", table.id, table.version))] == lost == waiting(redis)


def test_a_waiting_job_is_not_doubled(
    game: Game, queues: RqQueues, redis: Redis, clock: FakeClock
) -> None:
    """However long a job waits for a worker, and however often it is swept, it waits once."""
    exhibition(game)
    for _ in range(5):
        clock.advance(LOST_AFTER_MS / 1000)
        assert 1 == sweep.sweep_once(game, queues)
        assert 1 == len(waiting(redis))


def test_what_comes_due_later(game: Game, queues: RqQueues, redis: Redis, clock: FakeClock) -> None:
    """A thinking bot's turn is enqueued when its time is over, and not before."""
    exhibition(game, thinking_ms=700)
    clock.advance(0.699)
    assert 0 == sweep.sweep_once(game, queues)
    clock.advance(0.001)
    assert 1 == sweep.sweep_once(game, queues)
    assert 1 == len(waiting(redis))
    assert 0 == sweep.sweep_once(game, queues)


def test_queues_that_are_away(
    game: Game, queues: RqQueues, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is claimed while it could not be enqueued, so it is not late when they are back."""
    table = exhibition(game)
    redis.delete(queue("bots", redis).key)

    def away() -> None:
        raise Unavailable("The job queues can't be reached now.")

    with monkeypatch.context() as patch:
        patch.setattr(queues, "ping", away)
        game.now = lambda: START + 2000
        with pytest.raises(Unavailable):
            sweep.sweep_once(game, queues)
    assert 1 == sweep.sweep_once(game, queues)
    assert [job_id(Due("play_bot", table.id, table.version))] == waiting(redis)


def test_webhooks_are_swept_last(
    game: Game, queues: RqQueues, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much webhooks wait for, a turn's end is enqueued first, and little else with it."""
    for n in range(1000):
        due = Due("deliver", f"webhook-{n}", 0)
        redis.zadd(keys_of(due.subject).hooks_due, {due.member: START - 1000})
    turn = Due("expire_turn", "table-1", 7)
    redis.zadd(keys_of(turn.subject).due, {turn.member: START})
    enqueued: list[Due] = []
    monkeypatch.setattr(queues, "enqueue_lost", enqueued.append)
    found = sweep.sweep_once(game, queues)
    assert turn == enqueued[0]
    assert 1 + PARTITIONS * sweep.WEBHOOKS_BATCH == len(enqueued) == found

    for _ in range(1000 // sweep.WEBHOOKS_BATCH):
        sweep.sweep_webhooks(game, queues)
    assert 1001 == len(set(enqueued)) == len(enqueued), "each in its turn"


def test_a_turn_that_runs_out(game: Game, queues: RqQueues, redis: Redis, clock: FakeClock) -> None:
    """A person's deadline becomes a job of the clock's queue."""
    table = game.create_table(HOST, settings(turn_seconds=10), ())
    open_account(game.store, GUEST)
    game.join(table.id, GUEST)
    clock.advance(10)
    assert 0 == sweep.sweep_once(game, queues), "a move in time may still be on its way"
    clock.advance(GRACE_MS / 1000)
    assert 1 == sweep.sweep_once(game, queues)
    assert [f"expire_turn-{table.id}-3"] == waiting(redis, "clock")


def test_a_table_that_waits_in_vain(
    game: Game, queues: RqQueues, redis: Redis, clock: FakeClock
) -> None:
    """A waiting table's closing becomes a job of the clock's queue."""
    table = game.create_table(HOST, settings(), ())
    clock.advance(1800)
    assert 1 == sweep.sweep_once(game, queues)
    assert [f"close_idle-{table.id}-1"] == waiting(redis, "clock")


def test_a_closed_table_is_left_alone(
    game: Game, queues: RqQueues, redis: Redis, clock: FakeClock
) -> None:
    """Nothing is due at a table that is closed, until it is forgotten."""
    table = exhibition(game)
    while jobs := game.store.claim_due(clock.now + 10**6, clock.now, 9):
        for due in jobs:
            game.run(due)
    assert Status.CLOSED is game.store.load(table.id).status
    clock.advance(3000)
    assert 0 == sweep.sweep_once(game, queues)


def test_two_sweeps_at_once(game: Game, queues: RqQueues, redis: Redis, clock: FakeClock) -> None:
    """Two sweeps at the same moment enqueue everything once between them."""
    tables = [exhibition(game, thinking_ms=500) for _ in range(40)]
    clock.advance(0.5)
    together = threading.Barrier(2)
    found: list[int] = []

    def one() -> None:
        together.wait()
        found.append(sweep.sweep_once(game, queues))

    threads = [threading.Thread(target=one) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(tables) == sum(found)
    assert sorted(f"play_bot-{t.id}-{t.version}" for t in tables) == sorted(waiting(redis))


def test_the_sweep_outlives_a_store_that_is_away(
    config: Config, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the store or the queues are away the sweep waits, and then goes on by itself."""
    monkeypatch.setenv("PAIUTE_SECRET", config.secret)
    monkeypatch.setenv("PAIUTE_REDIS_URL", config.redis_url)
    game_of_jobs.cache_clear()
    stop = threading.Event()
    sweeping = threading.Thread(target=sweep.run, args=(config, stop))
    game = wiring.build_game(config)
    sweeping.start()
    try:
        redis.config_set("maxclients", 1)
        redis.client_kill_filter(_type="normal", skipme=True)
        redis.config_set("maxclients", 1000)
        table = exhibition(game, thinking_ms=1)
        wait_until(lambda: _work(redis) and game.store.load(table.id).status is Status.CLOSED)
    finally:
        stop.set()
        sweeping.join()
        game_of_jobs.cache_clear()


def _work(redis: Redis) -> bool:
    worker = SimpleWorker(
        [queue(name, redis) for name in QUEUES], connection=redis, serializer=JSONSerializer
    )
    worker.work(burst=True, logging_level="WARNING")
    return True
