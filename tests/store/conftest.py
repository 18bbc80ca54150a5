"""The stores, which keep the same contract: in memory, on one Redis, and on a cluster."""

from collections.abc import Callable

import pytest
from redis import Redis

from service.store.base import Store
from service.store.cluster import GuardedCluster
from service.store.connection import GuardedRedis, connect
from service.store.memory import MemoryStore
from service.store.redis_store import RedisStore
from tests.support.cluster import Cluster
from tests.support.tables import START

RETENTION_SECONDS = 3600


def store_at(url: str, waiters: int = 4) -> RedisStore:
    """A store with connections of its own, whose clock stands at the time of the tests' tables.

    The connections stay open: its listener thread keeps one for good.
    """
    return store_on(connect(url), waiters)


def store_on(client: GuardedRedis | GuardedCluster, waiters: int = 4) -> RedisStore:
    """A store over a client, whose clock stands at the time of the tests' tables."""
    return RedisStore(client, RETENTION_SECONDS, waiters, clock=lambda: START)


@pytest.fixture
def redis_store(redis: Redis, redis_url: str) -> RedisStore:
    """A store over the real server, which is empty."""
    return store_at(redis_url)


@pytest.fixture
def cluster_store(cluster: Cluster) -> RedisStore:
    """A store over the real cluster, which is empty."""
    return store_at(cluster.url)


@pytest.fixture(params=["memory", "redis", "cluster"])
def store(request: pytest.FixtureRequest) -> Store:
    """Each store, empty."""
    make: dict[str, Callable[[], Store]] = {
        "memory": MemoryStore,
        "redis": lambda: request.getfixturevalue("redis_store"),
        "cluster": lambda: request.getfixturevalue("cluster_store"),
    }
    return make[request.param]()
