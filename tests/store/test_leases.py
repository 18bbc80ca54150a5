"""Leases: the two stores of them keep the same contract."""

from collections.abc import Iterator

import pytest
from redis import Redis

from service.store.leases import LEASE_MS, Leases
from service.store.memory_leases import MemoryLeases
from service.store.redis_leases import RedisLeases

NOW = 1_790_000_000_000


@pytest.fixture(params=["memory", "redis"])
def leases(request: pytest.FixtureRequest) -> Iterator[Leases]:
    """Either of them, empty."""
    if request.param == "memory":
        yield MemoryLeases()
    else:
        redis: Redis = request.getfixturevalue("redis")
        yield RedisLeases(redis)


def test_a_holder_has_so_many(leases: Leases) -> None:
    """One place too many is refused; another holder's are another holder's."""
    assert [True, True, False] == [leases.hold("me", place, NOW, 2) for place in "abc"]
    assert leases.hold("you", "a", NOW, 2)


def test_a_place_is_held_anew(leases: Leases) -> None:
    """Holding a place again takes no further one, and makes it last."""
    assert leases.hold("me", "a", NOW, 1)
    assert leases.hold("me", "a", NOW + LEASE_MS - 1, 1)
    assert not leases.hold("me", "b", NOW + LEASE_MS, 1)


def test_a_place_comes_free(leases: Leases) -> None:
    """A place is free when it is let go, and when its time is over."""
    assert leases.hold("me", "a", NOW, 1)
    leases.free("me", "a")
    assert leases.hold("me", "b", NOW, 1)
    assert leases.hold("me", "c", NOW + LEASE_MS, 1)
