"""What a move is made of: its parts below HTTP called one by one, and a profile of the whole."""

import cProfile
import os
import pstats
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from bench.measure import Json
from bench.wsgi import TABLE, Client
from service.engine.commands import Discard, Draw, Source
from service.store import codec
from service.store.base import Change, Store
from service.tables import Join, Moment, Play, Player, Settings, new_table, step, views
from service.tables.table import Table

TOP = 15

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


def pieces(store: Store, seconds: float) -> dict[str, float]:
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


def profile(client: Client, work: Callable[[], None], calls: int) -> Json:
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
