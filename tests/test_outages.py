"""Redis goes away under the real processes: what callers hear, how soon, and what comes after."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import cycle, islice

import pytest
import requests
from redis import Redis

from tests.support.blackhole import BlackHole, black_hole
from tests.support.client import Client, Json
from tests.support.parts import Api, Part, Server, ended, own_server
from tests.support.waiting import wait_until

SOON = 2.0
"""Within so many seconds a caller hears that the service is unavailable."""

POLL_SOON = 6.0
"""Within so many seconds a long poll ends that waited before Redis went away."""

BACK = 5
"""Within so many seconds after Redis is back the API is: on an idle machine half a second."""

ON_SECONDS = 20
"""Within so many seconds after Redis is back bots play on: on an idle machine seven at most, which
is when a worker finds that its connection is dead."""

USUAL = 0.5
"""Within so many seconds all clients at once are answered while all is well; if it takes longer the
machine is busy with something else, and the clients hear later by as much."""

WAITS, GOES_ON = "the sweep goes on when", "the sweep goes on\n"
"""What the sweep says when Redis goes away, and when it is back."""

CLIENTS = 100
THREADS = 160

OTHER_THREADS = 16
"""At most so many threads are there beside those that serve requests."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A Redis for these tests alone."""
    with own_server(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(scope="module")
def hole(server: Server) -> Iterator[BlackHole]:
    """The network between the service and its Redis."""
    with black_hole(server.socket) as proxy:
        yield proxy


@pytest.fixture(scope="module")
def workers(server: Server, hole: BlackHole, tmp_path_factory: pytest.TempPathFactory) -> Part:
    """A worker of each queue, and the sweep."""
    return Part(tmp_path_factory.mktemp("workers") / "log", hole.url, "worker")


@pytest.fixture(scope="module")
def api(workers: Part, hole: BlackHole, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """An API of one process."""
    log = tmp_path_factory.mktemp("api") / "log"
    api = Api(log, hole.url, "--workers", "1", "--threads", str(THREADS))
    with ended(api, workers):
        wait_until(lambda: api.is_ready)
        yield api


@pytest.fixture
def keola(api: Api) -> Iterator[Client]:
    """A player, once all is well."""
    wait_until(lambda: api.is_ready, BACK)
    client = Client(api.url)
    yield client
    client.close()


@dataclass
class Outage:
    """How Redis goes away, and how it comes back."""

    begin: Callable[[], object]
    end: Callable[[], object]


@pytest.fixture(params=["killed", "halted", "cut off"])
def outage(request: pytest.FixtureRequest, server: Server, hole: BlackHole) -> Outage:
    """Each way to go away."""
    ways = {
        "killed": Outage(server.kill, server.start),
        "halted": Outage(server.halt, server.go_on),
        "cut off": Outage(hole.swallow, hole.let_through),
    }
    return ways[request.param]


Call = tuple[str, str, Json | None]


def calls(table: str) -> list[Call]:
    """A request of every kind that needs Redis."""
    here = f"/v1/tables/{table}"
    return [
        ("GET", here, None),
        ("GET", "/readyz", None),
        ("GET", "/v1/tables", None),
        ("GET", "/v1/me", None),
        ("GET", "/v1/me/tables", None),
        ("GET", f"{here}/events", None),
        ("GET", f"{here}/deals", None),
        ("POST", "/v1/players", {"name": "Pua"}),
        ("POST", "/v1/tables", {"seats": 2}),
        ("POST", f"{here}/leave", {}),
        ("POST", f"{here}/draw", {"from": "stock"}),
    ]


def send(client: Client, call: Call, **headers: str) -> requests.Response:
    """Send a request over a connection of its own."""
    method, path, body = call
    headers["Authorization"] = str(client.http.headers["Authorization"])
    return requests.request(method, client.url + path, json=body, headers=headers, timeout=60)


def told(client: Client, call: Call, status: int = 503) -> float:
    """Send a request that has to be answered so; gives after how many seconds it is."""
    begun = time.monotonic()
    answer = send(client, call, **{"Idempotency-Key": f"{begun} {call[1]}"})
    seconds = time.monotonic() - begun
    assert status == answer.status_code, (call, answer.text)
    if status == 503:
        assert "unavailable" == answer.json()["code"]
        assert "1" == answer.headers["Retry-After"]
    return seconds


def exhibition(keola: Client) -> str:
    """A table that bots play at without end."""
    settings = {"thinking_ms": 0, "pause_seconds": 0, "deals": 100_000}
    return str(keola.create(seats=4, bots=[{"level": "easy"}] * 4, **settings)["id"])


def wait_for_events(keola: Client, table: str, seconds: float = ON_SECONDS) -> None:
    """Wait until the table has moved on."""
    version = keola.view(table)["version"]
    wait_until(lambda: keola.view(table)["version"] > version + 20, seconds)


def test_everybody_hears_soon(outage: Outage, api: Api, keola: Client) -> None:
    """Of 100 at once each hears 503 within 2 s, later ones at once; then all is well by itself."""
    table = keola.create(seats=2)["id"]
    crowd = list(islice(cycle(calls(table)), CLIENTS))
    with ThreadPoolExecutor(CLIENTS) as pool:
        spare = max(pool.map(lambda _: told(keola, ("GET", "/healthz", None), 200), crowd))
        outage.begin()
        try:
            for _ in range(2):
                slowest = max(pool.map(lambda call: told(keola, call), crowd))
                assert slowest < SOON + max(0, spare - USUAL)
            assert 200 == api.status("/healthz")
            assert api.threads() <= THREADS + OTHER_THREADS
        finally:
            outage.end()
    wait_until(lambda: api.is_ready, BACK)
    assert 200 == keola.get(f"/tables/{table}").status_code
    keola.post(f"/tables/{table}/leave").raise_for_status()


def test_one_by_one(outage: Outage, keola: Client) -> None:
    """A lone caller hears 503 within 2 s too, whatever is asked for."""
    table = keola.create(seats=2)["id"]
    outage.begin()
    try:
        assert max(told(keola, call) for call in calls(table)) < SOON
    finally:
        outage.end()
    wait_until(lambda: send(keola, ("GET", "/readyz", None)).ok, BACK)


def test_long_polls_end(outage: Outage, keola: Client) -> None:
    """Who waits when Redis goes away is answered soon, not when the wait is over."""
    view = keola.create(seats=2)
    poll = ("GET", f"/v1/tables/{view['id']}?wait=30", None)
    tag = {"If-None-Match": f'"{view["version"]}"'}
    with ThreadPoolExecutor(40) as pool:
        polls = [pool.submit(send, keola, poll, **tag) for _ in range(40)]
        early, waiting = wait(polls, 0.5)
        told_to_come_again = [done.result().headers.get("Retry-After") for done in early]
        assert all(told_to_come_again), [done.result().text for done in early]
        assert len(waiting) > 20
        outage.begin()
        try:
            begun = time.monotonic()
            statuses = {poll.result().status_code for poll in waiting}
            assert time.monotonic() - begun < POLL_SOON
            assert {503} == statuses
        finally:
            outage.end()


def test_sweep_and_workers_go_on(
    outage: Outage, server: Server, workers: Part, keola: Client
) -> None:
    """The same processes play on when Redis is back; the sweep says once that it waits."""
    table = exhibition(keola)
    wait_for_events(keola, table)
    wait_until(lambda: workers.said.count(WAITS) == workers.said.count(GOES_ON))
    before, said = workers.descendants(), len(workers.said)
    outage.begin()
    try:
        wait_until(lambda: WAITS in workers.said[said:])
        for call in calls(table) * 10:  # The sweep has failed as often meanwhile.
            told(keola, call)
    finally:
        outage.end()
    wait_until(lambda: keola.get(f"/tables/{table}").ok, BACK)
    wait_for_events(keola, table)
    wait_until(lambda: GOES_ON in workers.said[said:])
    assert 1 == workers.said[said:].count(WAITS)
    assert before == workers.descendants()
    keola.post(f"/tables/{table}/leave")


def test_full_memory(server: Server, workers: Part, keola: Client) -> None:
    """While Redis takes no writes they are refused and reads are not; nothing is half written."""
    watched = exhibition(keola)
    wait_for_events(keola, watched)
    rules = {"first_dealer": 2}
    table = keola.create(seats=2, bots=[{"level": "easy"}], turn_seconds=0, rules=rules)
    here = f"/tables/{table['id']}"
    balance = keola.get("/me").json()["balance"]
    before = workers.descendants()
    with Redis.from_url(server.url) as redis:
        redis.config_set("maxmemory", 1)
        try:
            for call in calls(table["id"]):
                if call[0] == "POST":
                    assert told(keola, call) < SOON
            for path in (here, f"{here}/events", "/tables", "/me", "/me/tables"):
                assert 200 == keola.get(path).status_code, path
            assert table["version"] == keola.view(table["id"])["version"]
            assert balance == keola.get("/me").json()["balance"]
            wait_until(lambda: "the worker goes on when" in workers.said)
        finally:
            redis.config_set("maxmemory", 0)
    answer = keola.act(table, {"do": "cut", "body": {"position": 7}})
    assert 200 == answer.status_code, answer.text
    wait_for_events(keola, watched)
    assert before == workers.descendants()
