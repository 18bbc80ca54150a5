"""Who agrees to open a finished deal: both stores keep it, beside the deal's record."""

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from redis import Redis

from service.store import keys
from service.store.base import NotFound, Store
from service.store.redis_store import RedisStore
from service.tables import Status, Table
from tests.support.tables import history, put

TABLE = "random"


@pytest.fixture
def closed(store: Store) -> Table:
    """A table at which two deals were played, and which is closed."""
    table = None
    for change in history(Random(4)):
        table = put(store, change)
    assert table is not None
    assert Status.CLOSED is table.status
    return table


def test_players_agree(store: Store, closed: Table) -> None:
    """Each player agrees once, however often, to each deal by itself."""
    assert frozenset() == store.agreed(TABLE, 1)
    for player in ("host", "host-2", "host", "host-2", "st"):
        store.agree(TABLE, 1, player)
    store.agree(TABLE, 2, "host")

    assert {"host", "host-2", "st"} == store.agreed(TABLE, 1)
    assert {"host"} == store.agreed(TABLE, 2)


def test_a_deal_that_is_not_over(store: Store, closed: Table) -> None:
    """Where there is no finished deal there is nothing to agree to, and nothing is kept."""
    for table, number in ((TABLE, 3), ("nowhere", 1)):
        with pytest.raises(NotFound):
            store.agree(table, number, "host")
        assert frozenset() == store.agreed(table, number)


def test_nobody_is_overlooked(store: Store, closed: Table) -> None:
    """Of many who agree at once each one counts."""
    players = {f"player-{number}" for number in range(24)}
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda player: store.agree(TABLE, 1, player), players))

    assert players == store.agreed(TABLE, 1)


def test_agreements_are_forgotten_with_the_table(store: Store, closed: Table) -> None:
    """When a table is forgotten so is who agreed, and nobody can agree any more."""
    store.agree(TABLE, 1, "host")
    for due in store.claim_due(2**50, 2**50, 100):
        if due.kind == "pay_out":
            store.paid(TABLE, due.number)
    assert store.forget(closed)

    assert frozenset() == store.agreed(TABLE, 1)
    with pytest.raises(NotFound):
        store.agree(TABLE, 1, "host")


def test_nothing_is_left_in_redis(redis: Redis, redis_store: RedisStore) -> None:
    """The key goes with the table's others."""
    change = None
    for change in history(Random(4)):
        put(redis_store, change)
    assert change is not None
    redis_store.agree(TABLE, 1, "host")
    key = keys.keys_of(TABLE).opened(TABLE)
    assert {b"1": b"host"} == redis.hgetall(key)

    assert redis_store.forget(change.table)
    assert 0 == redis.exists(key)
