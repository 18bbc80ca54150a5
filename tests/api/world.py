"""The whole service in this process, over the in-memory store, and callers of its API."""

import json as jsonlib
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import requests
from flask import Flask
from flask.testing import FlaskClient

from service.api import create_app
from service.config import Config
from service.engine.deal import Deal
from service.game import Game
from service.store.base import Due, Unavailable
from service.store.memory import MemoryStore
from service.store.queues import QueueHealth
from service.tables import Status, Table
from service.webhooks.sending import Sender
from tests.api.contract import Answer, Contract, Json

SECRET = "a secret that only the tests know, 32+"
ADMIN_TOKEN = "a token that only operators know, 32+"
RETRY_MS = 1500
UNLIMITED = Config(
    SECRET,
    "unused",
    play_per_second=0,
    lobby_per_second=0,
    history_per_second=0,
    max_tables=0,
    admin_token=ADMIN_TOKEN,
)
"""Settings that let tests ask as fast as they can."""

Send = Callable[[str, str, dict[str, str], bytes], Answer]


class Clock:
    """A time that passes when told to."""

    def __init__(self) -> None:
        self.now = 1_790_000_000_000

    def __call__(self) -> int:
        return self.now


class InlineQueue:
    """A queue whose jobs are run in this process, when asked."""

    def __init__(self) -> None:
        self.jobs: deque[Due] = deque()
        self.away = False

    def enqueue(self, due: Due) -> None:
        """Keep a job."""
        self.jobs.append(due)

    def health(self) -> tuple[QueueHealth, ...]:
        """One queue, without workers."""
        if self.away:
            raise Unavailable("The store can't be reached now (`{what}`).", what="queues")
        return (QueueHealth("bots", len(self.jobs), None, 0, 0),)


@cache
def _service(config: Config) -> tuple[Flask, Game, Contract]:
    """An application that every world gives its own store: making one takes a while."""
    game = Game(MemoryStore(), InlineQueue(), 10_000, max_tables=config.max_tables)
    app = create_app(config, game)
    return app, game, Contract(jsonlib.loads(app.test_client().get("/openapi.json").data))


class World:
    """One service: its game, its store and its clock are open to the tests."""

    def __init__(self, config: Config = UNLIMITED, sender: Sender | None = None) -> None:
        self.store, self.queue, self.clock = MemoryStore(), InlineQueue(), Clock()
        self.app, self.game, self.contract = _service(config)
        self.game.store, self.game._queue, self.game.now = self.store, self.queue, self.clock
        self.game._sender = sender or Sender()
        self.anybody = Caller(self._send, self.contract)

    def player(self, name: str = "Keola", kind: str = "human") -> "Caller":
        """Somebody with a new account."""
        return self.anybody.sign_up(name, kind)

    @property
    def operator(self) -> "Caller":
        """Somebody with the operators' token."""
        return Caller(self._send, self.contract, {"token": ADMIN_TOKEN})

    def run_due(self, most: int = 100_000) -> None:
        """Run the jobs, and what the sweep finds, until nothing is due; each job twice."""
        for _ in range(most):
            now = self.clock.now
            for webhooks in (False, True):
                self.queue.jobs.extend(self.store.claim_due(now, now + 1, 100, webhooks=webhooks))
            if not self.queue.jobs:
                return
            due = self.queue.jobs.popleft()
            self.game.run(due)
            self.game.run(due)
        raise AssertionError("there is always something due")

    def pass_time(self, seconds: float) -> None:
        """Let time pass, and do what has come due."""
        self.clock.now += int(seconds * 1000)
        self.run_due()

    def put_deal(self, table_id: str, deal: Deal) -> None:
        """Put another deal into the place of the one that is being played."""
        table = self.store.load(table_id)
        assert set(deal.seats) <= {n for n, s in table.seats.items() if s.dealt == table.number}
        self.store._tables[table_id] = replace(table, deal=deal, status=Status.PLAYING)

    def table(self, table_id: str) -> Table:
        """A table as it truly is."""
        return self.store.load(table_id)

    def _send(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Answer:
        client: FlaskClient = self.app.test_client()
        with client.open(path, method=method, headers=headers, data=body) as response:
            kept = {name.lower(): value for name, value in response.headers.items()}
            return Answer(response.status_code, kept, response.data)


def send_over_http(http: requests.Session, url: str) -> Send:
    """What sends requests to a service that runs elsewhere."""

    def send(method: str, path: str, headers: dict[str, str], body: bytes) -> Answer:
        with http.request(
            method, url + path, headers=headers, data=body, allow_redirects=False
        ) as response:
            kept = {name.lower(): value for name, value in response.headers.items()}
            return Answer(response.status_code, kept, response.content)

    return send


class Caller:
    """Somebody who calls the API, with a token or without; every answer is checked."""

    def __init__(self, send: Send, contract: Contract, account: Json | None = None) -> None:
        self._send = send
        self.contract = contract
        self.account = account or {}

    @property
    def id(self) -> str:
        """The player's id."""
        return str(self.account["id"])

    def sign_up(self, name: str = "Keola", kind: str = "human") -> "Caller":
        """Somebody else, with a new account."""
        answer = self.post("/v1/players", {"name": name, "kind": kind})
        assert 201 == answer.status, answer.text
        return Caller(self._send, self.contract, answer.json)

    def send(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        """Send anything; underscores in header names stand for hyphens."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.account and "Authorization" not in named:
            named["Authorization"] = f"Bearer {self.account['token']}"
        answer = self._send(method, path, named, body)
        self.contract.check(method, path, answer)
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        """GET."""
        return self.send("GET", path, b"", **headers)

    def delete(self, path: str, **headers: str) -> Answer:
        """DELETE."""
        return self.send("DELETE", path, b"", **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        """POST a body as JSON, or nothing where it is None."""
        if body is None:
            return self.send("POST", path, b"", **headers)
        text = jsonlib.dumps(body).encode()
        return self.send("POST", path, text, Content_Type="application/json", **headers)

    def create(self, **settings: Any) -> Json:
        """A new table, as its maker sees it."""
        answer = self.post("/v1/tables", {"seats": 2, "thinking_ms": 0} | settings)
        assert 201 == answer.status, answer.text
        view: Json = answer.json
        return view

    def view(self, table_id: str) -> Json:
        """A table as the caller sees it."""
        answer = self.get(f"/v1/tables/{table_id}")
        assert 200 == answer.status, answer.text
        view: Json = answer.json
        return view

    def do(self, table_id: str, action: str, body: Any = None, **headers: str) -> Answer:
        """Ask something of a table."""
        return self.post(f"/v1/tables/{table_id}/{action}", body, **headers)

    def did(self, table_id: str, action: str, body: Any = None, **headers: str) -> Json:
        """Do something at a table that works; gives the view after it."""
        answer = self.do(table_id, action, body, **headers)
        assert 200 == answer.status, answer.text
        view: Json = answer.json
        return view

    def refused(self, table_id: str, action: str, body: Any = None, **headers: str) -> Json:
        """Ask for something that is refused; gives the problem."""
        answer = self.do(table_id, action, body, **headers)
        assert answer.status >= 400, answer.text
        problem: Json = answer.json
        return problem


def legal(view: Json) -> dict[str, Json]:
    """What `legal` lists, by action."""
    return {one["action"]: one for one in view["you"]["legal"]}


def easy_move(view: Json) -> tuple[str, Json] | None:
    """A move that `legal` offers: call, draw from the stock, keep pairs and wild cards."""
    can = legal(view)
    if "cut" in can:
        return "cut", {"position": 17, "entropy": "aloha"}
    if "call" in can:
        return "call", {}
    if "draw" in can:
        return "draw", {"from": "stock"}
    if "discard" in can:
        return "discard", {"card": least_useful(view, can["discard"]["cards"])}
    return None


def least_useful(view: Json, cards: list[str]) -> str:
    """The card of the rank that the hand has fewest of, no wild one if that can be helped."""
    ranks = [card[0] for card in view["you"]["hand"]]
    wild = view["deal"]["wild_rank"]
    return min(cards, key=lambda card: (card[0] == wild, ranks.count(card[0]), card))
