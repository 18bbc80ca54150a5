"""Redis Sentinel: when another server becomes the master, the game goes on there."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from redis import Redis

from service.store.connection import connect
from service.store.keys import CHANGED
from service.store.redis_store import RedisStore
from tests.support.parts import Api, Part, ended
from tests.support.patient import Book, Patient, check
from tests.support.sentinels import PASSWORD, Watched, watched_servers
from tests.support.waiting import wait_until

PLAYERS = 3

FAILOVER_SECONDS = 30
"""So long a failover may take on a busy machine; on an idle one two or three seconds."""


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    """A master, a replica and a sentinel of one test alone."""
    with watched_servers(tmp_path) as watched:
        yield watched


def lose_the_master(watched: Watched) -> None:
    """Kill the master."""
    watched.servers[watched.master].kill()


@pytest.mark.parametrize("change", [lose_the_master, Watched.hand_over], ids=["killed", "handed"])
def test_the_game_goes_on(
    watched: Watched, tmp_path: Path, change: Callable[[Watched], None]
) -> None:
    """Deals are played to their end across a failover, and every move is there, once."""
    old, new = watched.ports
    api = Api(tmp_path / "api", watched.url, "--workers", "1")
    workers = Part(tmp_path / "workers", watched.url, "worker")
    changed = threading.Event()
    with ended(api, workers), ThreadPoolExecutor(PLAYERS) as pool:
        wait_until(lambda: api.is_ready)
        before = workers.descendants()
        playing = [pool.submit(play, api, changed) for _ in range(PLAYERS)]
        try:
            wait_until(lambda: subscribers(old) > 0)
            change(watched)
            wait_until(lambda: watched.is_master(new) and watched.master == new, FAILOVER_SECONDS)
            wait_until(lambda: subscribers(new) > 0, FAILOVER_SECONDS)
        finally:
            changed.set()
        books = [book for one in playing for book in one.result().items()]
        assert before == workers.descendants()
        assert "Traceback" not in api.said
    store = RedisStore(connect(watched.url), 3600, 4)
    assert len(books) == sum(check(store, table, book) for table, book in books)


def play(api: Api, changed: threading.Event) -> dict[str, Book]:
    """Play whole deals against bots, one after the other, until the master has changed."""
    player = Patient(lambda: api.url)
    books = {}
    bots = [{"level": "easy"}] * 2
    while not changed.is_set() or not books:
        view = player.create(seats=3, bots=bots, deals=1, turn_seconds=0, thinking_ms=100)
        books[view["id"]] = player.play(view)
    player.close()
    return books


def subscribers(port: int) -> int:
    """How many at a server listen to the changes."""
    with Redis(port=port, password=PASSWORD) as redis:
        [(_, number)] = redis.pubsub_numsub(CHANGED)
        return int(number)
