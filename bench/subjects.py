"""What is measured: kinds of requests, each to its server."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.driver import Address, Connection, Line, Script
from bench.servers import Server

TITLES = {
    "hello": "bare Flask, hello",
    "flask": "a move by hand, Flask",
    "fastapi": "a move by hand, FastAPI",
    "move": "a move",
    "view": "a view (GET)",
    "not_modified": "a 304",
    "awaited": "a move that a long poll waits for",
    "create": "a new table",
    "join": "a join that begins a deal",
    "boardgame": "boardgame.io, in memory",
    "boardgame_files": "boardgame.io, file store",
    "colyseus": "Colyseus, in memory",
}
"""All subjects, as reports call them."""

OURS = ("move", "view", "not_modified", "awaited", "create", "join")
OF_NODE = ("boardgame", "boardgame_files", "colyseus")
MOVES = ("draw", "discard")


@dataclass(frozen=True, slots=True)
class Subject:
    """One kind of request to one server.

    Args:
        name: what it is called in options and figures.
        server: whom it is asked of.
        kinds: the requests of its scripts that count.
        scripts: makes so many clients, who begin anew.
        connect: how a client connects.
        everywhere: whether it is measured with many connections too.
    """

    name: str
    server: Server
    kinds: Sequence[str]
    scripts: Callable[[int], list[Script]]
    connect: Callable[[Address], Line] = Connection
    everywhere: bool = True

    @property
    def title(self) -> str:
        """As reports call it."""
        return TITLES[self.name]
