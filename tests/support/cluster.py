"""A real cluster: servers that share the slots, with a replica each if wanted."""

import contextlib
import subprocess
from collections.abc import Iterator
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from redis import Redis, RedisError, ResponseError
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from service import embedded
from service.store.cluster import GuardedCluster
from service.store.connection import connect
from service.store.keys import Keys, keys_of, new_id
from tests.support.parts import Killable
from tests.support.sentinels import free_port
from tests.support.waiting import wait_until

MASTERS = 3

NODE_TIMEOUT_MS = 1500
"""After so much silence a server is taken for dead; a busy machine may be silent for a while."""

SETTINGS = (
    *("--bind", "127.0.0.1", "--cluster-enabled", "yes", "--save", "", "--appendonly", "yes"),
    *("--maxmemory-policy", "noeviction", "--loglevel", "warning"),
    *("--cluster-node-timeout", str(NODE_TIMEOUT_MS), "--cluster-require-full-coverage", "no"),
    *("--cluster-replica-validity-factor", "0", "--repl-diskless-sync-delay", "0"),
)


class Node(Killable):
    """One server of a cluster.

    Args:
        folder: where it keeps its files.
    """

    def __init__(self, folder: Path) -> None:
        self.port, self.bus = free_port(), free_port()
        self.announced = self.port
        """What it names to clients: another one, if there is something before it."""
        self._folder = folder / str(self.port)
        self._folder.mkdir()
        self.socket = self._folder / "redis.sock"
        self.redis = Redis(port=self.port, socket_timeout=5)

    @cached_property
    def id(self) -> str:
        """What the others call it."""
        return cast(bytes, self.redis.cluster("MYID")).decode()

    @property
    def command(self) -> list[str]:
        """What starts it."""
        return [
            embedded.find_server(),
            *("--port", str(self.port), "--cluster-port", str(self.bus)),
            *("--unixsocket", str(self.socket), "--cluster-announce-port", str(self.announced)),
            *("--dir", str(self._folder), "--logfile", str(self._folder / "log"), *SETTINGS),
        ]

    def ask(self, *command: Any) -> Any:
        """What it answers to a command."""
        return self.redis.execute_command(*command)  # type: ignore[no-untyped-call]

    def start(self) -> None:
        """Start it, on what it has kept, and wait until it answers."""
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        wait_until(self.answers)

    def answers(self) -> bool:
        """Whether it answers."""
        with contextlib.suppress(RedisError):
            return bool(self.redis.ping())
        return False

    def go_on(self) -> None:
        """Let it go on, halted or killed."""
        if self.process.poll() is None:
            super().go_on()
        else:
            self.start()

    def is_well(self, nodes: int = 0) -> bool:
        """Whether it takes the cluster for well, with so many servers in it."""
        with contextlib.suppress(RedisError):
            info = cast(dict[str, str], self.redis.cluster("INFO"))
            return info["cluster_state"] == "ok" and int(info["cluster_known_nodes"]) >= nodes
        return False

    def is_linked(self) -> bool:
        """Whether it is a replica that has all that its master has."""
        return bool(self.redis.role()[:4:3] == [b"slave", b"connected"])

    def follows(self, master: "Node") -> bool:
        """Have it be a replica; whether it knows the master already."""
        with contextlib.suppress(ResponseError):
            self.ask("CLUSTER", "REPLICATE", master.id)
            return True
        return False

    def setslot(self, slot: int, *what: str) -> None:
        """Say what becomes of a slot."""
        self.ask("CLUSTER", "SETSLOT", slot, *what)


class Cluster:
    """Servers that share the slots.

    Args:
        folder: where they keep their files.
        replicas: whether each has a replica.
    """

    def __init__(self, folder: Path, *, replicas: bool = False) -> None:
        self.masters: list[Node] = []
        self.replicas: list[Node] = []
        try:
            self._start(folder, replicas=replicas)
        except BaseException:
            self.close()
            raise

    def _start(self, folder: Path, *, replicas: bool) -> None:
        self.masters = [Node(folder) for _ in range(MASTERS)]
        self.replicas = [Node(folder) for _ in range(MASTERS if replicas else 0)]
        for node in self.nodes:
            node.start()
        share_slots(self.masters)
        meet(self.nodes)
        for master, replica in zip(self.masters, self.replicas, strict=False):
            wait_until(partial(replica.follows, master))
        wait_until(self.is_well)

    @property
    def nodes(self) -> list[Node]:
        """All servers."""
        return [*self.masters, *self.replicas]

    @property
    def url(self) -> str:
        """Its address, which names all masters."""
        return f"redis+cluster://{','.join(f'127.0.0.1:{one.port}' for one in self.masters)}"

    def is_well(self) -> bool:
        """Whether every server takes it for well."""
        return all(node.is_well(len(self.nodes)) for node in self.nodes)

    def flush(self) -> None:
        """Forget everything."""
        for node in self.masters:
            node.redis.flushall()

    def node_at(self, port: int) -> Node:
        """The server at a port."""
        return next(node for node in self.nodes if node.announced == port)

    def owner(self, slot: int, asked: Node | None = None) -> Node:
        """The server that has a slot, as the first one sees it, or another one."""
        return owner_among(self.nodes, slot, asked or self.masters[0])

    def has(self, name: str) -> Node:
        """The server that has a table, or a player."""
        return self.owner(slot_of(keys_of(name)))

    def id_at(self, node: Node, *, there: bool = True) -> str:
        """An id of a table or a player that lies on a server, or on another one."""
        tried = (new_id() for _ in range(1000))
        return next(id_ for id_ in tried if (self.has(id_) is node) is there)

    def client(self) -> GuardedCluster:
        """A client that knows already who has what."""
        client = connect(self.url)
        assert isinstance(client, GuardedCluster)
        assert client.ping()
        return client

    def close(self) -> None:
        """End all of them."""
        for node in self.nodes:
            node.kill()
            node.redis.close()


def share_slots(masters: list[Node]) -> None:
    """Give each server its part of the slots."""
    bounds = [round(n * REDIS_CLUSTER_HASH_SLOTS / len(masters)) for n in range(len(masters) + 1)]
    for node, (first, end) in zip(masters, pairwise(bounds), strict=True):
        node.redis.cluster("ADDSLOTS", *range(first, end))


def meet(nodes: list[Node]) -> None:
    """Make servers know each other, some time later."""
    for number, node in enumerate(nodes, 1):
        node.ask("CLUSTER", "SET-CONFIG-EPOCH", number)
    for node in nodes[1:]:
        node.ask("CLUSTER", "MEET", "127.0.0.1", nodes[0].port, nodes[0].bus)


def owner_among(nodes: list[Node], slot: int, asked: Node) -> Node:
    """The server of these that has a slot, as one of them sees it."""
    ranges: Any = asked.ask("CLUSTER", "SLOTS")
    [port] = [one[2][1] for one in ranges if one[0] <= slot <= one[1]]
    return next(node for node in nodes if node.announced == port)


class Move:
    """A slot on its way from one server to another, step by step."""

    def __init__(self, slot: int, source: Node, target: Node) -> None:
        self.slot, self.source, self.target = slot, source, target

    def begin(self) -> None:
        """From now on what the source does not have of the slot is asked of the target."""
        self.target.setslot(self.slot, "IMPORTING", self.source.id)
        self.source.setslot(self.slot, "MIGRATING", self.target.id)

    def keys(self, most: int) -> list[Any]:
        """Some of the keys that the source still has."""
        return list(self.source.ask("CLUSTER", "GETKEYSINSLOT", self.slot, most))

    def carry(self, *keys: Any) -> None:
        """Move keys over; what is there already came before somebody died, and is no newer."""
        self.source.ask(
            *("MIGRATE", "127.0.0.1", self.target.port, "", 0, 2000, "REPLACE", "KEYS", *keys)
        )

    def end(self, others: list[Node]) -> None:
        """Move the keys that are left, and tell everybody."""
        while keys := self.keys(100):
            self.carry(*keys)
        for node in (self.target, self.source, *others):
            node.setslot(self.slot, "NODE", self.target.id)

    def undo(self, others: list[Node]) -> None:
        """Let the source have the slot again, wherever it is."""
        for node in (self.source, self.target):
            node.setslot(self.slot, "STABLE")
        back = Move(self.slot, self.target, self.source)
        with contextlib.suppress(ResponseError):  # It is the source's still.
            back.begin()
            back.end(others)


def slot_of(keys: Keys) -> int:
    """The slot of a partition."""
    return int(key_slot(keys.due.encode()))


@contextlib.contextmanager
def cluster_of(folder: Path, *, replicas: bool = False) -> Iterator[Cluster]:
    """A cluster that is ended afterwards."""
    cluster = Cluster(folder, replicas=replicas)
    try:
        yield cluster
    finally:
        cluster.close()
