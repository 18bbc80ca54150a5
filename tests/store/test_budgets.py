"""Budgets: full at first, then so many a second, each for itself."""

import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from redis import Redis

from service.store import keys
from service.store.base import Change, NotFound, Store
from service.store.budgets import SECOND, Charge, RateLimited
from service.store.redis_store import RedisStore
from service.tables import Player, Table
from tests.store.test_redis_store import requests_during
from tests.support.tables import GUEST, changed_by, created, put, seated
from tests.support.waiting import wait_until


class Slow(Charge):
    """A request of a budget that regains nothing while a test runs, however slow the machine is."""

    @property
    def each_us(self) -> int:
        return 3600 * SECOND


def charge(budget: str = "play", payer: str = "me", burst: int = 3) -> Charge:
    """One of three requests, which do not come back."""
    return Slow(budget, payer, 1, burst)


def quick(per_second: int, burst: int) -> Charge:
    """A request that comes back, of a bucket of its own."""
    return Charge("quick", "me", per_second, burst)


def spend(store: Store, of: Charge, most: int = 100) -> int:
    """Spend until it is refused; gives how often it was not."""
    for number in range(most):
        if not pays(store, of):
            return number
    return most


def pays(store: Store, of: Charge) -> bool:
    """Whether one more request is covered."""
    try:
        store.budgets.spend(of)
    except RateLimited:
        return False
    return True


def test_what_counts_for_several(store: Store) -> None:
    """It takes as many out of the bucket, or none where there are not so many in it."""
    two = replace(charge(), requests=2)

    assert 1 == spend(store, two)
    assert 1 == spend(store, charge())


def test_a_burst_and_no_more(store: Store) -> None:
    """A full bucket covers its burst at once; what is refused then says how many that is."""
    assert 3 == spend(store, charge())

    with pytest.raises(RateLimited, match=r"`play` is used up\. Requests at once: 3;") as no:
        store.budgets.spend(charge())
    assert "play" == no.value.facts["limit"]


def test_each_budget_of_each_payer_is_its_own(store: Store) -> None:
    """An empty bucket takes nothing from others, be it of the same payer or the same budget."""
    spend(store, charge())

    assert 3 == spend(store, charge("lobby"))
    assert 3 == spend(store, charge(payer="somebody else"))


def test_requests_come_back_one_by_one(store: Store) -> None:
    """An empty bucket regains so many a second, and never more than its burst."""
    begun = time.monotonic()
    spend(store, quick(20, burst=2))
    for _ in range(4):
        wait_until(lambda: pays(store, quick(20, burst=2)), 5)

    assert time.monotonic() - begun > 4 / 20 - 0.05


def test_after_a_second_there_is_one_again(store: Store) -> None:
    """Whoever waits for a second is let through, as `Retry-After` says."""
    spend(store, quick(1, burst=3))
    emptied = time.monotonic()
    wait_until(lambda: time.monotonic() > emptied + 1, 5)

    assert pays(store, quick(1, burst=3))


def test_refusals_cost_nothing(store: Store) -> None:
    """Asking again and again does not put the next request off."""
    spend(store, quick(10, burst=1))
    until = time.monotonic() + 5
    while not pays(store, quick(10, burst=1)):
        assert time.monotonic() < until


def test_a_bucket_that_was_larger(store: Store) -> None:
    """With a smaller burst than before nobody waits until the larger bucket would be full."""
    spend(store, charge(burst=1000), 500)

    assert 3 == spend(store, charge(burst=3))


@pytest.mark.parametrize("per_second", [SECOND, 10**12])
def test_what_is_hardly_a_limit(store: Store, per_second: int) -> None:
    """Any number that a setting takes is one that the buckets take."""
    assert 100 == spend(store, quick(per_second, burst=10**12), 100)


def test_looking_at_a_table(store: Store) -> None:
    """A look for a charge gives the table as any look does, until the bucket is empty."""
    table = put(store, created())
    assert [table] * 2 == [store.load(table.id, charge()) for _ in range(2)]
    with pytest.raises(NotFound):
        store.load("nowhere", charge())

    for name in (table.id, "nowhere"):
        with pytest.raises(RateLimited):
            store.load(name, charge())
    assert table == store.load(table.id)


def test_a_change_is_charged_once(store: Store) -> None:
    """Who is judged several times since others come first has paid once."""
    table = put(store, created(seats=5))
    others = iter(range(2))

    def decide(seen: Table) -> Change:
        for other in others:
            put(store, changed_by(seen, seated(somebody(f"other-{other}"))))
            break
        return changed_by(seen, seated(GUEST))

    store.change(table.id, decide, charge=charge(burst=2))
    assert 4 == store.load(table.id).version
    assert 1 == spend(store, charge(burst=2))


def somebody(id_: str) -> Player:
    """Somebody else."""
    return Player(id_, id_, "human")


def test_a_change_that_is_not_covered(store: Store) -> None:
    """It is refused before it is decided on, and writes nothing."""
    table = put(store, created())
    spend(store, charge())

    def decide(_: Table) -> Change:
        raise AssertionError("nothing may be decided on")

    with pytest.raises(RateLimited):
        store.change(table.id, decide, charge=charge())
    assert table == store.load(table.id)


def reads_during(redis: Redis, action: Callable[[], object]) -> int:
    """How often the server read something from a connection meanwhile."""

    def reads() -> int:
        return int(redis.info("stats")["total_reads_processed"])

    before = reads()
    action()
    return reads() - before - 1


def test_a_charge_takes_no_round_trip(redis: Redis, redis_store: RedisStore) -> None:
    """A charge goes along with the first read: one round trip a look, two a change."""
    table = put(redis_store, created(seats=5))
    redis_store.load(table.id, charge())

    def look() -> None:
        redis_store.load(table.id, charge())

    def change() -> None:
        redis_store.change(table.id, lambda t: changed_by(t, seated(GUEST)), charge=charge())

    assert 1 == reads_during(redis, look)
    assert 2 == reads_during(redis, change)


def test_without_a_charge_no_script_is_run(redis: Redis, redis_store: RedisStore) -> None:
    """Where nothing is to be paid, a look is one command."""
    table = put(redis_store, created())

    assert ["HMGET"] == requests_during(redis, lambda: redis_store.load(table.id))
    assert ["EVALSHA", "HMGET"] == requests_during(
        redis, lambda: redis_store.load(table.id, charge())
    )


def test_a_server_that_has_forgotten_the_script(redis: Redis, redis_store: RedisStore) -> None:
    """It is told the script again, and the request is charged once."""
    table = put(redis_store, created())
    redis.script_flush()
    assert table == redis_store.load(table.id, charge())

    assert 2 == spend(redis_store, charge())


def test_full_buckets_are_not_kept(redis: Redis, redis_store: RedisStore) -> None:
    """A bucket is forgotten once it is full again."""
    bucket = keys.keys_of("me").bucket
    for _ in range(2):
        redis_store.budgets.spend(charge())
    redis_store.budgets.spend(quick(50, burst=10))

    hour = 3_600_000
    assert hour < redis.pttl(bucket("play", "me")) <= 2 * hour
    wait_until(lambda: not redis.exists(bucket("quick", "me")), 5)


def test_a_clock_that_was_put_back(redis: Redis, redis_store: RedisStore) -> None:
    """A bucket from a time that has yet to come counts as full."""
    seconds, _ = redis.time()
    redis.set(keys.keys_of("me").bucket("play", "me"), (seconds + 4 * 3600) * SECOND)

    assert 3 == spend(redis_store, charge())


def test_a_server_that_is_full(redis: Redis, redis_store: RedisStore) -> None:
    """Tables can be looked at while the server takes no writes; nobody is counted then."""
    table = put(redis_store, created())
    redis_store.budgets.spend(charge())
    redis.config_set("maxmemory", 1)
    redis.script_flush()  # As one has that was started full.
    try:
        assert [table] * 5 == [redis_store.load(table.id, charge()) for _ in range(5)]
    finally:
        redis.config_set("maxmemory", 0)
