"""What a process knows of revoked tokens (service/store/revocations.py)."""

import threading
from pathlib import Path

from redis import Redis

from service.engine.errors import PaiuteError
from service.store import keys
from service.store.base import Unavailable
from service.store.memory_tokens import MemoryTokens
from service.store.redis_store import RedisStore
from service.store.revocations import FRESH_SECONDS, Revocations
from service.store.tokens import FIRST_PLACE, PAGE, Revoked
from service.store.watches import Watches
from tests.store.conftest import store_at
from tests.support.parts import own_server
from tests.support.waiting import wait_until

NOW = 1_790_000_000


class CountedTokens(MemoryTokens):
    """A list that says how often it was read, and may be away."""

    def __init__(self) -> None:
        super().__init__(Watches(1, 1))
        self.reads = 0
        self.away = False

    def revoked_after(self, place: str) -> tuple[tuple[Revoked, ...], str]:
        self.reads += 1
        if self.away:
            raise Unavailable("The store is away.")
        return super().revoked_after(place)


class LongList(CountedTokens):
    """A list of three pages, the last two of which take their time."""

    def __init__(self) -> None:
        super().__init__()
        self.goes_on = threading.Event()
        self.asked = 0
        self._revoked = [Revoked(f"t-{number}") for number in range(2 * PAGE + 1)]

    def revoked_after(self, place: str) -> tuple[tuple[Revoked, ...], str]:
        if place != FIRST_PLACE:
            assert self.goes_on.wait(10)
        return super().revoked_after(place)

    def revoked(self, token_id: str) -> bool:
        self.asked += 1
        if self.away:
            raise Unavailable("The store is away.")
        return super().revoked(token_id)


class Seconds:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_asking_costs_a_read_twice_a_second_at_most() -> None:
    """However often it is asked, the list is read once in half a second."""
    tokens, seconds = CountedTokens(), Seconds()
    known = Revocations(tokens, seconds)
    for _ in range(100):
        assert not known.revoked("a")
    assert 1 == tokens.reads
    seconds.now += FRESH_SECONDS
    for _ in range(100):
        known.revoked("a")
    assert 2 == tokens.reads


def test_nothing_older_is_believed_after_a_quiet_time() -> None:
    """Many requests at once after a quiet time all wait for what has been revoked meanwhile."""
    tokens, seconds = CountedTokens(), Seconds()
    known = Revocations(tokens, seconds)
    known.revoked("a")
    tokens.revoke("me", Revoked("a"), NOW)
    assert not known.revoked("a")
    seconds.now += 60
    found: list[bool] = []
    threads = [threading.Thread(target=lambda: found.append(known.revoked("a"))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [True] * 16 == found
    assert 2 == tokens.reads


def test_now_is_now() -> None:
    """Who asks for this very moment gets it."""
    tokens = CountedTokens()
    known = Revocations(tokens, Seconds())
    assert not known.revoked("a")
    tokens.revoke("me", Revoked("a"), NOW)
    assert known.revoked_now("a")
    assert known.revoked("a")


def test_what_is_known_stays_known_without_a_store() -> None:
    """While the store is away a revoked token stays revoked, and others stay good."""
    tokens, seconds = CountedTokens(), Seconds()
    known = Revocations(tokens, seconds)
    tokens.revoke("me", Revoked("a"), NOW)
    assert known.revoked("a")
    tokens.away = True
    for _ in range(3):
        seconds.now += 60
        assert (True, False) == (known.revoked("a"), known.revoked("b"))
    tokens.revoke("me", Revoked("b"), NOW)
    tokens.away = False
    seconds.now += FRESH_SECONDS
    assert known.revoked("b")


def test_expired_tokens_are_forgotten() -> None:
    """What would have expired takes no memory; a token without an end stays on the list."""
    tokens, seconds = CountedTokens(), Seconds()
    known = Revocations(tokens, seconds)
    tokens.revoke("me", Revoked("ended", 1), NOW)
    tokens.revoke("me", Revoked("endless"), NOW)
    assert (False, True) == (known.revoked("ended"), known.revoked("endless"))


def test_the_list_loses_what_has_expired(redis: Redis, redis_store: RedisStore) -> None:
    """The next revocation takes those off that have expired; a new process reads the rest."""
    for token, until in (("endless", None), ("ended", NOW + 5), ("ends", NOW + 50)):
        redis_store.tokens.revoke("me", Revoked(token, until), NOW)
    redis_store.tokens.revoke("me", Revoked("last"), NOW + 5)
    assert 3 == redis.xlen(keys.REVOKED.revoked)
    assert ["endless", "ends", "last"] == [
        one.token for one in redis_store.tokens.revoked_after("0-0")[0]
    ]


def test_nobody_waits_for_a_long_list() -> None:
    """While a list of several pages is read the store is asked for each token that is not known."""
    tokens = LongList()
    known, last = Revocations(tokens, Seconds()), f"t-{2 * PAGE}"
    for asks in (known.revoked, known.revoked_now):
        assert (True, True, False) == (asks("t-0"), asks(last), asks("other"))
    assert (4, False) == (tokens.asked, known.ready())
    tokens.away = True
    assert not known.revoked(last), "without a store what is known is all there is"
    tokens.away = False
    tokens.goes_on.set()
    wait_until(known.ready)
    asked = tokens.asked
    assert (True, False) == (known.revoked(last), known.revoked("other"))
    assert (asked, 3) == (tokens.asked, tokens.reads)


def test_a_long_list_is_read_on_after_an_outage() -> None:
    """A store that went away in the middle of it is read on when it is back."""
    tokens, seconds = LongList(), Seconds()
    known = Revocations(tokens, seconds)
    assert not known.ready()
    tokens.away = True
    tokens.goes_on.set()
    wait_until(lambda: known._reader is None)
    tokens.away = False
    assert not known.ready()
    seconds.now += FRESH_SECONDS
    wait_until(known.ready)
    assert known.revoked(f"t-{2 * PAGE}")


def test_a_long_list_is_read_whole(redis: Redis, redis_store: RedisStore) -> None:
    """A list of several pages is the same before it is read to its end and after."""
    tokens = redis_store.tokens
    for number in range(PAGE + 1):
        tokens.revoke("me", Revoked(f"t-{number}"), NOW)
    tokens.revoke("me", Revoked("t-0"), NOW)
    assert PAGE + 1 == redis.xlen(keys.REVOKED.revoked)
    known = redis_store.revocations
    for _ in range(2):
        assert known.revoked("t-0")
        assert known.revoked(f"t-{PAGE}")
        assert not known.revoked(f"t-{PAGE + 1}")
        wait_until(known.ready)


def test_a_server_that_dies(tmp_path: Path) -> None:
    """With the server gone a process knows what it knew; once it is back, what came since."""
    with own_server(tmp_path) as server:
        mine, other = store_at(server.url), store_at(server.url)
        mine.tokens.revoke("me", Revoked("a"), NOW)
        assert mine.revocations.revoked("a")
        server.kill()
        assert mine.revocations.revoked_now("a")
        assert not mine.revocations.revoked_now("b")
        server.start()
        revoke_somehow(other, "b")
        while not mine.revocations.revoked_now("b"):
            pass
        assert mine.revocations.revoked("a")


def revoke_somehow(store: RedisStore, token: str) -> None:
    """Revoke a token, as soon as the client has found that its server is back."""
    while True:
        try:
            store.tokens.revoke("me", Revoked(token), NOW)
        except PaiuteError:
            continue
        return
