"""Pages of tables of which only some are wanted, or can be read (service/api/pages.py)."""

from redis import Redis

from service.api.pages import PAGE_READS, sift
from service.store import keys
from service.store.base import Listed
from service.store.redis_store import RedisStore
from service.tables.table import Table
from tests.store.conftest import redis_store
from tests.support.tables import created, put

__all__ = ["redis_store"]

NEWER = 99
"""A format of a release to come."""


def listed(store: RedisStore, limit: int) -> list[str]:
    """The ids of all tables, by pages."""
    seen: list[str] = []
    cursor: str | None = None
    while True:
        query = {"limit": limit} | ({"cursor": cursor} if cursor else {})
        found, cursor = sift(store.tables, lambda _: True, query)
        seen += [table.id for table in found]
        if cursor is None:
            return seen


def test_what_cannot_be_read_is_passed_over(redis: Redis, redis_store: RedisStore) -> None:
    """The list goes on behind tables that a newer release has written, however many they are."""
    names = [f"table-{number:02}" for number in range(3 * PAGE_READS)]
    for name in names:
        put(redis_store, created(name))
    newer = names[2:-2]
    for name in newer:
        redis.hset(keys.keys_of(name).table(name), "format", NEWER)
    readable = sorted(set(names) - set(newer), reverse=True)
    for limit in (1, 2, 100):
        assert readable == listed(redis_store, limit)
    last = redis_store.lobby(names[-2], open_only=False, limit=3)
    assert Listed((), names[-5]) == last


def test_a_long_way_to_the_next_one(redis_store: RedisStore) -> None:
    """A page that would take too many reads ends before it is full, and says where to go on."""
    reads: list[str | None] = []

    def read(before: str | None, limit: int) -> Listed:
        reads.append(before)
        return Listed((), str(len(reads)))

    wanted: list[Table] = []
    assert (wanted, str(PAGE_READS)) == sift(read, lambda _: True, {"limit": 1})
    assert [None, *map(str, range(1, PAGE_READS))] == reads
