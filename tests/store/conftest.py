"""The two stores, which keep the same contract."""

from collections.abc import Callable

import pytest
from redis import Redis

from service.store.base import Store
from service.store.memory import MemoryStore
from service.store.redis_store import RedisStore
from tests.support.tables import START

RETENTION_SECONDS = 3600


def _over_redis(redis: Redis) -> RedisStore:
    # Its clock stands still at the time of the tests' tables.
    return RedisStore(redis, RETENTION_SECONDS, waiters=4, clock=lambda: START)


@pytest.fixture
def redis_store(redis: Redis) -> RedisStore:
    """A store over the real server."""
    return _over_redis(redis)


@pytest.fixture(params=["memory", "redis"])
def store(request: pytest.FixtureRequest) -> Store:
    """Either store, empty."""
    make: dict[str, Callable[[], Store]] = {
        "memory": MemoryStore,
        "redis": lambda: _over_redis(request.getfixturevalue("redis")),
    }
    return make[request.param]()
