"""Many race for the last seat: one gets it."""

import http.client
import json
import multiprocessing
import os
import threading
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

from redis import Redis

from service.store.connection import connect
from service.store.redis_store import RedisStore
from service.tables import Join, Player
from service.tables.errors import TableFull
from tests.support.client import Client
from tests.support.processes import RunningService
from tests.support.tables import changed_by, created, put

CLIENTS = 8
ROUNDS = 300 if os.environ.get("FULL_RACES") else 60


def test_the_last_seat_over_http(service: RunningService) -> None:
    """Of eight who ask for the last seat one sits down, and the others get 409 `table_full`."""
    host = Client(service.url)
    clients = [Client(service.url, f"Racer {n}", "bot") for n in range(CLIENTS)]
    together, done = threading.Barrier(CLIENTS + 1), threading.Barrier(CLIENTS + 1)
    tables: list[str | None] = [""]
    answers: list[tuple[int, str | None, str]] = []

    def race(client: Client) -> None:
        url = urlsplit(service.url)
        connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=60)
        headers = {
            "Authorization": f"Bearer {client.account['token']}",
            "Content-Type": "application/json",
        }
        while True:
            together.wait()
            if tables[0] is None:
                connection.close()
                return
            connection.request("POST", f"/v1/tables/{tables[0]}/join", b"{}", headers)
            answer = connection.getresponse()
            body = json.loads(answer.read())
            answers.append((answer.status, body.get("code"), client.id))
            done.wait()

    threads = [threading.Thread(target=race, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    winners = Counter[str]()
    try:
        for _ in range(ROUNDS):
            table = host.create(seats=2, start_when="host", turn_seconds=0)["id"]
            tables[0] = table
            answers.clear()
            together.wait()
            done.wait()
            outcome = Counter((status, code) for status, code, _ in answers)
            assert {(200, None): 1, (409, "table_full"): CLIENTS - 1} == outcome
            [winner] = [client for status, _, client in answers if status == 200]
            seats = host.view(table)["seats"]
            assert [host.id, winner] == [seat["player"]["id"] for seat in seats]
            winners[winner] += 1
    finally:
        tables[0] = None
        together.wait()
        for thread in threads:
            thread.join()
        for client in (host, *clients):
            client.close()
    assert len(winners) > 1


PROCESSES = 4
DIRECT_ROUNDS = 300


def sit_directly(url: str, number: int, start: Any, results: Any) -> None:
    """Ask for a seat at each table, together with the other processes."""
    store = RedisStore(connect(url), 3600, 4)
    player = Player(f"racer-{number}", f"Racer {number}", "bot")
    got = []
    for n in range(DIRECT_ROUNDS):
        start.wait(60)
        try:
            store.change(f"table-{n}", lambda table: changed_by(table, Join(player)))
            got.append(n)
        except TableFull:
            pass
    results.put(got)


def test_the_last_seat_directly(redis: Redis, redis_url: str) -> None:
    """Four processes on the store itself: each last seat goes to one of them."""
    store = RedisStore(connect(redis_url), 3600, 4)
    for n in range(DIRECT_ROUNDS):
        put(store, created(f"table-{n}", start_when="host"))
    spawn = multiprocessing.get_context("spawn")
    start, results = spawn.Barrier(PROCESSES), spawn.Queue()
    processes = [
        spawn.Process(target=sit_directly, args=(redis_url, number, start, results))
        for number in range(PROCESSES)
    ]
    for process in processes:
        process.start()
    got = [results.get(timeout=120) for _ in processes]
    for process in processes:
        process.join()
    assert list(range(DIRECT_ROUNDS)) == sorted(n for one in got for n in one)
    assert {2} == {store.load(f"table-{n}").version for n in range(DIRECT_ROUNDS)}
