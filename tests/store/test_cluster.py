"""The store on a cluster: servers that send commands on, slots on their way, lost scripts."""

import gc
import threading
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from redis import ResponseError

from service.store import keys
from service.store.base import Unavailable
from service.store.books import Books
from service.store.budgets import Charge
from service.store.redis_store import RedisStore
from service.tables import Leave, Player, Table
from tests.store.conftest import store_on
from tests.support.cluster import Cluster, Move, Node, slot_of
from tests.support.tables import GUEST, START, changed_by, created, open_account, put, seated
from tests.support.waiting import wait_until


@pytest.fixture
def moving(cluster: Cluster) -> Iterator[Callable[[str], Move]]:
    """Begins to move the slot of a table or a player; in the end it is where it was."""
    moves: list[Move] = []

    def begin(name: str) -> Move:
        source = cluster.has(name)
        target = next(node for node in cluster.masters if node is not source)
        moves.append(Move(slot_of(keys.keys_of(name)), source, target))
        moves[-1].begin()
        return moves[-1]

    yield begin
    cluster.flush()
    for move in moves:
        move.undo(cluster.masters)
    for move in moves:
        wait_until(partial(everybody_knows, cluster, move.slot, move.source))


def everybody_knows(cluster: Cluster, slot: int, owner: Node) -> bool:
    """Whether all servers know who has a slot."""
    return all(cluster.owner(slot, asked) is owner for asked in cluster.masters)


CALLS: dict[str, Callable[[RedisStore, Table], object]] = {
    "command": lambda store, table: store.load(table.id),
    "script": lambda store, table: put(store, changed_by(table, seated(GUEST))),
    "transaction": lambda store, table: store.paid(table.id, table.version),
    "pipeline": lambda store, table: store.load_all([table.id])[table.id],
    "script in a pipeline": lambda store, _table: store.claim_due(2 * START, 2 * START, 9)[0],
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_slot_that_has_moved(
    cluster: Cluster,
    moving: Callable[[str], Move],
    call: Callable[[RedisStore, Table], object],
) -> None:
    """Where a slot has moved the next call finds it, of whatever kind it is."""
    store = store_on(cluster.client())
    table = put(store, created(seats=5))
    move = moving(table.id)
    move.end(cluster.masters)
    assert move.target is cluster.has(table.id)
    call(store, table)


def test_a_slot_on_its_way(cluster: Cluster, moving: Callable[[str], Move]) -> None:
    """While a slot moves, a table is read where it is, and written once all of it has arrived."""
    store = store_on(cluster.client())
    table = put(store, created(seats=5))
    of = keys.keys_of(table.id)
    move = moving(table.id)
    assert table == store.load(table.id), "it is still at the source"
    move.carry(of.table(table.id))
    assert table == store.load(table.id), "it is at the target"
    assert {table.id: table} == store.load_all([table.id])
    with pytest.raises(Unavailable):
        store.commit(table.version, changed_by(table, seated(GUEST)))
    arriving = threading.Timer(0.3, move.end, [cluster.masters])
    arriving.start()
    after = put(store, changed_by(table, seated(GUEST)))
    arriving.join()
    assert after == store.load(table.id)
    assert [1, 2] == [entry.id for entry in store.entries(table.id, 0, 9)]


def test_a_slot_that_moves_as_a_whole(cluster: Cluster) -> None:
    """Where the servers move a slot as a whole, no move is refused meanwhile."""
    source, target, _ = cluster.masters
    store = store_on(cluster.client())
    table = put(store, created(cluster.id_at(source), seats=5))
    slot = slot_of(keys.keys_of(table.id))
    try:
        source.ask("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", target.id)
    except ResponseError:
        pytest.skip("this server moves slots key by key alone")
    while cluster.owner(slot, target) is not target:
        table = put(store, changed_by(table, seated(GUEST)))
        table = put(store, changed_by(table, Leave(GUEST.id)))
    assert table == store.load(table.id)
    Move(slot, source, target).undo(cluster.masters)
    wait_until(partial(everybody_knows, cluster, slot, source))


def test_a_transaction_on_its_way(cluster: Cluster, moving: Callable[[str], Move]) -> None:
    """A transaction waits until its slot has arrived, and is done once."""
    client = cluster.client()
    key = keys.keys_of("it").due
    client.zadd(key, {"before": 1})
    move = moving("it")
    move.carry(key)
    arriving = threading.Timer(0.2, move.end, [cluster.masters])
    arriving.start()
    with client.pipeline() as pipe:
        pipe.zincrby(key, 1, "before")
        pipe.zcard(key)
        assert [2.0, 1] == pipe.execute()
    arriving.join()


def test_a_transaction_of_two_slots(cluster: Cluster) -> None:
    """What can't be done all or none is refused before it is sent."""
    with cluster.client().pipeline() as pipe:
        pipe.get(keys.ALL[0].due)
        pipe.get(keys.ALL[1].due)
        with pytest.raises(ValueError, match="one slot"):
            pipe.execute()


def test_a_command_for_no_slot(cluster: Cluster) -> None:
    """A command without a key is refused, since nobody says which servers it is for."""
    with pytest.raises(ValueError, match="FLUSHALL has no key"):
        cluster.client().flushall()


def test_servers_that_have_forgotten_the_scripts(cluster: Cluster) -> None:
    """A script that a server does not know is sent to it, in a pipeline too, and is done once."""
    store = store_on(cluster.client())
    table = put(store, created())
    charge = Charge("payer", "play", 1, 1)
    for node in cluster.masters:
        node.redis.script_flush()
    store.load(table.id, charge)
    for node in cluster.masters:
        node.redis.script_flush()
    assert 1 == len(store.claim_due(2 * START, 2 * START, 9))


def test_the_books_of_a_cluster(cluster: Cluster, moving: Callable[[str], Move]) -> None:
    """The books have the tables and accounts of all servers, and tell when a slot has moved."""
    client = cluster.client()
    store, books = store_on(client), Books(client)
    ids = sorted(cluster.id_at(node) for node in cluster.masters)
    for id_ in ids:
        put(store, created(id_))
        open_account(store, Player(id_, "Somebody", "human"))
    before = books.server()
    assert ids == books.table_ids() == books.account_ids()
    assert before == books.server()
    moving(ids[0]).end(cluster.masters)
    assert before != books.server()
    assert ids == books.table_ids()


def test_a_forgotten_client_leaves_no_connection_open(cluster: Cluster) -> None:
    """A client that goes takes its connections to all servers with it."""
    client = cluster.client()
    name = f"forgotten-{id(client)}"
    for server in client.members.all():
        server.client_setname(name)
    del client, server
    gc.collect()
    wait_until(lambda: not any(name in names(node) for node in cluster.masters))


def names(node: Node) -> set[str]:
    """The names of the connections to a server."""
    return {client["name"] for client in node.redis.client_list()}
