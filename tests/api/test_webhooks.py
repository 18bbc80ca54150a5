"""Webhooks over the API, judged by the document that the service gives out."""

import pytest

from service.engine.cards import DECK
from service.store.memory import MemoryAnswers
from service.store.webhooks import MOST_WEBHOOKS
from service.webhooks import postman
from service.webhooks.sending import Sender, new_secret
from tests.api.contract import Json
from tests.api.world import Caller, World, easy_move
from tests.support.receiver import Received, receiver

URL = "https://example.com/paiute"


@pytest.fixture
def near() -> World:
    """A service that may call endpoints on this machine."""
    return World(sender=Sender(private=True))


def made(caller: Caller, **asked: object) -> Json:
    """A new webhook."""
    answer = caller.post("/v1/webhooks", {"url": URL} | asked)
    assert 201 == answer.status, answer.text
    webhook: Json = answer.json
    assert f"/v1/webhooks/{webhook['id']}" == answer.headers["location"]
    return webhook


def test_a_webhook_shows_its_secret_once(keola: Caller) -> None:
    """The answer to the making has the secret, and no other one has."""
    webhook = made(keola, events=["deal_over", "your_turn", "deal_over"], description="Mine")
    assert ["deal_over", "your_turn"] == webhook["events"]
    secret = webhook.pop("secret")
    assert secret.startswith("whsec_")
    listed, seen = keola.get("/v1/webhooks"), keola.get(f"/v1/webhooks/{webhook['id']}")
    assert ([webhook], webhook) == (listed.json["items"], seen.json)
    assert secret not in listed.text + seen.text


def test_a_secret_of_ones_own(keola: Caller) -> None:
    """A caller may bring the secret; what is none is refused."""
    secret = new_secret()
    assert secret == made(keola, secret=secret)["secret"]
    refused = keola.post("/v1/webhooks", {"url": URL, "secret": "whsec_short"})
    assert (422, ["secret"]) == (refused.status, list(refused.json["errors"]))


def test_what_is_refused(keola: Caller, pua: Caller, anybody: Caller) -> None:
    """Targets inside, unknown events and tables, one too many, and other people's webhooks."""
    for url in ("https://127.0.0.1/", "http://example.com/", "nonsense", "https://localhost./"):
        refused = keola.post("/v1/webhooks", {"url": url})
        assert (422, "forbidden_target") == (refused.status, refused.json["code"])
        assert ["url"] == list(refused.json["errors"])
    for body in ({}, {"url": URL, "events": []}, {"url": URL, "events": ["cut"]}, {"url": 3}):
        assert 422 == keola.post("/v1/webhooks", body).status
    assert 404 == keola.post("/v1/webhooks", {"url": URL, "table": "nowhere"}).status
    assert 401 == anybody.post("/v1/webhooks", {"url": URL}).status

    for _ in range(MOST_WEBHOOKS - 1):
        made(keola)
    mine = f"/v1/webhooks/{made(keola)['id']}"
    full = keola.post("/v1/webhooks", {"url": URL})
    assert (409, "webhooks") == (full.status, full.json["limit"])
    assert 404 == pua.get(mine).status == pua.delete(mine).status
    assert 404 == pua.post(f"{mine}/test").status == pua.post(f"{mine}/enable").status
    assert 404 == keola.get("/v1/webhooks/nothing").status


def test_a_webhook_is_deleted(keola: Caller) -> None:
    """A deleted webhook is not there any more."""
    path = f"/v1/webhooks/{made(keola)['id']}"
    assert 204 == keola.delete(path).status
    assert 404 == keola.get(path).status == keola.delete(path).status
    assert [] == keola.get("/v1/webhooks").json["items"]


def test_a_request_sent_again_makes_one_webhook(keola: Caller) -> None:
    """With an idempotency key the second answer is the first one."""
    answers = [
        keola.post("/v1/webhooks", {"url": URL}, Idempotency_Key="once").json for _ in range(2)
    ]
    assert answers[0] == answers[1]
    assert 1 == len(keola.get("/v1/webhooks").json["items"])


def test_a_request_whose_process_was_killed_makes_one_webhook(
    world: World, keola: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sent again after its claim has run out, it is answered with what was made, secret and all."""
    first = keola.post("/v1/webhooks", {"url": URL}, Idempotency_Key="once").json
    monkeypatch.setattr(world.store, "answers", MemoryAnswers())  # As if none had been kept.
    again = keola.post("/v1/webhooks", {"url": URL}, Idempotency_Key="once").json
    assert first == again
    assert 1 == len(keola.get("/v1/webhooks").json["items"])
    other = keola.post("/v1/webhooks", {"url": f"{URL}/2"}, Idempotency_Key="other").json
    assert other["id"] != first["id"]


def test_so_many_watch_a_table(keola: Caller, pua: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who watches one table too many is refused; its host, and who has a seat there, never is."""
    monkeypatch.setattr(postman, "MOST_WATCHERS", 1)
    table = keola.create(seats=3)["id"]
    made(keola, table=table)
    refused = pua.post("/v1/webhooks", {"url": URL, "table": table})
    assert (409, "limit_reached", "watchers") == (
        refused.status,
        refused.json["code"],
        refused.json["limit"],
    )
    pua.did(table, "join", {})
    made(pua, table=table)


def test_a_whole_deal_arrives(near: World) -> None:
    """Two players play; the endpoint gets what the document says, signed, without a card."""
    keola, pua = near.player("Keola"), near.player("Pua")
    with receiver() as endpoint:
        webhook = made(keola, url=endpoint.url)
        table = keola.create(deals=1, turn_seconds=30)["id"]
        pua.did(table, "join", {})
        play(near, [keola, pua], table)
        sent = keola.post(f"/v1/webhooks/{webhook['id']}/test")
        near.run_due()
    assert 202 == sent.status
    told = endpoint.types()
    assert ["seated", "seated"] == told[:2]
    assert ["deal_over", "table_closed", "ping"] == told[-3:]
    assert "your_turn" in told
    assert sent.json["id"] == endpoint.got[-1].id
    assert len(told) == len({one.id for one in endpoint.got}) == len(endpoint.got)
    for one in endpoint.got:
        check(near, one)


def check(world: World, got: Received) -> None:
    """Fail unless a delivery is as the document says, and names no card."""
    operation = world.contract.document["webhooks"][got.type]["post"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    faults = list(world.contract.validator(schema)(got.json))
    assert not faults, (got.json, faults)
    promised = schema["properties"]["data"]["properties"]
    assert set(got.json["data"]) == set(promised)
    assert not [card for card in DECK if f'"{card}"' in got.body.decode()]
    assert {one["name"] for one in operation["parameters"]} <= set(got.headers)


def play(world: World, players: list[Caller], table: str) -> None:
    """Play until the table is closed."""
    while True:
        world.pass_time(1)
        for caller in players:
            view = caller.view(table)
            if view["status"] == "closed":
                world.run_due()
                return
            while move := easy_move(view):
                view = caller.did(table, *move)


def test_a_failing_endpoint_is_seen_to_fail(near: World) -> None:
    """The webhook says since when, why and how much waits; enabling it has it tried at once."""
    keola = near.player("Keola")
    with receiver() as endpoint:
        endpoint.statuses = [500]
        webhook = made(keola, url=endpoint.url)
        path = f"/v1/webhooks/{webhook['id']}"
        keola.post(f"{path}/test")
        near.run_due()
        seen = keola.get(path).json
        assert (True, "status_500", 1) == (seen["enabled"], seen["fault"], seen["waiting"])
        assert seen["failing_since"] is not None
        assert webhook | {"url": endpoint.url} != seen
        again = keola.post(f"{path}/enable").json
        assert (None, None, 1) == (again["failing_since"], again["fault"], again["waiting"])
        near.run_due()
        assert ["ping"] == endpoint.types()


def test_an_endpoint_that_is_gone(near: World) -> None:
    """After 410 the webhook is disabled, and a test of it is refused until it is enabled."""
    keola = near.player("Keola")
    with receiver() as endpoint:
        endpoint.statuses = [410]
        path = f"/v1/webhooks/{made(keola, url=endpoint.url)['id']}"
        keola.post(f"{path}/test")
        near.run_due()
        seen = keola.get(path).json
        assert (False, "gone", 1) == (seen["enabled"], seen["disabled_reason"], seen["dropped"])
        refused = keola.post(f"{path}/test")
        assert (409, "webhook_off") == (refused.status, refused.json["code"])
        assert keola.post(f"{path}/enable").json["enabled"]
        assert 202 == keola.post(f"{path}/test").status
