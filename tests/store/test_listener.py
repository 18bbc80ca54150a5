"""The one connection that wakes everybody who waits, and what happens when it breaks."""

from redis import Redis

from service.store.connection import connect
from service.store.keys import CHANGED
from service.store.listener import Listener
from tests.support.waiting import wait_until


def test_cut_while_a_channel_is_asked_for(redis: Redis, redis_url: str) -> None:
    """Where it breaks under somebody who asks for one more channel, all are asked for anew."""
    listener = Listener(connect(redis_url), 1, 1)
    with listener.watching("stream", "one") as watch:
        assert watch
        assert {"one"} == watch.wait(10)
        with listener._lock:  # Who listens is busy.
            redis.publish(f"{CHANGED}one", "")
            redis.client_kill_filter(_type="pubsub")
            for number in range(3):
                listener._begin([f"more-{number}"])
        wait_until(lambda: redis.pubsub_numsub(f"{CHANGED}one") == [(f"{CHANGED}one".encode(), 1)])
        redis.publish(f"{CHANGED}one", "")
        assert {"one"} == watch.wait(10)
