"""The store on a cluster of which servers die, hang, or lose their replies."""

import contextlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from service.store.base import Unavailable
from service.store.budgets import Charge
from service.store.cluster import GuardedCluster
from service.store.connection import GuardedRedis, connect
from service.store.redis_store import RedisStore
from service.store.slots import Address
from service.tables import Player, Table
from tests.store.conftest import store_at, store_on
from tests.support.cluster import Cluster, Node
from tests.support.proxy import lossy_proxy
from tests.support.tables import GUEST, START, changed_by, created, put, seated
from tests.support.waiting import wait_until

LATE = Player("late", "Late", "human")


@pytest.fixture
def one_away(cluster: Cluster) -> Iterator[Node]:
    """A server that a test may kill or halt; in the end it is there again."""
    node = cluster.masters[1]
    yield node
    node.go_on()
    wait_until(cluster.is_well)


@pytest.mark.parametrize("end", [Node.kill, Node.halt], ids=["killed", "halted"])
def test_one_server_is_away(cluster: Cluster, one_away: Node, end: Callable[[Node], None]) -> None:
    """Its tables are unavailable within 2 s, then at once; all others go on as if it were there."""
    store = store_on(cluster.client())
    there = put(store, created(cluster.id_at(one_away, there=False), seats=5))
    gone = put(store, created(cluster.id_at(one_away)))
    end(one_away)
    assert_unavailable(lambda: store.load(gone.id), 2)
    for _ in range(3):
        assert_unavailable(lambda: store.load_all([there.id, gone.id]), 2)
    began = time.monotonic()
    for player in (GUEST, LATE):
        there = put(store, changed_by(there, seated(player)))
    assert there == store.load(there.id)
    assert time.monotonic() - began < 1
    store.ping()


def test_what_is_due_while_one_server_is_away(cluster: Cluster, one_away: Node) -> None:
    """What is due at the tables of the others is found, and the rest once it is back."""
    store = store_on(cluster.client())
    there = put(store, created(cluster.id_at(one_away, there=False)))
    gone = put(store, created(cluster.id_at(one_away)))
    one_away.halt()
    later = 2 * START
    assert [there.id] == due_now(store, later)
    one_away.go_on()
    wait_until(lambda: [gone.id] == due_now(store, later))


def due_now(store: RedisStore, now: int) -> list[str]:
    """The tables at which something is due."""
    return [due.subject for due in store.claim_due(now, 2 * now, 9)]


def test_a_payer_whose_server_is_away(cluster: Cluster, one_away: Node) -> None:
    """Nobody is counted where the count is away, and everybody is answered."""
    store = store_on(cluster.client())
    table = put(store, created(cluster.id_at(one_away, there=False)))
    charge = Charge(cluster.id_at(one_away), "play", 1, 1)
    one_away.halt()
    assert table == store.load(table.id, charge)
    gone = cluster.id_at(one_away)
    here = Charge(table.id, "play", 1, 10_000_000)
    assert_unavailable(lambda: store.load(gone, here), 2)


def test_no_server_answers(cluster: Cluster) -> None:
    """Where none of a cluster answers every call says so within 2 s, known or not, and recovers."""
    known, unknown = store_on(cluster.client()), store_at(cluster.url)
    calls: list[Callable[[RedisStore], object]] = [
        lambda store: store.load("table", Charge("payer", "play", 1, 1)),
        lambda store: store.lobby(None, open_only=False, limit=9),
        RedisStore.ping,
    ]
    for node in cluster.masters:
        node.halt()
    try:
        for store in (known, unknown):
            for call in calls:
                assert_unavailable(partial(call, store), 2)
    finally:
        for node in cluster.masters:
            node.go_on()
    wait_until(lambda: answers(known) and answers(unknown))
    wait_until(cluster.is_well)


def answers(store: RedisStore) -> bool:
    """Whether the store answers."""
    with contextlib.suppress(Unavailable):
        store.lobby(None, open_only=False, limit=9)
        return True
    return False


def assert_unavailable(call: Callable[[], object], seconds: float) -> None:
    """A call that fails as it should, in time."""
    began = time.monotonic()
    with pytest.raises(Unavailable):
        call()
    assert time.monotonic() - began < seconds


def test_a_lost_reply_is_no_false_conflict(cluster: Cluster, tmp_path: Path) -> None:
    """A commit whose reply is lost is sent again, and is true, and there once."""
    node = cluster.masters[0]
    id_ = cluster.id_at(node)
    with lossy_proxy(node.socket, tmp_path / "lossy.sock") as proxy:
        seeds = [("127.0.0.1", one.port) for one in cluster.masters]
        client = GuardedCluster(seeds, lambda one: server_at(cluster, one, proxy.url))
        store = store_on(client)
        table = put(store, created(id_))
        proxy.lose(b"EVALSHA", 1)
        change = changed_by(table, seated(GUEST))
        assert store.commit(table.version, change) is True
        assert 1 == proxy.lost
        assert change.entries == store_at(cluster.url).entries(id_, table.version, 9)
        client.close()


def server_at(cluster: Cluster, address: Address, lossy: str) -> GuardedRedis:
    """A client of one server; that of the first one goes through a proxy."""
    node = cluster.node_at(address[1])
    client = connect(lossy if node is cluster.masters[0] else f"unix://{node.socket}")
    assert isinstance(client, GuardedRedis)
    return client


def test_waiting_outlives_a_server(cluster: Cluster) -> None:
    """Who waits while the server dies that the process listens to still sees the next change."""
    store = store_on(cluster.client())
    tables = {node: put(store, created(cluster.id_at(node))) for node in cluster.masters}
    with ThreadPoolExecutor(len(tables)) as pool:
        waiting = {node: pool.submit(wait_for, store, table) for node, table in tables.items()}
        [heard] = wait_until(lambda: listened_to(cluster.masters))
        others = [node for node in cluster.masters if node is not heard]
        heard.kill()
        wait_until(lambda: listened_to(others))
        for node in others:
            after = put(store, changed_by(tables[node], seated(GUEST)))
            assert after == waiting[node].result(5)
        heard.go_on()
        assert waiting[heard].result(30) in (None, tables[heard])
    wait_until(cluster.is_well)


def wait_for(store: RedisStore, table: Table) -> Table | None:
    """What a table has become, or nothing where it could not be read meanwhile."""
    with contextlib.suppress(Unavailable):
        return store.wait(table.id, table.version, 10)
    return None


def listened_to(nodes: list[Node]) -> list[Node]:
    """Those of these servers that somebody is subscribed at."""
    return [node for node in nodes if node.redis.pubsub_channels()]
