"""The breaker: at once where nothing is to be hoped for, and one who tries."""

import pytest
from redis import exceptions

from service.observe import metrics
from service.store.breaker import PAUSE_SECONDS, Breaker


class Calls:
    """Calls through a breaker at a time that is held in hand."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.tried = 0
        self.breaker = Breaker(lambda: self.now)

    def call(self, error: Exception | None = None) -> None:
        """One call, which is answered, or fails."""
        with self.breaker.call():
            self.tried += 1
            if error is not None:
                raise error

    def fails(self, error: Exception | None = None) -> bool:
        """One call that fails; gives whether it was tried."""
        before = self.tried
        with pytest.raises(type(error) if error else exceptions.ConnectionError):
            self.call(error)
        return self.tried > before


AWAY = exceptions.TimeoutError("no answer")


@pytest.fixture
def calls() -> Calls:
    """A breaker that has seen nothing yet."""
    return Calls()


@pytest.mark.parametrize("error", [AWAY, exceptions.ConnectionError("refused")])
def test_after_a_failure_nobody_waits(calls: Calls, error: Exception) -> None:
    """One call without an answer is enough: the next ones fail at once, untried."""
    assert calls.fails(error)
    assert [False] * 3 == [calls.fails() for _ in range(3)]


def test_one_tries_in_each_pause(calls: Calls) -> None:
    """While the server stays away one call in each pause is tried, and no other."""
    assert calls.fails(AWAY)
    for _ in range(3):
        calls.now += PAUSE_SECONDS
        assert [True, False, False] == [calls.fails(AWAY if n == 0 else None) for n in range(3)]


def test_the_others_do_not_wait_for_the_one_who_tries(calls: Calls) -> None:
    """While one tries, and for a long time, the others still fail at once."""
    assert calls.fails(AWAY)
    calls.now += PAUSE_SECONDS
    with calls.breaker.call():
        assert not calls.fails()
    calls.call()
    assert 2 == calls.tried


def test_an_answer_opens_the_way(calls: Calls) -> None:
    """Once the one who tries is answered, all are let through."""
    assert calls.fails(AWAY)
    calls.now += PAUSE_SECONDS
    for _ in range(3):
        calls.call()
    assert 4 == calls.tried


def test_a_refusal_is_an_answer(calls: Calls) -> None:
    """A server that refuses a command is there."""
    refusal = exceptions.OutOfMemoryError("OOM command not allowed")
    assert calls.fails(refusal)
    assert calls.fails(refusal)
    calls.now += PAUSE_SECONDS
    assert calls.fails(AWAY)
    calls.now += PAUSE_SECONDS
    assert calls.fails(refusal)
    calls.call()


def test_one_dead_connection_is_no_outage(calls: Calls) -> None:
    """Where others have just been answered, a call that fails says nothing of the server."""
    calls.call()
    calls.now += PAUSE_SECONDS / 2
    assert calls.fails(AWAY)
    calls.call()
    calls.now += PAUSE_SECONDS
    assert calls.fails(AWAY)
    assert not calls.fails()


def test_other_errors_say_nothing(calls: Calls) -> None:
    """An error that is not the server's neither closes the way nor opens it."""
    assert calls.fails(KeyError("mine"))
    calls.call()
    calls.now += PAUSE_SECONDS
    assert calls.fails(AWAY)
    calls.now += PAUSE_SECONDS
    assert calls.fails(KeyError("mine"))
    assert not calls.fails()


def test_a_server_that_nobody_needs_any_more(calls: Calls) -> None:
    """A server that is given up is not known to be away, and is not counted as away either."""
    before = metrics.REGISTRY.get_sample_value("paiute_redis_away")
    calls.fails(AWAY)
    assert calls.breaker.away
    calls.breaker.give_up()
    assert not calls.breaker.away
    assert before == metrics.REGISTRY.get_sample_value("paiute_redis_away")


def test_it_is_said_once(calls: Calls, caplog: pytest.LogCaptureFixture) -> None:
    """The log has one line when the server goes away, and one when it is back."""
    for _ in range(4):
        calls.fails(AWAY)
        calls.now += PAUSE_SECONDS
    for _ in range(4):
        calls.call()
    assert ["Redis is away: no answer", "Redis is back"] == caplog.messages
