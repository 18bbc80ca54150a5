"""A player who is not put off: tries again as docs/api.md says, and keeps account of it."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from uuid import uuid4

import requests

from service.engine.events import (
    Called,
    CardDiscarded,
    CardDrawn,
    DealVoided,
    DeckCut,
    StockRenewed,
)
from service.store.base import Store
from tests.support.client import Json, simple_choice
from tests.support.replay import log_of, replay

PATIENCE = 60
"""For so many seconds something is tried again."""

PAUSE = 0.05

MOVES = {
    "cut": DeckCut,
    "draw": CardDrawn | DealVoided,
    "discard": CardDiscarded,
    "call": Called,
}
"""What the log has of each move."""


class Lost(Exception):
    """Nobody knows whether a request was done."""


@dataclass
class Book:
    """A player's moves at a table, by the versions they were made at."""

    seat: int
    done: dict[int, str] = field(default_factory=dict)
    unknown: dict[int, str] = field(default_factory=dict)


class Patient:
    """A player over HTTP.

    Args:
        url: where to send the next request.
        name: the player's name.
    """

    def __init__(self, url: Callable[[], str], name: str = "Keola") -> None:
        self._url = url
        self._http = requests.Session()
        self.troubles: Counter[str] = Counter()
        account = self.insist("POST", "/players", {"name": name}).json()
        self._http.headers["Authorization"] = f"Bearer {account['token']}"

    def close(self) -> None:
        """Let the connections go."""
        self._http.close()

    def insist(
        self, method: str, path: str, body: Json | None = None, headers: Mapping[str, str] = {}
    ) -> requests.Response:
        """Send a request until it is answered; a POST has a key, so that it is done once."""
        keyed = {"Idempotency-Key": str(uuid4())} if method == "POST" else {}
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return self._send(method, path, body, {**keyed, **headers})
            except Lost:
                assert time.monotonic() < until, f"{method} {path}: {self.troubles}"
                time.sleep(PAUSE)

    def create(self, **settings: object) -> Json:
        """A new table's view."""
        answer = self.insist("POST", "/tables", settings)
        assert answer.status_code == 201, answer.text
        view: Json = answer.json()
        return view

    def play(self, view: Json) -> Book:
        """Play at a table until it closes."""
        book = Book(view["you"]["seat"])
        while view["status"] != "closed":
            move = simple_choice(view)
            view = self._next(view) if move is None else self._move(view, move, book)
        return book

    def view(self, table: str) -> Json:
        """The view of a table."""
        view: Json = self.insist("GET", f"/tables/{table}").json()
        return view

    def _next(self, view: Json) -> Json:
        """The view once the table has moved on."""
        headers = {"If-None-Match": f'"{view["version"]}"'}
        answer = self.insist("GET", f"/tables/{view['id']}?wait=20", headers=headers)
        if answer.status_code == 304:
            return view
        newer: Json = answer.json()
        return newer

    def _move(self, view: Json, move: Json, book: Book) -> Json:
        """Make a move once; where it is not known whether it was made, look at the table."""
        version, here = view["version"], f"/tables/{view['id']}"
        headers = {"If-Match": f'"{version}"'}
        try:
            answer = self._send("POST", f"{here}/{move['do']}", move["body"], headers)
        except Lost:
            book.unknown[version] = move["do"]
            return self.view(view["id"])
        if answer.status_code != 200:
            assert answer.status_code in (409, 412), answer.text
            return self.view(view["id"])
        assert version not in book.done
        book.done[version] = move["do"]
        after: Json = answer.json()
        return after

    def _send(
        self, method: str, path: str, body: Json | None, headers: Mapping[str, str]
    ) -> requests.Response:
        try:
            url = f"{self._url()}/v1{path}"
            answer = self._http.request(method, url, json=body, headers=headers, timeout=60)
        except requests.RequestException as error:
            self.troubles[type(error).__name__] += 1
            raise Lost from error
        if answer.status_code == 503:
            self.troubles["503"] += 1
            raise Lost
        assert answer.status_code < 500, answer.text
        return answer


def check(store: Store, table: str, book: Book) -> int:
    """Check a log by the rules, and against a player's book; gives the number of deals.

    Each move that was acknowledged is there, right after the version it was made at, and each move
    of the player that is there was made once.
    """
    found = replay(store, table)
    log = {entry.id: entry.event for entry in log_of(store, table)}
    made = {
        id_ - 1 - isinstance(log.get(id_ - 1), StockRenewed): event
        for id_, event in log.items()
        if isinstance(event, DeckCut | CardDrawn | DealVoided | CardDiscarded | Called)
        and event.seat == book.seat
    }
    for version, move in book.done.items():
        assert isinstance(made.pop(version), MOVES[move]), f"{move} at {version}"
    assert made.keys() <= book.unknown.keys(), "nobody else made a move for the player"
    return found.settled
