"""Whether the process lives, and whether it can serve."""

import threading

import pytest

from service.store.base import Unavailable
from service.store.memory import MemoryStore
from service.store.memory_tokens import MemoryTokens
from service.store.revocations import Revocations
from service.store.tokens import FIRST_PLACE, PAGE, Revoked
from service.store.watches import Watches
from tests.api.world import Caller, World
from tests.support.waiting import wait_until


class StoreThatIsAway(MemoryStore):
    """A store that can't be reached."""

    def ping(self) -> None:
        raise Unavailable("The store of the tables can't be reached now.")


class LongList(MemoryTokens):
    """Tokens with a list of the revoked of two pages, the second of which takes its time."""

    def __init__(self) -> None:
        super().__init__(Watches(1, 1))
        self.goes_on = threading.Event()
        self._revoked = [Revoked(str(number)) for number in range(PAGE + 1)]

    def revoked_after(self, place: str) -> tuple[tuple[Revoked, ...], str]:
        if self.goes_on.wait(0 if place == FIRST_PLACE else 10) or place == FIRST_PLACE:
            return super().revoked_after(place)
        raise Unavailable("Nobody let it go on.")


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_well(anybody: Caller, path: str) -> None:
    """A service whose store answers lives and is ready, and says so anew each time."""
    answer = anybody.get(path)

    assert (200, "no-store") == (answer.status, answer.headers["cache-control"])
    assert {"status": "ok"} == answer.json


def test_store_away(world: World) -> None:
    """With its store away the process lives, is not ready, and says when to ask again."""
    world.game.store = StoreThatIsAway()
    answer = world.anybody.get("/readyz")

    assert (503, "unavailable", "1") == (
        answer.status,
        answer.json["code"],
        answer.headers["retry-after"],
    )
    assert 200 == world.anybody.get("/healthz").status


def test_not_ready_before_it_knows_what_was_revoked(world: World) -> None:
    """A process is ready once it has read the list of revoked tokens to its end, and stays so."""
    tokens = LongList()
    world.store.revocations = Revocations(tokens)
    assert 503 == world.anybody.get("/readyz").status
    tokens.goes_on.set()
    wait_until(lambda: world.anybody.get("/readyz").status == 200)


def test_real_service(over_http: Caller) -> None:
    """The real service is well."""
    assert [200, 200] == [over_http.get(path).status for path in ("/healthz", "/readyz")]
