"""Redis Sentinel: when another server becomes the master, the game goes on there."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

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


def lose_the_master(watched: Watched) -> None:
    """Kill the master."""
    watched.servers[watched.master].kill()


def test_the_master_is_killed(tmp_path: Path) -> None:
    """Deals are played to their end though the master was killed, and every move is there once."""
    with watched_servers(tmp_path, careful=False) as watched:
        play_across(watched, tmp_path, lose_the_master)


def test_the_master_hands_over(tmp_path: Path) -> None:
    """As well where the sentinel chose another master while the old one was there.

    For a moment both take themselves for the master. That no move is lost then is thanks to
    `min-replicas-to-write`, which docs/deploy.md names.
    """
    with watched_servers(tmp_path, careful=True) as watched:
        play_across(watched, tmp_path, Watched.hand_over)


def play_across(watched: Watched, folder: Path, change: Callable[[Watched], None]) -> None:
    """Play deals while another server becomes the master, and check them."""
    old, new = watched.ports
    api = Api(folder / "api", watched.url, "--workers", "1")
    workers = Part(folder / "workers", watched.url, "worker")
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
    books: dict[str, Book] = {}
    bots = [{"level": "easy"}] * 2
    while not changed.is_set() or not books:
        view = player.create(seats=3, bots=bots, deals=1, turn_seconds=0, thinking_ms=100)
        books[view["id"]] = player.play(view)
    player.close()
    return books


def subscribers(port: int) -> int:
    """How many channels of changes somebody listens to at a server."""
    with Redis(port=port, password=PASSWORD) as redis:
        return len(redis.pubsub_channels(f"{CHANGED}*"))
