"""Many draw at the same table at once: each card leaves the stock once.

By default a part of the rounds is run; with FULL_RACES=1 all 1,000.
"""

import http.client
import json
import multiprocessing
import os
import threading
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

from service.engine.commands import Discard, Draw, Source
from service.engine.errors import Illegal
from service.engine.events import CardDrawn
from service.engine.house_rules import HouseRules
from service.store.base import Crowded, StaleVersion
from service.store.connection import connect
from service.store.redis_store import RedisStore
from service.tables import Play
from tests.support.client import Client, Json
from tests.support.processes import RunningService
from tests.support.replay import log_of, replay
from tests.support.tables import GUEST, HOST, changed_by, created, put

THREADS = 50
FULL = bool(os.environ.get("FULL_RACES"))
ROUNDS = 1000 if FULL else 120
RULES = {"cut": "auto", "max_reshuffles": 100}


class Drawers:
    """Threads that draw together, round after round, each over a connection of its own."""

    def __init__(self, url: str, table: str, tokens: list[str]) -> None:
        self._url = urlsplit(url)
        self._path = f"/v1/tables/{table}/draw"
        self._tokens = tokens
        self._start = threading.Barrier(THREADS + 1)
        self._end = threading.Barrier(THREADS + 1)
        self._version: int | None = 0
        self._answers: list[tuple[int, str, bool, Json]] = []
        self._threads = [threading.Thread(target=self._draw, args=(n,)) for n in range(THREADS)]
        for thread in self._threads:
            thread.start()

    def draw(self, version: int) -> list[tuple[int, str, bool, Json]]:
        """Have all draw at once; gives status, token, whether it named the version, and body."""
        self._version, self._answers = version, []
        self._start.wait()
        self._end.wait()
        return self._answers

    def stop(self) -> None:
        """Let the threads end."""
        self._version = None
        self._start.wait()
        for thread in self._threads:
            thread.join()

    def _draw(self, number: int) -> None:
        """Two of three are the player whose turn it may be; every other one names the version."""
        connection = http.client.HTTPConnection(
            self._url.hostname or "", self._url.port, timeout=60
        )
        token = self._tokens[number % 3 // 2]
        names_version = number % 2 == 0
        while True:
            self._start.wait()
            if self._version is None:
                connection.close()
                return
            headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
            if names_version:
                headers["If-Match"] = f'"{self._version}"'
            connection.request("POST", self._path, b'{"from":"stock"}', headers)
            answer = connection.getresponse()
            body = json.loads(answer.read())
            self._answers.append((answer.status, token, names_version, body))
            self._end.wait()


def test_fifty_draw_at_once(service: RunningService) -> None:
    """Of 50 requests to draw at one version one gets the card, the others 409 or 412."""
    players = [Client(service.url, "Keola"), Client(service.url, "Malia")]
    host, guest = players
    table = host.create(seats=2, turn_seconds=0, pause_seconds=0, rules=RULES)["id"]
    assert 200 == guest.post(f"/tables/{table}/join", {}).status_code
    tokens = [player.account["token"] for player in players]
    drawers = Drawers(service.url, table, tokens)
    refusals = Counter[tuple[int, str]]()
    try:
        for _ in range(ROUNDS):
            version, drawer = drawing(players, table)
            answers = drawers.draw(version)
            assert THREADS == len(answers)
            won = [body for status, _, _, body in answers if status == 200]
            assert 1 == len(won), Counter(status for status, *_ in answers)
            assert version < won[0]["version"]
            refusals.update(refused(answers, drawer.account["token"]))
            card = won[0]["you"]["drawn"]
            assert card in won[0]["you"]["hand"]
            assert 200 == drawer.post(f"/tables/{table}/discard", {"card": card}).status_code
    finally:
        drawers.stop()
        for player in players:
            player.close()
    assert {409, 412} == {status for status, _ in refusals}
    assert ROUNDS * (THREADS - 1) == refusals.total()
    store = RedisStore(connect(service.redis_url), 3600, 4)
    assert ROUNDS == replay(store, table).turns
    assert ROUNDS == sum(isinstance(entry.event, CardDrawn) for entry in log_of(store, table))


def drawing(players: list[Client], table: str) -> tuple[int, Client]:
    """The version of a table where somebody is to draw, and who that is."""
    view: dict[str, Any] = players[0].view(table)
    while view["deal"]["phase"] != "draw":
        view = players[0].next_view(view)
    return view["version"], players[view["deal"]["turn"] - 1]


def refused(answers: list[tuple[int, str, bool, Json]], drawer: str) -> Counter[tuple[int, str]]:
    """How the losers were refused: by the version where they named it, else by the rules."""
    refusals = Counter[tuple[int, str]]()
    for status, token, names_version, body in answers:
        if status == 200:
            assert drawer == token
            continue
        codes = {"not_your_turn", "wrong_phase"} | ({"stale_version"} if names_version else set())
        assert body["code"] in codes
        refusals[status, body["code"]] += 1
    return refusals


PROCESSES = 4
DIRECT_ROUNDS = 1000 if FULL else 200


def draw_directly(url: str, table_id: str, rounds: int, start: Any, results: Any) -> None:
    """Draw and discard for whoever's turn it is, as fast as the store lets one."""
    store = RedisStore(connect(url), 3600, 4)
    store.load(table_id)
    start.wait()
    won = Counter[str]()
    while (table := store.load(table_id)).version < rounds:
        assert table.deal is not None
        assert table.deal.turn is not None
        player = table.seats[table.deal.turn].player.id
        drawn = table.deal.drawn
        move = Draw(Source.STOCK) if drawn is None else Discard(drawn)
        named = table.version if won.total() % 2 else None
        try:
            store.change(table_id, lambda t, m=move, p=player: changed_by(t, Play(p, m)), named)  # type: ignore[misc]
            won["draw" if drawn is None else "discard"] += 1
        except (StaleVersion, Crowded, Illegal) as refusal:
            won[refusal.code] += 1
    results.put(won)


def test_processes_draw_directly(direct_url: str) -> None:
    """Four processes on the store itself: no version is lost, no card drawn twice."""
    store = RedisStore(connect(direct_url), 3600, 4)
    rules = HouseRules(cut="auto", max_reshuffles=100)
    table = put(store, created(joiners=(HOST, GUEST), rules=rules))
    spawn = multiprocessing.get_context("spawn")
    start, results = spawn.Barrier(PROCESSES, timeout=60), spawn.Queue()
    arguments = (direct_url, table.id, DIRECT_ROUNDS, start, results)
    processes = [spawn.Process(target=draw_directly, args=arguments) for _ in range(PROCESSES)]
    for process in processes:
        process.start()
    won = sum((results.get(timeout=120) for _ in processes), Counter[str]())
    for process in processes:
        process.join()
    entries = log_of(store, table.id)
    drawn = sum(isinstance(entry.event, CardDrawn) for entry in entries)
    assert drawn == won["draw"]
    found = replay(store, table.id)
    assert found.turns == won["discard"]
    assert won.total() > won["draw"] + won["discard"], "nobody lost: there was no race"
