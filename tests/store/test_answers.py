"""What both stores promise of answers to idempotency keys (service/store/answers.py)."""

from dataclasses import replace

import pytest
from redis import Redis

from service.store import keys
from service.store.answers import CLAIM_MS, KEPT_MS, Answer, InProgress
from service.store.base import Store
from service.store.redis_store import RedisStore
from tests.support.tables import GUEST, changed_by, created, put, seated

MINE = Answer("key", "table-1", "my claim", "the answer")
OTHERS = replace(MINE, claim="another claim", text="another answer")


def held(store: Store) -> str | None:
    """What is held under the key, for somebody who comes anew."""
    return store.answers.claim("table-1", "key", "a third claim")


def test_a_key_is_claimed_once(store: Store) -> None:
    """The first claim holds, and claiming again with it (a request sent twice) is no conflict."""
    for _ in range(2):
        assert store.answers.claim("table-1", "key", MINE.claim) is None
    assert MINE.claim == held(store)
    assert store.answers.claim("table-1", "another key", "a third claim") is None


def test_the_claimant_answers(store: Store) -> None:
    """Who holds the claim keeps the answer; nobody else does, and it stays."""
    store.answers.claim("table-1", "key", MINE.claim)
    assert store.answers.keep(OTHERS) is False
    for _ in range(2):
        assert store.answers.keep(MINE) is True
    assert store.answers.keep(OTHERS) is False
    assert "the answer" == held(store)


def test_a_claim_may_be_given_up(store: Store) -> None:
    """Then the next one may claim; nobody gives up another's claim."""
    store.answers.claim("table-1", "key", MINE.claim)
    store.answers.release(OTHERS)
    assert MINE.claim == held(store)
    store.answers.release(MINE)
    assert held(store) is None


def test_a_change_keeps_its_answer(store: Store) -> None:
    """A commit writes the answer along with the change."""
    table = put(store, created("table-1", seats=3))
    store.answers.claim("table-1", "key", MINE.claim)
    put(store, replace(changed_by(table, seated(GUEST)), answer=MINE))
    assert "the answer" == held(store)


@pytest.mark.parametrize("answered", [False, True])
def test_a_change_whose_key_is_anothers_writes_nothing(store: Store, *, answered: bool) -> None:
    """A commit whose key somebody else has claimed or answered meanwhile leaves no trace."""
    table = put(store, created("table-1", seats=3))
    store.answers.claim("table-1", "key", OTHERS.claim)
    if answered:
        store.answers.keep(OTHERS)
    with pytest.raises(InProgress):
        store.commit(table.version, replace(changed_by(table, seated(GUEST)), answer=MINE))
    assert table == store.load("table-1")
    assert (OTHERS.text if answered else OTHERS.claim) == held(store)


def test_a_change_sent_again_keeps_its_answer_once(store: Store) -> None:
    """The same commit twice is written once, its answer too, and is no conflict with itself."""
    table = put(store, created("table-1", seats=3))
    store.answers.claim("table-1", "key", MINE.claim)
    change = replace(changed_by(table, seated(GUEST)), answer=MINE)
    for _ in range(2):
        assert store.commit(table.version, change) is True
    assert change.table == store.load("table-1")


def test_claims_and_answers_run_out(redis: Redis, redis_store: RedisStore) -> None:
    """A claim lives for seconds, in case its process dies; an answer for a day."""
    name = keys.keys_of("table-1").answer("key")
    redis_store.answers.claim("table-1", "key", MINE.claim)
    assert CLAIM_MS - 1000 < redis.pttl(name) <= CLAIM_MS
    redis_store.answers.keep(MINE)
    assert KEPT_MS - 10_000 < redis.pttl(name) <= KEPT_MS


def test_a_claim_that_ran_out_may_still_be_answered(redis: Redis, redis_store: RedisStore) -> None:
    """Where nobody else has come, a slow request's answer is kept all the same."""
    redis_store.answers.claim("table-1", "key", MINE.claim)
    redis.delete(keys.keys_of("table-1").answer("key"))
    assert redis_store.answers.keep(MINE) is True
