"""A proxy that behaves like a bad network, in a process of its own.

`python -m tests.chaos.proxy LISTEN UPSTREAM` takes orders as lines of JSON on its standard input,
and ends when that does; its last words are how much it has done to the traffic.  An address is
the path of a Unix socket, or a port of 127.0.0.1.
"""

import asyncio
import contextlib
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

CHUNK = 1 << 16
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Proxy:
    """Passes bytes on, late, or not at all.

    Args:
        upstream: the address of the server.
        seed: of the faults that happen by chance.
    """

    def __init__(self, upstream: str, seed: str) -> None:
        self.done: Counter[str] = Counter()
        self._upstream = upstream
        self._chance = random.Random(seed)
        self._open: set[asyncio.StreamWriter] = set()
        self._to_swallow = 0
        self._late_until = 0.0
        self._late_ms = (0, 0)
        self._lose_requests = self._lose_replies = 0.0

    def order(self, order: dict[str, Any]) -> None:
        """Do, from now on, what the harness says."""
        match order.pop("do"):
            case "drop":
                self._drop()
            case "delay":
                self._late_ms = order["least_ms"], order["most_ms"]
                self._late_until = time.monotonic() + order["seconds"]
            case "swallow":
                self._to_swallow += order["count"]
            case "lose":
                self._lose_requests, self._lose_replies = order["requests"], order["replies"]
            case "calm":
                self._to_swallow, self._late_until = 0, 0.0
                self._lose_requests = self._lose_replies = 0.0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One client's connection, until either side or a fault ends it."""
        try:
            behind, ahead = await connect(self._upstream)
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, ahead}
        try:
            await asyncio.gather(
                self._pump(reader, ahead, self._request), self._pump(behind, writer, self._reply)
            )
        except (OSError, Cut):
            pass
        finally:
            for end in (writer, ahead):
                end.transport.abort()
            self._open -= {writer, ahead}

    async def _pump(
        self,
        source: asyncio.StreamReader,
        target: asyncio.StreamWriter,
        trouble: Callable[[], Awaitable[None]],
    ) -> None:
        while chunk := await source.read(CHUNK):
            await trouble()
            target.write(chunk)
            await target.drain()
        raise Cut

    async def _request(self) -> None:
        if self._chance.random() < self._lose_requests:
            self.done["requests lost"] += 1
            raise Cut

    async def _reply(self) -> None:
        if time.monotonic() < self._late_until:
            self.done["replies delayed"] += 1
            await asyncio.sleep(self._chance.uniform(*self._late_ms) / 1000)
        if self._to_swallow > 0:
            self._to_swallow -= 1
            self.done["replies swallowed"] += 1
            raise Cut
        if self._chance.random() < self._lose_replies:
            self.done["replies lost"] += 1
            raise Cut

    def _drop(self) -> None:
        self.done["connections dropped"] += len(self._open) // 2
        for end in self._open:
            end.transport.abort()


class Cut(Exception):
    """The connection is over: a fault has cut it, or one side has closed it."""


async def connect(address: str) -> Streams:
    """A connection to a server."""
    if address.isdigit():
        return await asyncio.open_connection("127.0.0.1", int(address))
    return await asyncio.open_unix_connection(address)


async def listen(address: str, serve: Callable[..., Awaitable[None]]) -> asyncio.Server:
    """A server at an address."""
    if address.isdigit():
        return await asyncio.start_server(serve, "127.0.0.1", int(address), backlog=1024)
    return await asyncio.start_unix_server(serve, address, backlog=1024)


async def run(where: str, upstream: str, seed: str) -> None:
    """Serve until standard input ends."""
    proxy = Proxy(upstream, seed)
    orders = asyncio.StreamReader()
    protocol = partial(asyncio.StreamReaderProtocol, orders)
    await asyncio.get_running_loop().connect_read_pipe(protocol, sys.stdin)
    server = await listen(where, proxy.serve)
    at = server.sockets[0].getsockname()
    print(at[1] if where.isdigit() else at, flush=True)
    while line := await orders.readline():
        proxy.order(json.loads(line))
    print(json.dumps(proxy.done), flush=True)
    os._exit(0)  # At once: whatever is still open is cut, as in a fault.


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(run(*sys.argv[1:]))
