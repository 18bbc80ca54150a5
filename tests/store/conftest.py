"""The two stores, which keep the same contract."""

from collections.abc import Callable

import pytest
from redis import Redis

from service.store.base import Store
from service.store.connection import connect
from service.store.memory import MemoryStore
from service.store.redis_store import RedisStore
from tests.support.tables import START

RETENTION_SECONDS = 3600


def store_at(url: str, waiters: int = 4) -> RedisStore:
    """A store with connections of its own, whose clock stands at the time of the tests' tables.

    The connections stay open: its listener thread keeps one for good.
    """
    return RedisStore(connect(url), RETENTION_SECONDS, waiters, clock=lambda: START)


@pytest.fixture
def redis_store(redis: Redis, redis_url: str) -> RedisStore:
    """A store over the real server, which is empty."""
    return store_at(redis_url)


@pytest.fixture(params=["memory", "redis"])
def store(request: pytest.FixtureRequest) -> Store:
    """Either store, empty."""
    make: dict[str, Callable[[], Store]] = {
        "memory": MemoryStore,
        "redis": lambda: request.getfixturevalue("redis_store"),
    }
    return make[request.param]()
