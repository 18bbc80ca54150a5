"""A release: each process gets SIGTERM and is started again in turn while people play."""

import contextlib
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from service.store.connection import connect
from service.store.queue_names import QUEUES
from service.store.redis_store import RedisStore
from tests.support.parts import Api, Part, Server, ended, own_server
from tests.support.patient import Book, Patient, check
from tests.support.waiting import wait_until

DRAIN_SECONDS = 1

PLAYERS = 4

STOPS_WITHIN = 15
"""A few seconds on an idle machine: neither a job nor a long poll holds up the end."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A Redis for one test alone."""
    with own_server(tmp_path) as server:
        yield server


class Balancer:
    """Knows which of several instances are ready, by asking them all the time."""

    def __init__(self, apis: list[Api]) -> None:
        self._apis = apis
        self._ready: list[Api] = []
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._ask, args=(api,)) for api in apis]

    def url(self) -> str:
        """An instance that is ready."""
        return str(random.choice(wait_until(lambda: list(self._ready))).url)

    def _ask(self, api: Api) -> None:
        while not self._stop.wait(0.05):
            ready = api.is_ready
            if ready and api not in self._ready:
                self._ready.append(api)
            elif not ready and api in self._ready:
                self._ready.remove(api)

    @contextlib.contextmanager
    def asking(self) -> Iterator[None]:
        """Ask meanwhile."""
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._stop.set()
            for thread in self._threads:
                thread.join()


class Crowd:
    """Players who play whole deals against bots, one after the other, until told to stop."""

    def __init__(self, balancer: Balancer) -> None:
        self._balancer = balancer
        self._stop = threading.Event()
        self.books: dict[str, Book] = {}
        self.troubles: Counter[str] = Counter()
        self._players: list[Future[None]] = []

    @contextlib.contextmanager
    def playing(self) -> Iterator[None]:
        """Play meanwhile, and the last deals to their end."""
        with ThreadPoolExecutor(PLAYERS) as pool:
            self._players = [pool.submit(self._play) for _ in range(PLAYERS)]
            try:
                yield
            finally:
                self._stop.set()
        for player in self._players:
            player.result()

    def wait_for_deals(self, more: int) -> None:
        """Wait until more deals have been played."""
        before = len(self.books)
        wait_until(lambda: len(self.books) >= before + more or self._failed(), 60)
        assert not self._failed()

    def _failed(self) -> list[BaseException]:
        """What has ended a player who should have gone on."""
        ended = [player.exception() for player in self._players if player.done()]
        return [error for error in ended if error is not None]

    def _play(self) -> None:
        player = Patient(self._balancer.url)
        bots = [{"level": "medium"}] * 2
        while not self._stop.is_set():
            view = player.create(seats=3, bots=bots, deals=1, turn_seconds=0, thinking_ms=20)
            self.books[view["id"]] = player.play(view)
        self.troubles += player.troubles
        player.close()


def test_a_rolling_restart(server: Server, tmp_path: Path) -> None:
    """No move is lost or made twice, and callers see nothing but errors to try again after."""
    options = ("--workers", "1", "--drain-seconds", str(DRAIN_SECONDS))
    apis = [Api(tmp_path / f"api-{n}", server.url, *options) for n in range(2)]
    commands = [["sweep"], *(["worker", queue] for queue in ("bots", *QUEUES))]
    workers = [
        Part(tmp_path / f"worker-{n}", server.url, *command) for n, command in enumerate(commands)
    ]
    balancer = Balancer(apis)
    crowd = Crowd(balancer)
    with ended(*apis, *workers), balancer.asking(), crowd.playing():
        for part in (*apis, *workers):
            crowd.wait_for_deals(2)
            seconds = restart(part)
            assert seconds < STOPS_WITHIN
        crowd.wait_for_deals(PLAYERS)
    store = RedisStore(connect(server.url), 3600, 4)
    deals = sum(check(store, table, book) for table, book in crowd.books.items())
    assert deals == len(crowd.books)
    assert crowd.troubles.keys() <= {"503", "ConnectionError"}


def restart(part: Part) -> float:
    """Stop a part and start it again; gives how many seconds it took to stop."""
    begun = time.monotonic()
    assert part.stop() == 0, part.said
    seconds = time.monotonic() - begun
    part.start()
    wait_until(lambda: not isinstance(part, Api) or part.is_ready)
    return seconds
