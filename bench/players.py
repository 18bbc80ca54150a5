"""What the clients of the load do: they sit down at tables and play them."""

import itertools
import json
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec

from bench import driver
from bench.driver import Address, Answer, Connection, Request, Script, request

RULES = {"cut": "auto", "max_reshuffles": 100}
TABLE = {"ante": 0, "turn_seconds": 3600, "pause_seconds": 0, "thinking_ms": 0, "rules": RULES}
"""Deals that go on for long, one after the other at once.  Turns have a clock, but a long one: no
table is to be played for its people while others are measured."""

WAIT = 20
"""Seconds that a long poll waits."""


class _Legal(msgspec.Struct):
    action: str
    cards: list[str] = []


class _You(msgspec.Struct):
    drawn: str | None
    legal: list[_Legal]


class _Deal(msgspec.Struct):
    phase: str
    turn: int | None


class View(msgspec.Struct):
    """What the scripts look at in the view of a table."""

    version: int
    status: str
    deal: _Deal | None
    you: _You | None


class _Table(msgspec.Struct):
    id: str


_decode = msgspec.json.Decoder(View).decode
_decode_table = msgspec.json.Decoder(_Table).decode


@dataclass(frozen=True, slots=True)
class Seated:
    """A table and the tokens of those at it, by seat."""

    id: str
    tokens: dict[int, str]

    @property
    def path(self) -> str:
        """Where the table is."""
        return f"/v1/tables/{self.id}"


class Host:
    """Makes accounts and tables; nothing here is measured."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def sign_up(self, name: str) -> str:
        """A new player's token."""
        token: str = self._ask("POST", "/v1/players", "", {"name": name})["token"]
        return token

    def table_of_two(self) -> Seated:
        """A table of two people, begun."""
        tokens = {seat: self.sign_up(f"Player {seat}") for seat in (1, 2)}
        view = self._ask("POST", "/v1/tables", tokens[1], {**TABLE, "seats": 2})
        self._ask("POST", f"/v1/tables/{view['id']}/join", tokens[2], {"seat": 2})
        return Seated(view["id"], tokens)

    def table_with_bot(self) -> Seated:
        """A table of one person and a bot, begun."""
        return self._table_with_bots(2, 1)

    def table_of_bots(self, seats: int, thinking_ms: int = 0) -> Seated:
        """A table of bots alone, begun."""
        return self._table_with_bots(seats, seats, thinking_ms)

    def _table_with_bots(self, seats: int, bots: int, thinking_ms: int = 0) -> Seated:
        settings = {"seats": seats, "bots": [{"level": "easy"}] * bots, "deals": 100_000}
        return self.table({**settings, "thinking_ms": thinking_ms})

    def table(self, settings: dict[str, Any]) -> Seated:
        """A table with these settings, and one player who has made it."""
        token = self.sign_up("Player 1")
        return Seated(self._ask("POST", "/v1/tables", token, TABLE | settings)["id"], {1: token})

    def look(self, table: Seated) -> Answer:
        """A look at a table."""
        return self._connection.ask(look(table))

    def _ask(self, method: str, path: str, token: str, body: dict[str, Any]) -> Any:
        asked = request(method, path, token, json.dumps(body).encode())
        try:
            answer = self._connection.ask(asked)
        except ConnectionError:  # It has rested for longer than the server keeps it.
            self._connection.reopen()
            answer = self._connection.ask(asked)
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {answer.body!r}")
        return json.loads(answer.body)


class OpenTables:
    """Tables that some people make, and others join.

    Args:
        host: makes the accounts.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._open: deque[str] = deque()

    def makers(self, count: int) -> list[Script]:
        """People who make tables of two, and sit at them."""
        return [self._make(self._host.sign_up("Maker")) for _ in range(count)]

    def joiners(self, count: int) -> list[Script]:
        """People who join the tables that are open, until there are none; the deal begins."""
        return [self._join(self._host.sign_up("Joiner")) for _ in range(count)]

    def _make(self, token: str) -> Script:
        body = json.dumps({**TABLE, "seats": 2}).encode()
        while True:
            answer = yield Request("create", request("POST", "/v1/tables", token, body))
            if answer.status == 201:
                self._open.append(_decode_table(answer.body).id)

    def _join(self, token: str) -> Script:
        while self._open:
            path = f"/v1/tables/{self._open.popleft()}/join"
            yield Request("join", request("POST", path, token, b'{"seat":2}'))


def each(script: Callable[[], Script]) -> Callable[[int], list[Script]]:
    """What makes so many clients of a kind."""
    return lambda count: [script() for _ in range(count)]


@contextmanager
def host(address: Address) -> Iterator[Host]:
    """Somebody who makes tables."""
    connection = Connection(address)
    try:
        yield Host(connection)
    finally:
        connection.close()


def hello() -> Script:
    """Ask for the same page again and again."""
    while True:
        yield Request("hello", request("GET", "/"))


def people(table: Seated) -> Script:
    """Both people of a table: draw from the stock, discard that card, and so on by turns.

    Each move is decided on the answer to the one before, and names its version in If-Match.
    """
    seats = itertools.cycle(table.tokens)
    view = yield from _seen(table, next(seats))
    while True:
        step = move(table, view)
        if step is not None:
            answer = yield step
            if answer.status == 200:
                view = read(answer)
                continue
        view = yield from _seen(table, next(seats))


def person_and_bot(table: Seated, delays: list[float]) -> Script:
    """A person who plays against a bot, waiting for each of its turns with a long poll.

    Args:
        table: where.
        delays: gets the seconds from each discard until it is the person's turn again.
    """
    view = yield from _seen(table)
    discarded: float | None = None
    while True:
        step = _legal_move(table, view)
        if step is None:
            view = yield from _next(table, view)
            continue
        if discarded is not None and step.kind == "draw":
            delays.append(time.perf_counter() - discarded)
        answer = yield step
        if answer.status == 200:
            view = read(answer)
            discarded = time.perf_counter() if step.kind == "discard" else None
        else:
            view = yield from _seen(table)


def waiter(table: Seated) -> Script:
    """Wait for each change of a table, by long polls."""
    view = yield from _seen(table)
    while True:
        view = yield from _next(table, view)


def onlooker(table: Seated, kind: str = "view") -> Script:
    """Look at a table again and again: in full, or (`not_modified`) by the version one has."""
    known = (yield from _seen(table)).version if kind == "not_modified" else None
    while True:
        answer = yield Request(kind, look(table, known))
        if known is not None and answer.status == 200:
            known = read(answer).version


def look(table: Seated, known: int | None = None, wait: int = 0, seat: int = 1) -> bytes:
    """The request for a table's view, once it is not the `known` one any more."""
    path = f"{table.path}?wait={wait}" if wait else table.path
    headers = "" if known is None else f'If-None-Match: "{known}"\r\n'
    return request("GET", path, table.tokens[seat], headers=headers)


def read(answer: Answer) -> View:
    """The view in an answer."""
    return _decode(answer.body)


def move(table: Seated, view: View) -> Request | None:
    """The move of whoever is to act, as far as this view tells it."""
    deal, card = view.deal, view.you.drawn if view.you else None
    if view.status != "playing" or deal is None or deal.turn is None:
        return None
    if deal.phase == "draw":
        return _post(table, deal.turn, view.version, "draw", b'{"from":"stock"}')
    if card is None:
        return None
    return _post(table, deal.turn, view.version, "discard", b'{"card":"%s"}' % card.encode())


def _seen(table: Seated, seat: int = 1) -> Generator[Request, Answer, View]:
    answer = yield Request("look", look(table, seat=seat))
    return read(answer)


def _next(table: Seated, view: View) -> Generator[Request, Answer, View]:
    """The view after this one."""
    while True:
        answer = yield Request(driver.WAIT, look(table, view.version, WAIT))
        if answer.status == 200:
            return read(answer)


def _legal_move(table: Seated, view: View) -> Request | None:
    """What the person in seat 1 does by `legal`, or None while it is another's turn."""
    if view.you is None:
        return None
    legal = {one.action: one for one in view.you.legal}
    if "draw" in legal:
        return _post(table, 1, view.version, "draw", b'{"from":"stock"}')
    if "discard" in legal:
        cards = legal["discard"].cards
        card = view.you.drawn if view.you.drawn in cards else cards[0]
        return _post(table, 1, view.version, "discard", b'{"card":"%s"}' % str(card).encode())
    return None


def _post(table: Seated, seat: int, version: int, move: str, body: bytes) -> Request:
    headers = f'If-Match: "{version}"\r\n'
    return Request(move, request("POST", f"{table.path}/{move}", table.tokens[seat], body, headers))
