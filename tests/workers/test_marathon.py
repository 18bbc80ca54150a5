"""Deal after deal between bots, through real RQ workers, without a stall."""

import os

from service.store.connection import connect
from service.store.redis_store import RedisStore
from service.tables import Status
from tests.support.client import Client
from tests.support.processes import RunningService
from tests.support.replay import log_of, replay
from tests.support.waiting import wait_until

DEALS = 200
STALL_SECONDS = 5
MOST_SECONDS = float(os.environ.get("MARATHON_SECONDS", "240"))


def test_two_hundred_deals(service: RunningService) -> None:
    """Five bots play 200 deals by the rules, no wait is long, and no chip is lost or made."""
    maker = Client(service.url)
    table = maker.create(
        seats=5,
        bots=[{"level": "easy"}] * 5,
        deals=DEALS,
        thinking_ms=0,
        pause_seconds=0,
    )["id"]
    maker.close()
    store = RedisStore(connect(service.redis_url), 3600, 4)
    wait_until(lambda: store.load(table).status is Status.CLOSED, MOST_SECONDS, 0.2)
    found = replay(store, table)
    assert (DEALS, DEALS) == (found.deals, found.settled)
    assert found.longest_gap < STALL_SECONDS
    bought = sum(
        getattr(entry.event, "amount", 0)
        for entry in log_of(store, table)
        if entry.event.type == "bought_in"
    )
    assert 5 * 100 + bought == sum(found.stacks.values())
    assert DEALS == len(store.records(table, None, DEALS + 1))
