"""Webhooks of the running service: real queues, workers and endpoints, and their faults."""

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from redis import Redis

from service.engine.cards import DECK
from service.game import Game
from service.store.base import Due
from service.store.connection import connect
from service.store.keys import keys_of
from service.store.queues import RqQueues
from service.store.redis_store import RedisStore
from service.store.webhooks import Webhook
from service.webhooks.postman import Wish
from service.webhooks.sending import Sender
from tests.support.client import Client, Json, simple_choice
from tests.support.processes import RunningService
from tests.support.receiver import Receiver, receiver
from tests.support.tables import GUEST, open_account
from tests.support.waiting import wait_until
from workers import context, webhooks
from workers.webhooks import SLOW_THREADS

THREAD = "deliver-"
"""What the name of a thread that delivers begins with."""

BACK_SECONDS = 20
"""How long a delivery may be late after a failure: the first pause, or a sender's death."""


@pytest.fixture
def keola(service: RunningService) -> Iterator[Client]:
    """A player."""
    client = Client(service.url)
    yield client
    client.close()


def hook(client: Client, url: str, *events: str) -> Json:
    """A new webhook of a player's."""
    asked = {"url": url} | ({"events": list(events)} if events else {})
    answer = client.post("/webhooks", asked)
    assert 201 == answer.status_code, answer.text
    made: Json = answer.json()
    return made


def ping(client: Client, webhook: Json) -> str:
    """Have a webhook tested; gives the delivery's id."""
    answer = client.post(f"/webhooks/{webhook['id']}/test")
    assert 202 == answer.status_code, answer.text
    return str(answer.json()["id"])


def arrived(endpoint: Receiver, id_: str) -> bool:
    """Whether an endpoint has taken a delivery."""
    return id_ in [one.id for one in endpoint.taken]


def expected(client: Client, table: str) -> list[str]:
    """What a player in seat 1 is told of a table with bots, worked out from its public events."""
    events = client.get(f"/tables/{table}/events?limit=100").json()["items"]
    told: list[str] = []
    for event in events:
        kind, data = event["type"], event["data"]
        if kind == "player_joined":
            told.append("seated")
        elif kind == "deal_started" and data["cutter"] == 1:
            told.append("your_turn")
        elif kind == "settled":
            told.append("deal_over")
        elif kind == "table_closed":
            told.append("table_closed")
        elif kind == "card_drawn" and data["seat"] == 1:
            told.append("your_turn")
    return told


def test_a_deal_is_told_while_it_is_played(keola: Client) -> None:
    """A deal by script and bots: the endpoint gets just what happened, signed, each id once."""
    with receiver() as endpoint:
        webhook = hook(keola, endpoint.url)
        view = keola.create(
            seats=3, bots=[{"level": "easy"}] * 2, deals=1, thinking_ms=0, turn_seconds=60
        )
        table = view["id"]
        while view["status"] != "closed":
            if choice := simple_choice(view):
                assert 200 == keola.act(view, choice).status_code
                view = keola.view(table)
            else:
                view = keola.next_view(view)
        wait_until(lambda: "table_closed" in endpoint.types(), BACK_SECONDS)
        told = endpoint.types()
    assert expected(keola, table) == told
    assert len(told) == len({one.id for one in endpoint.got}) == len(endpoint.got)
    versions = [one.json["data"]["version"] for one in endpoint.got]
    assert sorted(versions) == versions
    for one in endpoint.got:
        one.verify(webhook["secret"])
        assert not [card for card in DECK if f'"{card}"' in one.body.decode()]


def test_an_endpoint_that_was_down(keola: Client) -> None:
    """What an endpoint misses while it is down comes once it is up, in order."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    webhook = hook(keola, f"http://127.0.0.1:{port}/hook")
    ids = [ping(keola, webhook), ping(keola, webhook)]
    path = f"/webhooks/{webhook['id']}"
    wait_until(lambda: keola.get(path).json()["fault"] == "unreachable", BACK_SECONDS)
    with receiver(port=port) as endpoint:
        wait_until(lambda: len(endpoint.taken) == 2, BACK_SECONDS)
        assert ids == [one.id for one in endpoint.got]
    wait_until(lambda: keola.get(path).json()["waiting"] == 0)
    assert None is keola.get(path).json()["failing_since"]


def test_a_worker_that_is_killed_while_it_sends(keola: Client, service: RunningService) -> None:
    """A delivery whose sender is killed before the answer comes again, with the same id."""
    with receiver() as endpoint:
        webhook = hook(keola, endpoint.url)
        endpoint.hold.clear()
        id_ = ping(keola, webhook)
        wait_until(lambda: endpoint.got, BACK_SECONDS)
        for process in service.children("workers", "webhooks"):
            os.kill(process, signal.SIGKILL)
        endpoint.hold.set()
        endpoint.taken.clear()
        wait_until(lambda: len(endpoint.got) == 2, BACK_SECONDS)
        assert {id_} == {one.id for one in endpoint.got}
        wait_until(lambda: keola.get(f"/webhooks/{webhook['id']}").json()["waiting"] == 0)


def test_dead_endpoints_hold_nobody_up(keola: Client) -> None:
    """While many endpoints don't answer, one that always does gets its deliveries at once."""
    with receiver() as dead, receiver() as alive:
        good = hook(keola, alive.url)
        first = ping(keola, good)
        wait_until(lambda: arrived(alive, first), BACK_SECONDS)
        dead.hold.clear()
        hooks = [hook(keola, dead.url) for _ in range(8)]
        for one in hooks:
            ping(keola, one)
        wait_until(lambda: len(dead.got) >= SLOW_THREADS, BACK_SECONDS)
        begun = time.monotonic()
        id_ = ping(keola, good)
        wait_until(lambda: arrived(alive, id_), BACK_SECONDS)
        assert time.monotonic() - begun < 4, "one try at a dead endpoint takes longer"
        for one in (*hooks, good):
            assert 204 == keola.http.delete(f"{keola.url}/v1/webhooks/{one['id']}").status_code
        dead.hold.set()


@pytest.fixture
def near(redis: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Game:
    """The application of this process's jobs, whose endpoints may be on this machine."""
    store = RedisStore(connect(redis_url), 3600, 4)
    game = Game(store, RqQueues(redis), sender=Sender(private=True))
    for module in (webhooks, context):
        monkeypatch.setattr(module, "game", lambda: game)
    return game


def told(game: Game, url: str) -> Webhook:
    """A new webhook at an address, with a delivery that waits."""
    open_account(game.store, GUEST)
    made = game.postman.make(GUEST.id, Wish(url, ("seated",)), game.now())
    game.postman.test(GUEST.id, made.id, game.now())
    return made


def delivering() -> int:
    """How many threads of this process deliver."""
    return sum(thread.name.startswith(THREAD) for thread in threading.enumerate())


def due_in(redis: Redis, webhook: Webhook) -> float:
    """After how many seconds a webhook is due."""
    at = redis.zscore(keys_of(webhook.id).hooks_due, Due("deliver", webhook.id, 0).member)
    assert at is not None
    return float(at) / 1000 - time.time()


def test_one_webhook_takes_one_thread(
    near: Game, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often a webhook that is being sent to is enabled, it is not sent to beside."""
    monkeypatch.setattr(webhooks, "SLOW", webhooks.Lane(4, 10_000))
    with receiver() as endpoint:
        endpoint.hold.clear()
        webhook = told(near, endpoint.url)
        for _ in range(20):
            near.postman.turn_on(GUEST.id, webhook.id, near.now())
            webhooks.deliver(webhook.id, 0)
            wait_until(lambda: endpoint.got and delivering() == 1)
        assert due_in(redis, webhook) > 1, "when its lease is over"
        endpoint.hold.set()
        wait_until(lambda: not delivering())
        assert 1 == len(endpoint.got)


def test_where_all_threads_are_busy(
    near: Game, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What finds no free thread is put off for some seconds, and nothing of it is done."""
    monkeypatch.setattr(webhooks, "SLOW", webhooks.Lane(0, 10_000))
    webhook = told(near, "http://127.0.0.1:9/")
    webhooks.deliver(webhook.id, 0)
    assert 4 < due_in(redis, webhook) < 15
    assert 0 == delivering()


def test_a_thread_that_cannot_be_had(
    near: Game, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the machine has no thread left, the place in the lane is free for the next one."""
    monkeypatch.setattr(webhooks, "SLOW", webhooks.Lane(1, 10_000))
    with receiver() as endpoint:
        webhook = told(near, endpoint.url)

        def refuse(*_: object) -> None:
            raise RuntimeError("can't start new thread")

        with monkeypatch.context() as patch:
            patch.setattr(threading.Thread, "start", refuse)
            webhooks.deliver(webhook.id, 0)
        assert 4 < due_in(redis, webhook) < 15
        webhooks.deliver(webhook.id, 0)
        wait_until(lambda: endpoint.taken)
        wait_until(lambda: not delivering())
