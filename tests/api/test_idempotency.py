"""Idempotency-Key: a request that comes again is answered again, not done again."""

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import pytest

from service.api import idempotency
from service.api.credentials import SCOPES
from service.store.base import Unavailable
from tests.api.contract import Answer, Json
from tests.api.world import Caller, World
from tests.support.processes import RunningService

KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324"


def same(first: Answer, again: Answer) -> None:
    """Fail unless an answer is a replay of another one, headers that matter included."""
    assert (first.status, first.raw) == (again.status, again.raw)
    assert "idempotency-replayed" not in first.headers
    assert "true" == again.headers["idempotency-replayed"]
    for name in ("content-type", "etag", "location", "cache-control"):
        assert first.headers.get(name) == again.headers.get(name)


def test_a_table_is_made_once(world: World, keola: Caller) -> None:
    """The same key and body give the same table, and the chips for one."""
    first, again = (keola.post("/v1/tables", {"seats": 2}, Idempotency_Key=KEY) for _ in range(2))
    assert 201 == first.status
    same(first, again)
    assert 1 == len(keola.get("/v1/me/tables").json["items"])
    assert 9_900 == keola.get("/v1/me").json["balance"]


def test_an_account_is_made_once(anybody: Caller) -> None:
    """Signing up twice with one key is one account, its token too."""
    body = {"name": "Keola", "kind": "bot"}
    first, again = (anybody.post("/v1/players", body, Idempotency_Key=KEY) for _ in range(2))
    same(first, again)
    other = anybody.post("/v1/players", body, Idempotency_Key="another key")
    assert first.json["id"] != other.json["id"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/me/tokens", {"scopes": ["account"]}),
        ("/v1/webhooks", {"url": "https://example.com/", "events": ["deal_over"]}),
    ],
)
def test_a_secret_is_told_again_to_the_same_token(keola: Caller, path: str, body: Json) -> None:
    """A token with an end does not get what one without was given: it makes a thing of its own."""
    first = keola.post(path, body, Idempotency_Key=KEY)
    same(first, keola.post(path, body, Idempotency_Key=KEY))
    ending = keola.post("/v1/me/tokens", {"scopes": [*SCOPES], "expires_in": 60}).json
    thief = Caller(keola._send, keola.contract, {"token": ending["token"]})

    own = thief.post(path, body, Idempotency_Key=KEY)
    assert (201, None) == (own.status, own.headers.get("idempotency-replayed"))
    assert first.json["id"] != own.json["id"]
    assert own.json.get("expires_at") == (ending["expires_at"] if "token" in own.json else None)


def test_a_move_is_made_once(world: World, keola: Caller, two_seated: Json) -> None:
    """The first answer comes again, even after the table has moved on, named version or not."""
    table = two_seated["id"]
    etag = f'"{two_seated["version"]}"'
    cut = {"position": 3}
    first = keola.do(table, "cut", cut, Idempotency_Key=KEY, If_Match=etag)
    keola.did(table, "draw", {"from": "stock"}, Idempotency_Key="the next one")
    same(first, keola.do(table, "cut", cut, Idempotency_Key=KEY, If_Match=etag))
    assert two_seated["version"] + 2 == keola.view(table)["version"]


@pytest.mark.parametrize(
    ("action", "body", "code"),
    [
        ("draw", {"from": "stock"}, "wrong_phase"),
        ("cut", {"position": 99}, "validation_failed"),
        ("join", {"seat": 1}, "already_seated"),
        ("start", {"surely": True}, "validation_failed"),
    ],
)
def test_a_refusal_stays_one(
    keola: Caller, two_seated: Json, action: str, body: Json, code: str
) -> None:
    """What was refused is refused again, though it would be allowed by now."""
    table = two_seated["id"]
    first = keola.do(table, action, body, Idempotency_Key=KEY)
    assert code == first.json["code"]
    keola.did(table, "cut", {"position": 3})
    same(first, keola.do(table, action, body, Idempotency_Key=KEY))


def test_another_request_with_the_key(keola: Caller, two_seated: Json) -> None:
    """Another body, or another path, is refused, and nothing is done."""
    table = two_seated["id"]
    keola.did(table, "cut", {"position": 3}, Idempotency_Key=KEY)
    before = keola.view(table)
    other = keola.refused(table, "cut", {"position": 4}, Idempotency_Key=KEY)
    assert "idempotency_key_reused" == other["code"]
    other = keola.refused(table, "draw", {"from": "stock"}, Idempotency_Key=KEY)
    assert "idempotency_key_reused" == other["code"]
    assert before == keola.view(table)


def test_a_key_is_its_senders(keola: Caller, pua: Caller) -> None:
    """Two players may choose the same key."""
    tables = [
        player.post("/v1/tables", {"seats": 2}, Idempotency_Key=KEY).json["id"]
        for player in (keola, pua)
    ]
    assert tables[0] != tables[1]


@pytest.mark.parametrize("key", ["", "x" * 129, "tab\tin it", "é"])
def test_what_is_no_key(keola: Caller, key: str) -> None:
    """A key has 1 to 128 printable characters; with a bad one nothing is done."""
    answer = keola.post("/v1/tables", {"seats": 2}, Idempotency_Key=key)
    assert (422, "validation_failed") == (answer.status, answer.json["code"])
    assert "1 to 128" in answer.json["errors"]["Idempotency-Key"][0]
    assert [] == keola.get("/v1/me/tables").json["items"]


def test_other_methods_take_no_key(keola: Caller) -> None:
    """A key on a GET means nothing."""
    assert 200 == keola.get("/v1/me", Idempotency_Key="x" * 999).status


def test_evaluating_again(anybody: Caller) -> None:
    """POSTs that change nothing keep their answers as well."""
    hand = {"wild_rank": "7", "cards": ["7c", "7d", "7h", "Ks", "Kd"]}
    first, again = (anybody.post("/v1/evaluate", hand, Idempotency_Key=KEY) for _ in range(2))
    same(first, again)


def test_what_changes_nothing_is_not_written_down(world: World, anybody: Caller) -> None:
    """An evaluation is done again; of its answer, which may be long, nothing is kept."""
    hand = {"wild_rank": "7", "cards": ["7c", "7d", "7h", "Ks", "Kd"]}
    for _ in range(2):
        assert 200 == anybody.post("/v1/evaluate", [hand] * 100, Idempotency_Key=KEY).status
    assert max(len(held) for held in world.store.answers._held.values()) < 300
    other = anybody.post("/v1/evaluate", [hand], Idempotency_Key=KEY)
    assert "idempotency_key_reused" == other.json["code"]


def test_a_key_at_two_tables(keola: Caller) -> None:
    """At a table a key belongs to that table."""
    tables = [keola.create(seats=3)["id"] for _ in range(6)]
    for table in tables:
        assert 200 == keola.do(table, "leave", {}, Idempotency_Key=KEY).status


@pytest.mark.parametrize("sent", [0, 5])
def test_a_body_that_was_cut_off(service: RunningService, over_http: Caller, sent: int) -> None:
    """Half a request is none: nothing is done or kept, and the whole one is done later."""
    table = over_http.sign_up().create(seats=4)["id"]
    guest, body = over_http.sign_up(), b'{"seat": 4}'
    head = (
        f"POST /v1/tables/{table}/join HTTP/1.1\r\nHost: paiute\r\n"
        f"Authorization: Bearer {guest.account['token']}\r\nIdempotency-Key: {KEY}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    url = urlsplit(service.url)
    with socket.create_connection((url.hostname, url.port)) as connection:
        connection.sendall(head.encode() + body[:sent])
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(1 << 16).startswith((b"HTTP/1.1 400", b""))
    view = guest.do(table, "join", {"seat": 4}, Idempotency_Key=KEY).json
    assert [1, 4] == [seat["seat"] for seat in view["seats"]]


def test_one_account_whatever_is_slow(
    world: World, anybody: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sign-up that has lost its claim meanwhile makes no second account."""
    body = {"name": "Keola", "kind": "human"}
    opened = world.store.accounts.open
    seen: list[Answer] = []

    def slow(*args: Any) -> None:
        if not seen:
            monkeypatch.undo()
            world.store.answers._held.clear()  # The claim has run out.
            seen.append(anybody.post("/v1/players", body, Idempotency_Key=KEY))
        opened(*args)

    monkeypatch.setattr(world.store.accounts, "open", slow)
    late = anybody.post("/v1/players", body, Idempotency_Key=KEY)
    assert (409, "in_progress") == (late.status, late.json["code"])
    same(seen[0], anybody.post("/v1/players", body, Idempotency_Key=KEY))
    assert 1 == len(world.store.accounts._accounts)


def test_a_crowd_is_no_final_refusal(
    world: World, keola: Caller, two_seated: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is always overtaken gets 503, and may come again with the same key."""
    with monkeypatch.context() as patch:
        patch.setattr(world.store, "commit", lambda *_: False)
        crowded = keola.do(two_seated["id"], "cut", {"position": 3}, Idempotency_Key=KEY)
        assert (503, "1") == (crowded.status, crowded.headers["retry-after"])
    assert 200 == keola.do(two_seated["id"], "cut", {"position": 3}, Idempotency_Key=KEY).status


def test_a_running_request(world: World, keola: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the first runs, the second is told to wait; afterwards it is answered."""
    seen: list[Answer] = []
    send: Any = keola.post
    make = world.game.create_table

    def slow(*args: Any, **more: Any) -> Any:
        if not seen:
            seen.append(send("/v1/tables", {"seats": 2}, Idempotency_Key=KEY))
        return make(*args, **more)

    monkeypatch.setattr(world.game, "create_table", slow)
    first = send("/v1/tables", {"seats": 2}, Idempotency_Key=KEY)
    assert (409, "in_progress") == (seen[0].status, seen[0].json["code"])
    assert "1" == seen[0].headers["retry-after"]
    same(first, send("/v1/tables", {"seats": 2}, Idempotency_Key=KEY))


def test_what_failed_may_be_tried_again(
    world: World, keola: Caller, two_seated: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A 5xx is not kept: the same key does it then."""

    def away(*_: Any, **__: Any) -> bool:
        raise Unavailable("The store of the tables can't be reached now.")

    with monkeypatch.context() as patch:
        patch.setattr(world.store, "commit", away)
        failed = keola.do(two_seated["id"], "cut", {"position": 3}, Idempotency_Key=KEY)
        assert 503 == failed.status
    did = keola.do(two_seated["id"], "cut", {"position": 3}, Idempotency_Key=KEY)
    assert 200 == did.status
    assert "idempotency-replayed" not in did.headers


def test_without_a_token_nothing_is_kept(anybody: Caller) -> None:
    """A 401 is not kept."""
    for _ in range(2):
        answer = anybody.post("/v1/tables", {"seats": 2}, Idempotency_Key=KEY)
        assert 401 == answer.status
        assert "idempotency-replayed" not in answer.headers


def test_what_is_kept_holds_no_other_players_cards(
    world: World, keola: Caller, two_seated: Json
) -> None:
    """A kept answer is what its sender was sent, nothing more."""
    keola.did(two_seated["id"], "cut", {"position": 3}, Idempotency_Key=KEY)
    (held,) = world.store.answers._held.values()
    kept = idempotency._decode(held)
    view = json.loads(kept.body)
    assert view == keola.view(two_seated["id"]) | {"deal": view["deal"]}
    deal = world.table(two_seated["id"]).deal
    assert deal is not None
    assert not [card for card in deal.hands[2].cards if f'"{card}"' in held]


def test_twenty_at_once(over_http: Caller) -> None:
    """Twenty of the same request at once have one effect; all answers are equal, or 409."""
    for number in range(10):
        host, guest, key = over_http.sign_up(), over_http.sign_up(), f"{KEY}-{number}"
        settings = {"seats": 2, "rules": {"first_dealer": 2}}
        table = agreed(host, "/v1/tables", settings, key)["id"]
        assert [table] == [one["id"] for one in host.get("/v1/me/tables").json["items"]]
        joined = agreed(guest, f"/v1/tables/{table}/join", {}, key)
        assert 3 == joined["version"], "joined, joined, deal_started"
        cut = agreed(host, f"/v1/tables/{table}/cut", {"position": 7}, f"{key} cut")
        assert 4 == cut["version"]
        for player in (host, guest):
            assert 9_900 == player.get("/v1/me").json["balance"]


def agreed(player: Caller, path: str, body: Json, key: str) -> Json:
    """The one answer that a request gets, sent twenty times at once and once more."""

    def send(_: int) -> Answer:
        return player.post(path, body, Idempotency_Key=key)

    with ThreadPoolExecutor(10) as pool:
        answers = [*pool.map(send, range(20)), send(20)]
    done = {answer.raw for answer in answers if answer.status in (200, 201)}
    assert 1 == len(done), [answer.text for answer in answers]
    others = [answer for answer in answers if answer.status not in (200, 201)]
    assert {"in_progress"} >= {answer.json["code"] for answer in others}
    assert answers[-1].status in (200, 201)
    agreed_on: Json = json.loads(done.pop())
    return agreed_on
