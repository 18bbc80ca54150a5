"""Starts the servers that the chosen subjects need, each when it is needed first."""

import tempfile
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from subprocess import CalledProcessError

from redis import Redis

from bench import boardgame, byhand, colyseus, players, servers
from bench.driver import Script
from bench.players import Host, OpenTables, Seated
from bench.servers import Server
from bench.subjects import MOVES, Subject
from tests.support import npm

NODE = Path(__file__).parent / "node"


class Missing(Exception):
    """A server can't be had; the text says why."""


class Tables:
    """Tables that are made when they are needed, and then kept.

    Args:
        make: makes another one.
    """

    def __init__(self, make: Callable[[], Seated]) -> None:
        self._make = make
        self._made: list[Seated] = []

    def first(self, count: int) -> list[Seated]:
        """So many of them."""
        self._made += [self._make() for _ in range(count - len(self._made))]
        return self._made[:count]

    def scripts(self, script: Callable[[Seated], Script]) -> Callable[[int], list[Script]]:
        """What makes so many clients, at a table each."""
        return lambda count: [script(table) for table in self.first(count)]


class Stage:
    """The servers of a run.

    Args:
        stack: stops them in the end.
        workers: how many API processes each server in Python has.
    """

    def __init__(self, stack: ExitStack, workers: int) -> None:
        self._stack = stack
        self._workers = workers

    def subject(self, name: str) -> Subject:
        """A subject, whose server is running by then.

        Raises:
            Missing: its server can't be had.
        """
        match name:
            case "hello":
                flask = self._stack.enter_context(servers.flask(servers.HELLO, self._workers))
                return Subject(name, flask, ("hello",), players.each(players.hello))
            case "flask" | "fastapi":
                server = self._by_hand(name)
                return Subject(name, server, MOVES, self._tables_by_hand.scripts(players.people))
            case "boardgame":
                return self._boardgame(name)
            case "boardgame_files":
                return self._boardgame(name, str(self._folder()))
            case "colyseus":
                scripts = players.each(colyseus.people)
                server = self._node("colyseus.mjs")
                return Subject(name, server, MOVES, scripts, colyseus.Colyseus)
            case _:
                return self._of_service(name)

    @cached_property
    def service(self) -> Server:
        """The service."""
        return self._stack.enter_context(servers.service(self._folder(), self._workers))

    @cached_property
    def host(self) -> Host:
        """Who makes tables at the service."""
        return self._stack.enter_context(players.host(self.service.address))

    @cached_property
    def _tables(self) -> Tables:
        return Tables(self.host.table_of_two)

    @cached_property
    def _open_tables(self) -> OpenTables:
        return OpenTables(self.host)

    def _of_service(self, name: str) -> Subject:
        tables = self._tables
        match name:
            case "move":
                return Subject(name, self.service, MOVES, tables.scripts(players.people))
            case "view" | "not_modified":
                scripts = tables.scripts(lambda table: players.onlooker(table, name))
                return Subject(name, self.service, (name,), scripts)
            case "awaited":
                return Subject(name, self.service, MOVES, self._awaited, everywhere=False)
            case "create" | "join":
                makers, joiners = self._open_tables.makers, self._open_tables.joiners
                scripts = makers if name == "create" else joiners
                return Subject(name, self.service, (name,), scripts, everywhere=False)
        raise ValueError(name)

    def _awaited(self, count: int) -> list[Script]:
        """Half of them play, and the other half wait at the same tables."""
        tables = self._tables.first(max(1, count // 2))
        return [players.people(table) for table in tables] + [
            players.waiter(table) for table in tables
        ]

    @cached_property
    def _store(self) -> tuple[str, int]:
        return self._stack.enter_context(servers.store(self._folder()))

    @cached_property
    def _tables_by_hand(self) -> Tables:
        redis = self._stack.enter_context(Redis.from_url(self._store[0]))
        return Tables(lambda: table_by_hand(redis))

    def _by_hand(self, name: str) -> Server:
        if name == "fastapi" and not (find_spec("fastapi") and find_spec("uvicorn")):
            raise Missing("It is not installed: pip install -e '.[bench]'")
        url, store = self._store
        start = (
            servers.flask(servers.BY_HAND, self._workers, url)
            if name == "flask"
            else servers.fastapi(self._workers, url)
        )
        return replace(self._stack.enter_context(start), store=store, url=url)

    def _boardgame(self, name: str, *arguments: str) -> Subject:
        server = self._node("boardgame.mjs", *arguments)
        return Subject(name, server, MOVES, players.each(boardgame.people), boardgame.Boardgame)

    def _node(self, script: str, *arguments: str) -> Server:
        try:
            npm.install(NODE)
        except (AssertionError, OSError, CalledProcessError) as error:
            raise Missing("Node.js or its packages can't be had.") from error
        return self._stack.enter_context(servers.node(NODE / script, *arguments))

    def _folder(self) -> Path:
        return Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="paiute-bench-")))


def table_by_hand(redis: Redis) -> Seated:
    """A table of two by hand, begun."""
    table = byhand.new_table(uuid.uuid4().hex)
    byhand.put(redis, table)
    return Seated(table["id"], dict(enumerate(table["tokens"], 1)))
