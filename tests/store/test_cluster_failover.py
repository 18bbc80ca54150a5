"""The store on a cluster with replicas: one of them takes over from a server that has died."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.store.base import Unavailable
from service.store.redis_store import RedisStore
from service.tables import Table
from tests.store.conftest import store_on
from tests.support.cluster import Cluster, cluster_of
from tests.support.tables import GUEST, changed_by, created, put, seated
from tests.support.waiting import wait_until


@pytest.fixture
def doubled(tmp_path: Path) -> Iterator[Cluster]:
    """A cluster with a replica for each server, which have all that the servers have."""
    with cluster_of(tmp_path, replicas=True) as cluster:
        wait_until(lambda: all(one.is_linked() for one in cluster.replicas))
        yield cluster


def test_a_replica_takes_over(doubled: Cluster) -> None:
    """Its tables are away until a replica has them, and all others go on; nothing is restarted."""
    store = store_on(doubled.client())
    dead, other, _ = doubled.masters
    table = put(store, created(doubled.id_at(dead)))
    there = put(store, created(doubled.id_at(other)))
    assert 1 == dead.ask("WAIT", 1, 5000), "what its replica does not have is lost with a server"
    dead.kill()
    wait_until(lambda: is_at_once(store, there) and is_there(store, table))
    after = put(store, changed_by(table, seated(GUEST)))
    assert after == store.load(table.id)
    dead.go_on()
    wait_until(dead.is_linked)
    assert after == store.load(table.id), "what died is a replica now, and is not read"


def is_at_once(store: RedisStore, table: Table) -> bool:
    """Whether a table is read as if nothing were; fails the test where it is not."""
    began = time.monotonic()
    assert table == store.load(table.id)
    assert time.monotonic() - began < 1
    return True


def is_there(store: RedisStore, table: Table) -> bool:
    """Whether a table can be read."""
    with contextlib.suppress(Unavailable):
        return store.load(table.id) == table
    return False
