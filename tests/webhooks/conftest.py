"""An office over either store."""

import pytest

from service.store.base import Store
from service.store.memory import MemoryStore
from tests.store.conftest import store_at
from tests.webhooks.office import Office


@pytest.fixture(params=["memory", "redis"])
def store(request: pytest.FixtureRequest) -> Store:
    """Either store, empty."""
    if request.param == "memory":
        return MemoryStore()
    request.getfixturevalue("redis")
    return store_at(request.getfixturevalue("redis_url"))


@pytest.fixture
def office(store: Store) -> Office:
    """The application over either store."""
    return Office(store)
