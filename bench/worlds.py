"""Stores full of tables that are being played, and what requests take there."""

import secrets
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import msgspec
from redis import Redis
from ulid import ULID

from bench import players, servers
from bench.players import Seated
from bench.wsgi import Client, People
from service import wiring
from service.api import create_app
from service.config import Config
from service.engine.commands import Discard, Draw, Source
from service.store.base import Change
from service.tables import Join, Moment, Play, Player, Settings, new_table, step
from service.tables.events import Entry
from service.tables.table import Table
from workers.sweep import sweep_once

Begun = tuple[Table, tuple[Entry, ...]]
"""A table and its log."""

SECRET = "a secret of the bench alone, 32 characters"
MOVES_AT_A_TABLE = 10
"""How many moves are measured in one deal, so that it stays about as long as it was."""

SETTLE_SECONDS = 60


class World:
    """A Redis, an application in this process, and tables of two, all in the midst of a deal.

    Args:
        stack: stops the Redis in the end.
        tables: how many there are.
        tick: called for each table that is made.
    """

    def __init__(self, stack: ExitStack, tables: int, tick: Callable[[], None]) -> None:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="paiute-bench-")))
        url, _ = stack.enter_context(servers.store(data))
        config = Config(SECRET, url, **servers.WIDE)
        self.redis = stack.enter_context(Redis.from_url(url))
        self._game, self._queues = wiring.build_game(config), wiring.build_queues(config)
        self._client = Client(create_app(config, self._game))
        people = [self._client.ask("POST", "/v1/players", "", {"name": name}) for name in "AB"]
        self._tokens = {seat: one["token"] for seat, one in enumerate(people, 1)}
        self._people = [Player(one["id"], one["name"], "human") for one in people]
        self._begun = self._begin()
        before = self._bytes()
        for _ in range(tables):
            self.put(self._begun)
            tick()
        self.bytes_per_table = (self._bytes() - before) / tables

    def wait_until_quiet(self) -> None:
        """Wait until Redis has written its file anew, which it does as the file grows."""
        until = time.monotonic() + SETTLE_SECONDS
        while self.redis.info("persistence")["aof_rewrite_in_progress"]:
            if time.monotonic() > until:
                raise TimeoutError("Redis is still busy with its file.")
            time.sleep(0.1)

    def put(self, deal: Begun) -> Seated:
        """A new table that is just as this one, with the same log."""
        table = replace(deal[0], id=str(ULID()))
        assert self._game.store.commit(0, Change(table, deal[1]))
        return Seated(table.id, self._tokens)

    def after(self, actions: int) -> Begun:
        """A table after so many actions of a deal, and its log."""
        table, log = self._begun
        for _ in range(actions):
            table, entries = step(table, self._move(table), _moment())
            log = (*log, *entries)
        return table, log

    def moves(self, tables: int, actions: int = 0) -> float:
        """CPU microseconds of a move, of this process and of Redis, at some new tables."""
        begun = self.after(actions)
        pairs = [People(self._client, lambda: self.put(begun)) for _ in range(tables)]

        def play() -> None:
            for pair in pairs:
                for _ in range(MOVES_AT_A_TABLE):
                    pair.move()

        return self._micros(play, tables * MOVES_AT_A_TABLE)

    def lobby(self, times: int) -> float:
        """CPU microseconds of the lobby's first page, likewise."""

        def look() -> None:
            for _ in range(times):
                status, _body = self._client.call("GET", "/v1/tables?limit=10", self._tokens[1])
                assert status == 200

        return self._micros(look, times)

    def sweep(self, times: int) -> float:
        """CPU microseconds of a pass of the sweep that finds nothing due, likewise."""

        def pass_by() -> None:
            start = time.process_time()
            for _ in range(times):
                assert sweep_once(self._game, self._queues) == 0
            self._client.seconds += time.process_time() - start

        return self._micros(pass_by, times)

    def _bytes(self) -> int:
        """All that Redis keeps, with what it needs to find it again."""
        return int(self.redis.info("memory")["used_memory"])

    def _micros(self, work: Callable[[], None], times: int) -> float:
        self._client.seconds = 0.0
        before = self._redis_seconds()
        work()
        return 1e6 * (self._client.seconds + self._redis_seconds() - before) / times

    def _redis_seconds(self) -> float:
        spent = self.redis.info("cpu")
        return float(spent["used_cpu_user"] + spent["used_cpu_sys"])

    def _begin(self) -> Begun:
        settings = msgspec.convert({**players.TABLE, "seats": 2}, Settings)
        table = new_table("", settings, self._people[0], "code", _moment())
        log: tuple[Entry, ...] = ()
        for player in self._people:
            table, entries = step(table, Join(player), _moment())
            log = (*log, *entries)
        return table, log

    def _move(self, table: Table) -> Play:
        deal = table.deal
        assert deal is not None
        assert deal.turn is not None
        move = Discard(deal.drawn) if deal.drawn else Draw(Source.STOCK)
        return Play(self._people[deal.turn - 1].id, move)


def _moment() -> Moment:
    return Moment(time.time_ns() // 1_000_000, secrets.token_bytes(32))
