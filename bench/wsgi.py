"""Requests as WSGI calls, without sockets: who makes them, and the CPU that they take."""

import cProfile
import json
import time
from collections.abc import Callable
from typing import Any

from flask import Flask
from werkzeug.test import create_environ, run_wsgi_app

from bench.measure import Json
from bench.players import Seated

BLOCK = 20
"""Calls between two readings of the CPU."""

TABLE = {"seats": 2, "ante": 0, "rules": {"cut": "auto", "max_reshuffles": 100}}


class Client:
    """Calls an application, and counts the CPU of the calls alone."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self.profile: cProfile.Profile | None = None
        self.seconds = 0.0
        self.calls = 0

    def call(
        self, method: str, path: str, token: str = "", body: Json | None = None, **headers: str
    ) -> tuple[int, bytes]:
        """The status and the body of an answer.  The request is built outside what is measured."""
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        if token:
            named["Authorization"] = f"Bearer {token}"
        path, _, query = path.partition("?")
        environ = create_environ(path, method=method, headers=named, json=body, query_string=query)
        if self.profile:
            with self.profile:
                answer, status, _ = run_wsgi_app(self._app, environ, buffered=True)
        else:
            start = time.process_time()
            answer, status, _ = run_wsgi_app(self._app, environ, buffered=True)
            self.seconds += time.process_time() - start
            self.calls += 1
        said = b"".join(answer)
        return int(status[:3]), said

    def ask(self, method: str, path: str, token: str = "", body: Json | None = None) -> Any:
        """The JSON of an answer that has to be a success."""
        status, said = self.call(method, path, token, body)
        assert status < 300, said
        return json.loads(said)

    def micros(self, work: Callable[[], object]) -> float:
        """CPU microseconds a call, over a block of calls."""
        self.seconds, self.calls = 0.0, 0
        for _ in range(BLOCK):
            work()
        return 1e6 * self.seconds / self.calls


class People:
    """Two people at a table, who draw and discard by turns.

    Args:
        client: by whom they ask.
        sit_down: gives them a table, and another one once its deal has been void.
    """

    def __init__(self, client: Client, sit_down: Callable[[], Seated]) -> None:
        self._client = client
        self._sit_down = sit_down
        self._begin()

    def _begin(self) -> None:
        self._table = self._sit_down()
        self._view = self._client.ask("GET", self._table.path, self._table.tokens[1])

    def move(self) -> None:
        """One move; the deal of a table is void after some 8,000 of them."""
        if self._view["deal"]["turn"] is None:
            self._begin()
        deal, you = self._view["deal"], self._view["you"]
        draws = deal["phase"] == "draw"
        move, body = ("draw", {"from": "stock"}) if draws else ("discard", {"card": you["drawn"]})
        status, said = self._client.call(
            "POST",
            f"{self._table.path}/{move}",
            self._table.tokens[deal["turn"]],
            body,
            If_Match=f'"{self._view["version"]}"',
        )
        assert status == 200, said
        self._view = json.loads(said)

    def look(self) -> None:
        """One look at the table."""
        status, _ = self._client.call("GET", self._table.path, self._table.tokens[1])
        assert status == 200

    def look_again(self) -> None:
        """One look by who has seen this version already."""
        known = f'"{self._view["version"]}"'
        path, token = self._table.path, self._table.tokens[1]
        status, _ = self._client.call("GET", path, token, If_None_Match=known)
        assert status == 304


def sit_down(client: Client) -> Seated:
    """A new table of two people at the service."""
    tokens = {seat: _sign_up(client, seat) for seat in (1, 2)}
    view = client.ask("POST", "/v1/tables", tokens[1], TABLE)
    client.ask("POST", f"/v1/tables/{view['id']}/join", tokens[2], {"seat": 2})
    return Seated(view["id"], tokens)


def _sign_up(client: Client, seat: int) -> str:
    token: str = client.ask("POST", "/v1/players", "", {"name": f"Player {seat}"})["token"]
    return token
