"""What a request takes in one process, without sockets: the steadiest figure, and where it goes.

WSGI calls against a real Redis, all on one core.  The requests are built outside what is measured.
"""

import cProfile
import json
import os
import pstats
import secrets
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from flask import Flask
from werkzeug.test import create_environ, run_wsgi_app

from bench import hello, servers
from bench.measure import Json
from bench.report import table as columns
from service import wiring
from service.api import create_app
from service.config import Config
from service.engine.commands import Discard, Draw, Source
from service.store import codec
from service.store.base import Change, Store
from service.tables import Join, Moment, Play, Player, Settings, new_table, step, views
from service.tables.table import Table

SECRET = secrets.token_urlsafe(48)
TABLE = {"seats": 2, "ante": 0, "rules": {"cut": "auto", "max_reshuffles": 100}}
MOVES_PROFILED_A_SECOND = 150
TOP = 15
BLOCK = 20
"""Calls between two readings of the CPU."""

LAYERS = (
    "werkzeug",
    "flask_smorest",
    "flask",
    "webargs",
    "marshmallow",
    "redis",
    "service/engine",
    "service/tables",
    "service/store",
    "service/api",
    "service",
)
"""Parts of paths by which the profile is summed up; the first that fits counts."""

K = TypeVar("K")


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
        """The status and the body of an answer."""
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
    """Two people at a table of their own, who draw and discard by turns."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.tokens = [client.ask("POST", "/v1/players", "", {"name": n})["token"] for n in "AB"]
        self._sit_down()

    def _sit_down(self) -> None:
        view = self._client.ask("POST", "/v1/tables", self.tokens[0], TABLE)
        self.path = f"/v1/tables/{view['id']}"
        self._view = self._client.ask("POST", f"{self.path}/join", self.tokens[1], {"seat": 2})

    def move(self) -> None:
        """One move; at a new table once the deal has been void, after some 8,000 of them."""
        if self._view["deal"]["turn"] is None:
            self._sit_down()
        deal, you = self._view["deal"], self._view["you"]
        draws = deal["phase"] == "draw"
        move, body = ("draw", {"from": "stock"}) if draws else ("discard", {"card": you["drawn"]})
        status, said = self._client.call(
            "POST",
            f"{self.path}/{move}",
            self.tokens[deal["turn"] - 1],
            body,
            If_Match=f'"{self._view["version"]}"',
        )
        assert status == 200, said
        self._view = json.loads(said)

    def look(self) -> None:
        """One look at the table."""
        self._client.call("GET", self.path, self.tokens[0])

    def look_again(self) -> None:
        """One look by who has seen this version already."""
        known = f'"{self._view["version"]}"'
        self._client.call("GET", self.path, self.tokens[0], If_None_Match=known)


Kinds = dict[str, tuple[Client, Callable[[], object]]]


def measure(rounds: int, seconds: float) -> Json:
    """Everything, in rounds of so many seconds."""
    core = {min(os.sched_getaffinity(0))}
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="paiute-")))
        stack.enter_context(servers.pinned(core))
        url, _ = stack.enter_context(servers.store(data))
        game = wiring.build_game(config := Config(SECRET, url, **servers.WIDE))
        client, bare = Client(create_app(config, game)), Client(hello.create_app())
        people = People(client)
        greet = partial(bare.call, "GET", "/")
        kinds: Kinds = {
            "hello": (bare, greet),
            "move": (client, people.move),
            "view": (client, people.look),
        }
        later: Kinds = {
            "hello": (bare, greet),
            "not_modified": (client, people.look_again),
            "move_while_subscribed": (client, people.move),
        }
        first = _rounds(kinds, rounds, seconds)
        pieces = _pieces(game.store, seconds * rounds)
        profile = _profile(client, people.move, int(seconds * rounds * MOVES_PROFILED_A_SECOND))
        people.look_again()  # From here on the process is subscribed to what changes.
        second = _rounds(later, rounds, seconds)
    # Each kind is compared with the hello of the same rounds.
    micros = second | first
    ratios = _ratios(second) | _ratios(first)
    return {
        "cpu_us": {kind: statistics.median(taken) for kind, taken in micros.items()},
        "rounds": micros,
        "ratio_to_hello": ratios,
        "pieces_of_a_move_us": pieces,
        **profile,
    }


def _rounds(kinds: Kinds, rounds: int, seconds: float) -> dict[str, list[float]]:
    """CPU microseconds of each kind of request: the median of many small blocks, by rounds.

    The blocks take turns, so that whatever else the machine does meets all kinds alike.
    """
    micros: dict[str, list[float]] = defaultdict(list)
    for _ in range(rounds):
        blocks: dict[str, list[float]] = defaultdict(list)
        until = time.monotonic() + seconds
        while not blocks or time.monotonic() < until:
            for kind, (client, work) in kinds.items():
                blocks[kind].append(client.micros(work))
        for kind, taken in blocks.items():
            micros[kind].append(statistics.median(taken))
    return micros


def _ratios(micros: Mapping[str, list[float]]) -> dict[str, float]:
    hello = statistics.median(micros["hello"])
    return {kind: statistics.median(taken) / hello for kind, taken in micros.items()}


def _pieces(store: Store, seconds: float) -> dict[str, float]:
    """CPU microseconds of the parts of a move that lie below HTTP, called one by one."""
    people = [Player(f"player {seat}", "A", "human") for seat in (1, 2)]
    settings = msgspec.convert(TABLE, Settings)
    table = new_table("table", settings, people[0], "code", _moment())
    for player in people:
        table, entries = step(table, Join(player), _moment())
        assert store.commit(table.version - len(entries), Change(table, entries))
    took: dict[str, float] = defaultdict(float)
    moves = 0

    def timed(name: str, work: Callable[[], Any]) -> Any:
        start = time.process_time()
        result = work()
        took[name] += 1e6 * (time.process_time() - start)
        return result

    until = time.monotonic() + seconds
    while time.monotonic() < until and table.deal and table.deal.turn:
        before = timed("read from Redis and decode", lambda: store.load("table"))
        timed("... of it decode", partial(codec.load_table, codec.dump_table(before), codec.FORMAT))
        play = _play(before, people)
        after, entries = timed("rules (step)", partial(step, before, play, _moment()))
        change = Change(after, entries)
        assert timed("encode and compare-and-set", partial(store.commit, before.version, change))
        timed("... of it encode", partial(codec.dump_table, after))
        view = timed("the mover's view", partial(views.table_view, after, play.player, 0))
        timed("... as JSON", partial(msgspec.json.encode, view))
        table = after
        moves += 1
    return {name: spent / moves for name, spent in took.items()}


def _moment() -> Moment:
    return Moment(time.time_ns() // 1_000_000, secrets.token_bytes(32))


def _play(table: Table, people: list[Player]) -> Play:
    deal = table.deal
    assert deal is not None
    assert deal.turn is not None
    move = Discard(deal.drawn) if deal.drawn else Draw(Source.STOCK)
    return Play(people[deal.turn - 1].id, move)


def _profile(client: Client, work: Callable[[], None], calls: int) -> Json:
    """Own time by layer and the functions at the top; builtins count for who calls them."""
    client.profile = cProfile.Profile(time.process_time)
    for _ in range(max(10, calls)):
        work()
    stats = pstats.Stats(client.profile)
    client.profile = None
    own: dict[tuple[str, int, str], float] = defaultdict(float)
    for function, spent in _own_times(stats):
        own[function] += spent
    total = sum(own.values())
    layers: dict[str, float] = defaultdict(float)
    for (path, _, _), spent in own.items():
        layers[_layer(path)] += spent
    top = [
        {"function": f"{_short(path)}:{line} {name}", "percent": 100 * spent / total}
        for (path, line, name), spent in _most(own)[:TOP]
    ]
    shares = {layer: 100 * spent / total for layer, spent in _most(layers)}
    return {"percent_by_layer": shares, "top": top}


def _most(spent: Mapping[K, float]) -> list[tuple[K, float]]:
    return sorted(spent.items(), key=lambda one: one[1], reverse=True)


def _own_times(stats: pstats.Stats) -> Iterator[tuple[tuple[str, int, str], float]]:
    whole: dict[Any, Any] = stats.stats  # type: ignore[attr-defined]
    for function, (_, _, own, _, callers) in whole.items():
        if function[0] != "~" or not callers:
            yield function, own
            continue
        for caller, (_, _, spent, _) in callers.items():
            yield caller, spent


def _layer(path: str) -> str:
    posix = path.replace(os.sep, "/")
    folders = posix.rpartition("site-packages/")[2]
    return next((layer for layer in LAYERS if f"/{layer}/" in f"/{folders}"), "Python's library")


def _short(path: str) -> str:
    return "/".join(Path(path).parts[-2:])


def as_text(found: Json) -> str:
    """The report."""
    names = {
        "hello": "bare Flask",
        "move": "a move",
        "view": "a view (GET)",
        "not_modified": "a 304",
        "move_while_subscribed": "a move, once a long poll has been",
    }
    requests = [
        [name, f"{found['cpu_us'][kind]:.0f}", f"{found['ratio_to_hello'][kind]:.2f}"]
        for kind, name in names.items()
    ]
    pieces = [[name, f"{took:.0f}"] for name, took in found["pieces_of_a_move_us"].items()]
    layers = [[name, f"{share:.0f} %"] for name, share in found["percent_by_layer"].items()]
    top = [[one["function"], f"{one['percent']:.1f} %"] for one in found["top"]]
    blocks: Iterable[str] = chain(
        [columns(["in one process", "CPU us", "to bare Flask"], requests)],
        [columns(["pieces of a move", "CPU us"], pieces)],
        [columns(["own time in a profiled move", ""], layers)],
        [columns(["the functions at the top", ""], top)],
    )
    return "\n\n".join(blocks)
