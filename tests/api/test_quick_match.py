"""Quick match, and the house rules that one agrees to, over the API."""

import pytest

from tests.api.contract import Json
from tests.api.world import Caller, World


def find(player: Caller, **body: object) -> Json:
    """A seat for a player."""
    answer = player.post("/v1/quick-match", {"seats": 2, "ante": 5} | body)
    assert 200 == answer.status, answer.text
    view: Json = answer.json
    assert f"/v1/tables/{view['id']}" == answer.headers["location"]
    assert f'"{view["version"]}"' == answer.headers["etag"]
    return view


def test_two_find_each_other(keola: Caller, pua: Caller) -> None:
    """Both get the view of the same table, each with the own seat, and play begins."""
    first, second = find(keola), find(pua)
    assert (first["id"], "waiting", 1) == (second["id"], first["status"], first["you"]["seat"])
    assert ("cutting", 2, "public") == (
        second["status"],
        second["you"]["seat"],
        second["visibility"],
    )
    assert (5, 100, None) == (first["ante"], first["buy_in"], first["bots_ms_left"])


def test_bots_come(world: World, keola: Caller) -> None:
    """The view counts down to the bots, and they come by themselves."""
    table = find(keola, seats=3, bots_after_seconds=20)
    world.pass_time(5)
    assert 15_000 == keola.view(table["id"])["bots_ms_left"]
    world.pass_time(15)
    view = keola.view(table["id"])
    assert [None, "medium", "medium"] == [one["player"]["level"] for one in view["seats"]]
    assert ("cutting", None) == (view["status"], view["bots_ms_left"])


def test_bots_at_once(keola: Caller) -> None:
    """With no time to wait the answer has the bots already."""
    assert "cutting" == find(keola, seats=4, bots_after_seconds=0)["status"]


def test_the_same_request_again(keola: Caller, pua: Caller, nalu: Caller) -> None:
    """With an idempotency key the answer is the first one, though the table has gone on."""
    find(keola)
    body = {"seats": 2, "ante": 5}
    answers = [pua.post("/v1/quick-match", body, Idempotency_Key="one") for _ in range(2)]
    assert answers[0].raw == answers[1].raw
    assert "true" == answers[1].headers["idempotency-replayed"]
    assert answers[0].headers["location"] == answers[1].headers["location"]
    assert 1 == len(pua.get("/v1/me/tables").json["items"])


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"seats": 1},
        {"seats": 6},
        {"seats": 2, "ante": -1},
        {"seats": 2, "ante": 10**9},
        {"seats": 2, "bots_after_seconds": 601},
        {"seats": 2, "rules": {}},
    ],
)
def test_bad_wishes(keola: Caller, body: Json) -> None:
    """What cannot be is refused."""
    assert 422 == keola.post("/v1/quick-match", body).status


def test_too_few_chips(keola: Caller) -> None:
    """Who has not the buy-in is told so."""
    answer = keola.post("/v1/quick-match", {"seats": 2, "ante": 501})
    assert (409, "insufficient_chips") == (answer.status, answer.json["code"])
    assert [] == keola.get("/v1/tables").json["items"]


def test_agreeing_to_house_rules(keola: Caller, pua: Caller) -> None:
    """Who names the rules of the table sits down; who names others is shown those there are."""
    table = keola.create(seats=3, rules={"ace_low": True})
    before = pua.get("/v1/me").json["balance"]
    problem = pua.refused(table["id"], "join", {"rules_hash": "other"})
    assert ("rules_changed", table["rules"], table["rules_hash"]) == (
        problem["code"],
        problem["rules"],
        problem["rules_hash"],
    )
    assert table["version"] == problem["version"]
    assert before == pua.get("/v1/me").json["balance"]
    assert 2 == pua.did(table["id"], "join", {"rules_hash": problem["rules_hash"]})["you"]["seat"]


def test_agreeing_to_the_rules_of_a_quick_match(keola: Caller, pua: Caller) -> None:
    """A quick match has the usual house rules, and refuses who has agreed to others."""
    usual = keola.create()["rules_hash"]
    other = keola.create(rules={"ace_low": True})["rules_hash"]
    problem = pua.post("/v1/quick-match", {"seats": 2, "ante": 5, "rules_hash": other}).json
    assert ("rules_changed", usual, False) == (
        problem["code"],
        problem["rules_hash"],
        problem["rules"]["ace_low"],
    )
    find(pua, rules_hash=usual)


def test_the_invite_code_is_for_those_who_may_invite(
    keola: Caller, pua: Caller, anybody: Caller
) -> None:
    """The host without a seat sees the code of a private table, spectators don't."""
    bots = [{"level": "easy"}] * 2
    table = keola.create(visibility="private", bots=bots, deals=3)
    assert table["you"] is None
    assert table["invite_code"]
    assert [None, None] == [one.view(table["id"])["invite_code"] for one in (pua, anybody)]
    assert keola.create()["invite_code"] is None
    seated = keola.create(visibility="private", seats=3)
    joined = pua.did(seated["id"], "join", {"invite_code": seated["invite_code"]})
    assert seated["invite_code"] == joined["invite_code"] == joined["you"]["invite_code"]


def test_bots_of_the_real_service_come(over_http: Caller) -> None:
    """On the real service the sweep and a worker see to it that bots come, and play begins."""
    player = over_http.sign_up()
    view = find(player, seats=3, ante=77, bots_after_seconds=1)
    assert 0 < view["bots_ms_left"] <= 1_000
    while view["status"] == "waiting":
        path = f"/v1/tables/{view['id']}"
        answer = player.get(f"{path}?wait=20", If_None_Match=f'"{view["version"]}"')
        view = answer.json if answer.status == 200 else view
    assert [None, "medium", "medium"] == [one["player"]["level"] for one in view["seats"]]
