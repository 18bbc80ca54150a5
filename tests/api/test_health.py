"""Whether the process lives, and whether it can serve."""

import pytest

from service.store.base import Unavailable
from service.store.memory import MemoryStore
from tests.api.world import Caller, World


class StoreThatIsAway(MemoryStore):
    """A store that can't be reached."""

    def ping(self) -> None:
        raise Unavailable("The store of the tables can't be reached now.")


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


def test_real_service(over_http: Caller) -> None:
    """The real service is well."""
    assert [200, 200] == [over_http.get(path).status for path in ("/healthz", "/readyz")]
