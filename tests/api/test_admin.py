"""The operators' side of the API."""

import logging
from dataclasses import replace

import pytest

from service.engine.cards import DECK
from service.tables.errors import Forbidden
from service.tables.table import GRACE_MS
from tests.api.contract import Answer, Json
from tests.api.world import UNLIMITED, Caller, World

EVERYTHING = (
    ("GET", "/v1/admin/tables"),
    ("POST", "/v1/admin/tables/x/close"),
    ("GET", "/v1/admin/players/x"),
    ("POST", "/v1/admin/players/x/grants"),
    ("GET", "/v1/admin/queues"),
)


@pytest.fixture
def operator(world: World) -> Caller:
    """Somebody with the operators' token."""
    return world.operator


def close(operator: Caller, table: str, **body: str) -> Json:
    """Close a table; gives what the operator sees of it."""
    answer = operator.post(f"/v1/admin/tables/{table}/close", body)
    assert 200 == answer.status, answer.text
    closed: Json = answer.json
    return closed


def balance(player: Caller) -> int:
    """What a player has."""
    return int(player.get("/v1/me").json["balance"])


@pytest.mark.parametrize(("method", "path"), EVERYTHING)
def test_for_operators_alone(anybody: Caller, keola: Caller, method: str, path: str) -> None:
    """Without the operators' token everything is refused, and a player's is told from none."""
    assert (401, "Bearer") == challenged(anybody.send(method, path))
    assert 401 == anybody.send(method, path, Authorization="Bearer no token of ours").status
    refused = keola.send(method, path)
    assert (403, "forbidden") == (refused.status, refused.json["code"])


def challenged(answer: Answer) -> tuple[int, str]:
    """The status of an answer, and its challenge."""
    return answer.status, answer.headers["www-authenticate"]


@pytest.mark.parametrize(("method", "path"), EVERYTHING)
def test_nobody_is_operator_without_the_setting(method: str, path: str) -> None:
    """Where no token is set, none is good, nor is an empty one."""
    world = World(replace(UNLIMITED, admin_token=""))
    for token in ("Bearer ", "Bearer", ""):
        assert 401 == world.anybody.send(method, path, Authorization=token).status
    assert 403 == world.player().send(method, path).status


def test_an_operator_is_no_player(operator: Caller) -> None:
    """The operators' token opens nothing that is a player's."""
    assert 401 == operator.get("/v1/me").status
    assert 401 == operator.post("/v1/tables", {"seats": 2}).status


def test_answers_of_operators_are_theirs(operator: Caller, anybody: Caller, keola: Caller) -> None:
    """Nobody gets an operator's answer by its idempotency key."""
    path = f"/v1/admin/players/{keola.id}/grants"
    assert 201 == operator.post(path, {"amount": 5}, Idempotency_Key="one").status
    assert 401 == anybody.post(path, {"amount": 5}, Idempotency_Key="one").status


def test_closing_in_the_middle_of_a_deal(
    world: World, operator: Caller, two_seated: Json, keola: Caller, pua: Caller
) -> None:
    """The deal is void, the antes and stacks are back, and the players are told why."""
    table = two_seated["id"]
    keola.did(table, "cut", {"position": 3})
    keola.did(table, "draw", {"from": "stock"})
    closed = close(operator, table, reason="We move to new servers.")
    assert ("closed", 0, None) == (closed["status"], closed["chips"], closed["due"])
    assert [10_000, 10_000] == [balance(keola), balance(pua)]

    events = keola.get(f"/v1/tables/{table}/events?after=5").json["items"]
    told = {event["type"]: event["data"] for event in events}
    assert ["deal_voided", "settled", "table_closed"] == list(told)[-3:]
    assert {"seat": None} == told["deal_voided"]
    end = {"reason": "operator", "cashed_out": {"1": 100, "2": 100}}
    assert end | {"note": "We move to new servers."} == told["table_closed"]
    record = pua.get(f"/v1/tables/{table}/deals/1").json
    assert ("void", []) == (record["reason"], record["winners"])
    assert ["cut", "draw"] == [action["action"] for action in record["actions"]]
    assert "void_antes_back" == record["receipt"]["rule"]


def test_closing_before_the_cut(operator: Caller, two_seated: Json, keola: Caller) -> None:
    """Nobody has seen a card yet, and everybody has the ante back."""
    close(operator, two_seated["id"])
    assert 10_000 == balance(keola)
    record = keola.get(f"/v1/tables/{two_seated['id']}/deals/1").json
    assert (None, []) == (record["wild_card"], record["actions"])


def test_closing_what_waits(operator: Caller, keola: Caller, pua: Caller) -> None:
    """A table that waits closes with all stacks taken home, private or not."""
    table = keola.create(seats=3, visibility="private")
    pua.did(table["id"], "join", {"invite_code": table["invite_code"]})
    close(operator, table["id"])
    assert [10_000, 10_000] == [balance(keola), balance(pua)]


def test_closing_twice(operator: Caller, keola: Caller) -> None:
    """A closed table stays as it is."""
    table = keola.create()["id"]
    assert close(operator, table) == close(operator, table, reason="Again.")
    assert 404 == operator.post("/v1/admin/tables/nowhere/close").status


def test_granting(world: World, operator: Caller, keola: Caller) -> None:
    """A grant is on the account and in the ledger; with a key it is made once."""
    path = f"/v1/admin/players/{keola.id}/grants"
    body = {"amount": 500, "note": "for the outage"}
    answers = [operator.post(path, body, Idempotency_Key="one") for _ in range(2)]
    assert [201, 201] == [answer.status for answer in answers]
    assert answers[0].raw == answers[1].raw
    assert 10_500 == balance(keola)
    operator.post(path, body)
    assert 11_000 == balance(keola)
    entry = keola.get("/v1/me/ledger").json["items"][-2]
    assert ("grant", 500, None) == (entry["why"], entry["amount"], entry["table"])
    assert {"player": keola.id} | entry == answers[0].json
    assert 404 == operator.post("/v1/admin/players/nobody/grants", body).status


def test_a_grants_key_is_used_up_for_good(
    world: World, operator: Caller, keola: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    """Long after its answer is forgotten a key still grants once: as then, or not at all."""
    path = f"/v1/admin/players/{keola.id}/grants"
    first = operator.post(path, {"amount": 500}, Idempotency_Key="june")
    for later in (500, 5_000):
        world.store.answers._held.clear()
        world.clock.now += 48 * 3600 * 1000
        with caplog.at_level(logging.INFO, "service.operators"):
            answer = operator.post(path, {"amount": later}, Idempotency_Key="june")
        if later == 500:
            assert (201, first.raw) == (answer.status, answer.raw)
            assert "true" == answer.headers["idempotency-replayed"]
        else:
            assert (422, "idempotency_key_reused") == (answer.status, answer.json["code"])
            assert "A grant of 500 " in answer.json["detail"]
    assert 10_500 == balance(keola)
    assert "idempotency-replayed" not in first.headers
    assert [] == caplog.records, "nothing was granted"


def test_operators_alone_have_operations(world: World, keola: Caller) -> None:
    """Each operation for operators looks for itself who calls, whatever was let through before."""
    functions = {
        name: function
        for name, function in world.app.view_functions.items()
        if name.startswith("admin.")
    }
    assert 5 == len(functions)
    for function in functions.values():
        with world.app.test_request_context(), pytest.raises(Forbidden):
            function()


@pytest.mark.parametrize(
    "body", [{}, {"amount": 0}, {"amount": -5}, {"amount": 10**9 + 1}, {"amount": "5"}]
)
def test_bad_grants(operator: Caller, keola: Caller, body: Json) -> None:
    """A grant is a number of chips within bounds."""
    assert 422 == operator.post(f"/v1/admin/players/{keola.id}/grants", body).status
    assert 10_000 == balance(keola)


def test_all_tables(world: World, operator: Caller, keola: Caller, two_seated: Json) -> None:
    """Private and closed tables are listed too, page by page, and nothing hidden is told."""
    private = keola.create(visibility="private", name="Secret")
    keola.did(keola.create()["id"], "leave")
    items: list[Json] = []
    path = "/v1/admin/tables?limit=2"
    page = operator.get(path).json
    items += page["items"]
    while page["next"]:
        page = operator.get(f"{path}&cursor={page['next']}").json
        items += page["items"]
    assert ["closed", "waiting", "cutting"] == [one["status"] for one in items]
    assert ["public", "private", "public"] == [one["visibility"] for one in items]
    assert [0, 100, 200] == [one["chips"] for one in items]
    assert [None, "close_idle", "expire_turn"] == [
        one["due"] and one["due"]["kind"] for one in items
    ]
    text = str(items)
    assert private["invite_code"] not in text
    assert not [card for card in DECK if f"'{card}'" in text]
    (waiting,) = operator.get("/v1/admin/tables?status=waiting").json["items"]
    assert private["id"] == waiting["id"]


def test_what_is_overdue(world: World, operator: Caller, keola: Caller, pua: Caller) -> None:
    """A table where something is late by more than a second is found, and by how much."""
    table = keola.create(turn_seconds=10, rules={"cut": "auto"})["id"]
    keola.create()
    pua.did(table, "join", {})
    world.clock.now += 10_000 + GRACE_MS + 900
    assert [] == operator.get("/v1/admin/tables?overdue=true").json["items"]
    world.clock.now += 200
    (late,) = operator.get("/v1/admin/tables?overdue=true").json["items"]
    assert (table, 1_100) == (late["id"], late["due"]["late_ms"])
    assert 2 == len(operator.get("/v1/admin/tables?overdue=false").json["items"])


def test_a_player(operator: Caller, keola: Caller) -> None:
    """An operator sees a player's balance and tables."""
    table = keola.create(visibility="private")["id"]
    found = operator.get(f"/v1/admin/players/{keola.id}").json
    assert (9_900, [table]) == (found["balance"], [one["id"] for one in found["tables"]])
    assert 404 == operator.get("/v1/admin/players/nobody").status


def test_queues(world: World, operator: Caller, keola: Caller) -> None:
    """The queues and the due index are told; where the queues are away, the latter still."""
    keola.create()
    world.clock.now += 1_800_000 + 2_000
    seen = operator.get("/v1/admin/queues").json
    assert {"entries": 1, "late": 1, "late_ms": 2_000} == {
        name: seen["due"][name] for name in ("entries", "late", "late_ms")
    }
    assert ["bots"] == [one["name"] for one in seen["queues"]]
    world.queue.away = True
    away = operator.get("/v1/admin/queues")
    assert (503, seen["due"]) == (away.status, away.json["due"])


def test_what_operators_do_is_logged(
    operator: Caller, keola: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says what was done to whom, and why; it has no token."""
    table = keola.create()["id"]
    with caplog.at_level(logging.INFO, "service.operators"):
        close(operator, table, reason="Spring cleaning")
        operator.post(f"/v1/admin/players/{keola.id}/grants", {"amount": 5, "note": "sorry"})
    assert [
        f"an operator closed table {table}: Spring cleaning",
        f"an operator granted 5 chips to {keola.id}: sorry",
    ] == [record.getMessage() for record in caplog.records]


def test_the_real_queues(over_http: Caller, service: object) -> None:
    """On the real service every queue has workers that live."""
    operator = Caller(over_http._send, over_http.contract, {"token": UNLIMITED.admin_token})
    queues = operator.get("/v1/admin/queues").json["queues"]
    assert {"bots", "settlement", "clock"} <= {one["name"] for one in queues}
    assert all(one["workers"] for one in queues)
