"""The service on a cluster: servers that share the tables, each behind a bad network of its own."""

import contextlib
import threading

from redis import RedisError

from service.store import keys
from service.store.base import now_ms
from tests.chaos.outages import NETWORK, Outage
from tests.chaos.processes import Part, ProxyProcess
from tests.chaos.system import START_SECONDS, System
from tests.support.cluster import Move, Node, meet, owner_among, share_slots, slot_of
from tests.support.waiting import wait_until

MOVE_SECONDS = 40
"""How long a slot may be on its way, though servers die meanwhile."""

AGAIN_SECONDS = 0.2


class ClusterSystem(System):
    """All processes of the service, with the tables on a cluster, and the queues on one Redis.

    Faults meet the servers of the cluster as they meet that Redis, and slots are moved meanwhile.
    A server is started again on what it has kept: so nothing is lost that was acknowledged.
    """

    def _parts(self) -> list[Part]:
        self._moves: list[threading.Thread] = []
        self._nodes = [Node(self._folder) for _ in range(self.size.nodes)]
        self._ways = [self._way_to(node) for node in self._nodes]
        seeds = ",".join(f"127.0.0.1:{node.announced}" for node in self._nodes)
        self.store_url = f"redis+cluster://{seeds}"
        self.env["PAIUTE_QUEUE_REDIS_URL"] = self.env["PAIUTE_REDIS_URL"]
        self.env["PAIUTE_REDIS_URL"] = self.store_url
        servers = [self._server(f"node {n}", node) for n, node in enumerate(self._nodes, 1)]
        self.stores = (*self.stores, *(part.name for part in servers))
        return [*servers, *super()._parts()]

    def _way_to(self, node: Node) -> ProxyProcess:
        """A network that clients reach a server over, and the servers each other not."""
        way = ProxyProcess("0", str(node.port), f"{self._seed}:{node.port}")
        node.announced = int(way.listens_at)
        return way

    def _server(self, name: str, node: Node) -> Part:
        def is_well(_pid: int) -> bool:
            return node.is_well(self.size.nodes)

        return self._part(name, "store", node.command, is_well)

    def start(self) -> None:
        """Start the cluster, then everything else, and wait until it serves."""
        for name, node in zip(self.stores[1:], self._nodes, strict=True):
            self.parts[name].start()
            wait_until(node.answers, START_SECONDS)
        share_slots(self._nodes)
        meet(self._nodes)
        super().start()

    @property
    def serves(self) -> bool:
        """Whether every part is at work, and every slot in its place."""
        return super().serves and not any(move.is_alive() for move in self._moves)

    def move(self, partition: int) -> None:
        """Move a partition to another server, whoever dies meanwhile."""
        slot = slot_of(keys.ALL[partition])
        self._moves.append(threading.Thread(target=self._move, args=(slot,), daemon=True))
        self._moves[-1].start()

    def _move(self, slot: int) -> None:
        on_its_way = self.outages.add(Outage(NETWORK, "a slot moves", now_ms()))
        [move] = wait_until(lambda: self._plan(slot), MOVE_SECONDS, AGAIN_SECONDS)
        wait_until(lambda: self._go_on(move), MOVE_SECONDS, AGAIN_SECONDS)
        on_its_way.ended = now_ms()
        self.moved += 1

    def _plan(self, slot: int) -> list[Move]:
        """From whom a slot goes to whom, if somebody can say it now."""
        with contextlib.suppress(RedisError):
            source = owner_among(self._nodes, slot, self._nodes[0])
            place = self._nodes.index(source)
            return [Move(slot, source, self._nodes[place - 1])]
        return []

    def _go_on(self, move: Move) -> bool:
        """Do what is left of a move; whether all know by now that the slot has arrived."""
        with contextlib.suppress(RedisError):
            if owner_among(self._nodes, move.slot, move.source) is not move.target:
                move.begin()
                move.end([])
            owners = [owner_among(self._nodes, move.slot, asked) for asked in self._nodes]
            return owners == [move.target] * len(self._nodes)
        return False

    def network(self, do: str, seconds: float = 0, **how: float) -> None:
        """Make the networks before the stores bad."""
        super().network(do, seconds, **how)
        for way in self._ways:
            way.order(do, **how, **({"seconds": seconds} if seconds else {}))

    def calm(self) -> None:
        """End all faults: everything is started, goes on, and is connected well."""
        super().calm()
        for way in self._ways:
            way.order("calm")

    def close(self) -> None:
        """Kill what is left."""
        super().close()
        for way in self._ways:
            self.traffic += way.end()
        self._ways.clear()
        for node in self._nodes:
            node.redis.close()
