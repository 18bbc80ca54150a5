"""Whatever is killed, tables go on by themselves, and nothing is lost or done twice."""

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from redis import Redis, RedisError

from service import embedded
from service.store.base import Unavailable
from service.store.connection import connect
from service.store.redis_store import RedisStore
from tests.support.client import Client
from tests.support.processes import RunningService, children_of, start_redis
from tests.support.replay import Replay, replay
from tests.support.waiting import wait_until

BACK_SECONDS = 5
"""How long after a worker is there again a bot's turn may take to be played."""

KILLS = 5


class Watched:
    """A service with a table that bots play at without end."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.service = RunningService(data)
        self.client = Client(self.service.url)
        self.table: str = self.client.create(
            seats=4,
            bots=[{"level": "easy"}] * 4,
            thinking_ms=0,
            pause_seconds=0,
            deals=100_000,
        )["id"]
        self.store = self.open_store()

    def open_store(self) -> RedisStore:
        """The service's store, looked at from outside."""
        return RedisStore(connect(self.service.redis_url), 3600, 4)

    @property
    def version(self) -> int:
        """The table's version, or -1 while the store is away."""
        with contextlib.suppress(Unavailable):
            return self.store.load(self.table).version
        return -1

    def goes_on(self, seconds: float = BACK_SECONDS, events: int = 10) -> float:
        """Wait until more has happened at the table; gives how long that took."""
        begun, before = time.monotonic(), wait_until(lambda: max(self.version, 0), seconds)
        wait_until(lambda: self.version > before + events, seconds)
        return time.monotonic() - begun

    def kill(self, *words: str) -> list[int]:
        """Kill the children with these words; gives those that the launcher starts instead."""
        killed = self.service.children(*words)
        assert killed
        for process in killed:
            os.kill(process, signal.SIGKILL)
        return wait_until(lambda: self._others(killed, words), 5)

    def _others(self, killed: list[int], words: tuple[str, ...]) -> list[int]:
        there = set(self.service.children(*words)) - set(killed)
        return sorted(there) if len(there) == len(killed) else []

    def kill_store(self) -> None:
        """Kill the store, and wait until another one answers."""
        with Redis.from_url(self.service.redis_url) as client:
            killed = process_of(client)
            assert killed is not None
            os.kill(killed, signal.SIGKILL)
            wait_until(lambda: process_of(client) not in (None, killed), 5)

    def proven(self) -> Replay:
        """Stop the service, and check the whole log against the rules."""
        self.stop()
        with start_redis(self.data) as url:
            return replay(RedisStore(connect(url), 3600, 4), self.table)

    def stop(self) -> None:
        """Stop the service, if it runs."""
        if self.service.process.poll() is None:
            self.service.stop()


def process_of(client: Redis) -> int | None:
    """The process id of a server, or None while it is away."""
    with contextlib.suppress(RedisError):
        return int(client.info("server")["process_id"])
    return None


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    """A service of one test alone."""
    watched = Watched(tmp_path)
    try:
        yield watched
    finally:
        watched.client.close()
        watched.stop()


def test_bot_workers_are_killed(watched: Watched) -> None:
    """A turn whose worker was killed is played within 5 s of a worker being there, once."""
    for _ in range(KILLS):
        watched.goes_on()
        watched.kill("workers", "bots")
        watched.goes_on(BACK_SECONDS)
    assert watched.proven().turns > 5 * KILLS


def test_everything_else_is_killed(watched: Watched) -> None:
    """The sweep, the other workers, the API and the store may die: the table goes on."""
    for words in (
        ("workers", "sweep"),
        ("workers", "settlement"),
        ("workers", "clock"),
        ("gunicorn:",),
    ):
        watched.goes_on(15)
        watched.kill(*words)
        watched.goes_on(15)
    for _ in range(2):
        watched.kill_store()
        watched.goes_on(15)
    answer = wait_until(lambda: view_status(watched), 10)
    assert 200 == answer
    assert watched.proven().turns > 40


def view_status(watched: Watched) -> int | None:
    """The status of a view of the table, once the API answers."""
    with contextlib.suppress(OSError):
        status = watched.client.get(f"/tables/{watched.table}").status_code
        return status if status < 500 else None
    return None


def test_api_workers_are_killed(watched: Watched) -> None:
    """Gunicorn starts killed API processes again, and answers."""
    [gunicorn] = watched.service.children("gunicorn:")
    for _ in range(2):
        killed = children_of(gunicorn)
        assert 2 == len(killed)
        for process in killed:
            os.kill(process, signal.SIGKILL)
        wait_until(partial(has_others, gunicorn, killed), 10)
        wait_until(lambda: view_status(watched), 10)
    assert [gunicorn] == watched.service.children("gunicorn:")


def has_others(process: int, killed: list[int]) -> bool:
    """Whether as many other children as were killed are there instead."""
    return len(set(children_of(process)) - set(killed)) == len(killed)


def test_the_service_is_stopped_and_started(watched: Watched) -> None:
    """After a stop in the middle of a deal and a start on the same data all goes on."""
    watched.goes_on()
    before = watched.version
    watched.stop()
    watched.service = RunningService(watched.data)
    watched.store = watched.open_store()
    watched.goes_on(10)
    assert before < watched.version
    watched.client.url = watched.service.url
    assert 200 == watched.client.get("/me").status_code, "the token is still good"
    assert watched.proven().turns > 10


def test_the_whole_service_is_killed(watched: Watched) -> None:
    """After a kill of the launcher and all its children nothing acknowledged is lost."""
    watched.goes_on()
    processes = [watched.service.process.pid, *watched.service.children()]
    before = watched.version
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    watched.service.stop()
    wait_until(lambda: is_free(watched.data), 20)
    watched.service = RunningService(watched.data)
    watched.store = watched.open_store()
    assert before <= watched.version
    watched.goes_on(10)
    assert watched.proven().turns > 5


def is_free(data: Path) -> bool:
    """Whether nobody uses a data folder."""
    with contextlib.suppress(embedded.NoServer):
        os.close(embedded.lock(data))
        return True
    return False
