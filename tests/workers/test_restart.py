"""Everything stops in the middle of many deals; when it is back, all of them finish."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.store.connection import connect
from service.store.redis_store import RedisStore
from service.tables import Status
from tests.support.client import Client
from tests.support.processes import RunningService
from tests.support.replay import replay
from tests.support.waiting import wait_until

A_PLAYER = 10
"""Tables that one player makes."""

FINISH_SECONDS = 120


@pytest.fixture
def data() -> Iterator[Path]:
    """An empty folder with a short name."""
    with tempfile.TemporaryDirectory(prefix="paiute-") as folder:
        yield Path(folder)


@pytest.mark.parametrize(
    ("stop", "number"),
    [(RunningService.stop, 60), (RunningService.kill, 100)],
    ids=["stop", "kill"],
)
def test_a_restart_of_everything(
    data: Path, stop: Callable[[RunningService], None], number: int
) -> None:
    """Stopped or killed, each table is played to its end by the rules, and no chip is lost."""
    service = RunningService(data)
    tables = [one for _ in range(number // A_PLAYER) for one in exhibitions(service.url)]
    store = RedisStore(connect(service.redis_url), 3600, 4)
    wait_until(lambda: in_play(store, tables) > number / 2, 30)
    stop(service)

    service = RunningService(data)
    try:
        store = RedisStore(connect(service.redis_url), 3600, 4)
        left = in_play(store, tables)
        wait_until(lambda: in_play(store, tables) == 0, FINISH_SECONDS, 0.2)
        for table in tables:
            found = replay(store, table)
            assert (1, 1) == (found.deals, found.settled)
            assert 200 == sum(found.stacks.values())
    finally:
        service.stop()
    assert left > number / 4, "it was in the middle of deals"


def exhibitions(url: str) -> list[str]:
    """Tables of one deal that bots play while a new player watches."""
    client = Client(url)
    try:
        bots = [{"level": "medium"}] * 2
        settings = {"seats": 2, "bots": bots, "deals": 1, "thinking_ms": 300, "pause_seconds": 0}
        return [client.create(**settings)["id"] for _ in range(A_PLAYER)]
    finally:
        client.close()


def in_play(store: RedisStore, tables: list[str]) -> int:
    """How many tables are in the middle of their deal."""
    return sum(
        table is not None and table.status is not Status.CLOSED
        for table in store.load_all(tables).values()
    )
