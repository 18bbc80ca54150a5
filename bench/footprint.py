"""How many bytes tables and finished deals take in Redis, and how soon the service is ready."""

import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis

from bench import players, servers
from bench.driver import Connection, request
from bench.measure import Json
from bench.players import Host
from bench.servers import Server
from bench.worlds import World

DEALS = 20
DEADLINE_SECONDS = 60
SHORT, LONG = 10, 500


def of_tables(world: World) -> Json:
    """Bytes of the keys of a table early and late in a deal, and of each action in between."""
    early, late = (_keys(world.redis, world.put(world.after(n)).id) for n in (SHORT, LONG))
    each = (early, late)
    return {
        **{f"after {n} actions": dict(of) for n, of in zip((SHORT, LONG), each, strict=True)},
        "an action": {name: (late[name] - early[name]) / (LONG - SHORT) for name in late},
    }


def starts(times: int) -> tuple[list[float], Json]:
    """How soon the service is ready, each time anew, and the bytes of a deal finished there.

    Seconds from `paiute serve` on an empty folder to its first 200 at /readyz.
    """
    seconds = []
    for _ in range(times):
        began = time.perf_counter()
        with _service() as server:
            connection = Connection(server.address)
            while connection.ask(request("GET", "/readyz")).status != 200:
                time.sleep(0.005)
            seconds.append(time.perf_counter() - began)
            connection.close()
            if len(seconds) == times:
                return seconds, _of_deals(server)
    raise ValueError(times)


def _of_deals(server: Server) -> Json:
    """Bytes of a finished deal of two bots, its log and its record."""
    with Redis.from_url(server.url) as redis, players.host(server.address) as host:
        short, long = (_keys(redis, _played(host, deals)) for deals in (1, 1 + DEALS))
    return {name: (long[name] - short[name]) / DEALS for name in sorted(long)}


@contextmanager
def _service() -> Iterator[Server]:
    """A service on an empty folder."""
    with (
        tempfile.TemporaryDirectory(prefix="paiute-bench-") as folder,
        servers.service(Path(folder), 1) as server,
    ):
        yield server


def _played(host: Host, deals: int) -> str:
    """A table where two bots have played so many deals, and which is closed."""
    bots = [{"level": "easy"}] * 2
    table = host.table({"seats": 2, "bots": bots, "deals": deals})
    until = time.monotonic() + DEADLINE_SECONDS
    while players.read(host.look(table)).status != "closed":
        if time.monotonic() > until:
            raise TimeoutError("The bots have not come to an end.")
        time.sleep(0.05)
    return table.id


def _keys(redis: Redis, table_id: str) -> Counter[str]:
    """The bytes of all keys of a table, by what they are."""
    found: Counter[str] = Counter()
    for key in redis.scan_iter(f"*{table_id}*", count=1000):
        kind = key.decode().split(":")[2]
        found[kind] += redis.memory_usage(key, samples=0) or 0
    return found
