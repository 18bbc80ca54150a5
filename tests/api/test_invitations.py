"""Invitations over the API."""

import pytest

from service.store.invitations import MOST, OPEN_MS
from tests.api.contract import Json
from tests.api.test_tokens import made, with_token
from tests.api.world import Caller, World


def invited(keola: Caller, pua: Caller, table: str, **headers: str) -> Json:
    """Keola's invitation of Pua, which works."""
    answer = keola.do(table, "invitations", {"player": pua.id}, **headers)
    assert 201 == answer.status, answer.text
    sent: Json = answer.json
    return sent


def invitations(player: Caller) -> list[Json]:
    """The invitations that a player has."""
    items: list[Json] = player.get("/v1/me/invitations").json["items"]
    return items


def test_an_invitation_opens_a_private_table(keola: Caller, pua: Caller) -> None:
    """The invited player finds the code of the table, and joins with it; then it is over."""
    table = keola.create(visibility="private")["id"]
    sent = invited(keola, pua, table)
    assert {"table": table, "player": pua.id, "at": sent["at"]} == sent

    (one,) = invitations(pua)
    assert (table, keola.id, "Keola") == (one["table"], one["from"]["id"], one["from"]["name"])
    assert [] == invitations(keola)
    pua.did(table, "join", {"invite_code": one["invite_code"]})
    assert [] == invitations(pua)


def test_a_public_table_takes_no_code(keola: Caller, pua: Caller) -> None:
    """Where joining takes no code, an invitation has none."""
    invited(keola, pua, keola.create()["id"])
    assert [None] == [one["invite_code"] for one in invitations(pua)]


def test_the_latest_first(keola: Caller, pua: Caller, nalu: Caller) -> None:
    """One inviter invites to one table once; everybody who sits there may invite."""
    first, second = (keola.create(seats=3)["id"] for _ in range(2))
    nalu.did(second, "join", {})
    for sender, table in ((keola, first), (keola, second), (nalu, second), (keola, first)):
        invited(sender, pua, table)
    found = [(one["from"]["id"], one["table"]) for one in invitations(pua)]
    assert [(nalu.id, second), (keola.id, second), (keola.id, first)] == found


def test_the_host_of_an_exhibition_may_invite(keola: Caller, pua: Caller) -> None:
    """A host without a seat may ask others to come."""
    table = keola.create(seats=2, bots=[{"level": "easy"}] * 2, deals=3)["id"]
    invited(keola, pua, table)


def test_strangers_may_not_invite(keola: Caller, pua: Caller, nalu: Caller) -> None:
    """Who has no part in a table asks nobody to it, and learns no code of it."""
    table = keola.create(visibility="private")["id"]
    problem = nalu.refused(table, "invitations", {"player": pua.id})
    assert "not_seated" == problem["code"]
    assert [] == invitations(pua)


def test_what_makes_no_sense(keola: Caller, pua: Caller, nalu: Caller) -> None:
    """Nobody is invited who is there, or who is nobody, or to where nothing is any more."""
    table = keola.create(seats=3)
    pua.did(table["id"], "join", {})
    refused = keola.refused
    assert "already_seated" == refused(table["id"], "invitations", {"player": pua.id})["code"]
    for nobody in ("nobody", table["id"], "\u0000", "ü" * 64):
        assert "not_found" == refused(table["id"], "invitations", {"player": nobody})["code"]
    assert "not_found" == refused("nowhere", "invitations", {"player": pua.id})["code"]
    stale = refused(table["id"], "invitations", {"player": nalu.id}, If_Match='"1"')
    assert "stale_version" == stale["code"]
    pua.did(table["id"], "leave")
    keola.did(table["id"], "leave")
    assert "table_not_open" == refused(table["id"], "invitations", {"player": pua.id})["code"]


@pytest.mark.parametrize("body", [{}, {"player": ""}, {"player": 7}, {"player": "x" * 65}])
def test_bad_bodies(keola: Caller, body: Json) -> None:
    """Whom to invite has to be said."""
    table = keola.create()["id"]
    assert "validation_failed" == keola.refused(table, "invitations", body)["code"]


def test_invitations_end(world: World, keola: Caller, pua: Caller) -> None:
    """An invitation is over once its table is closed, and after a day."""
    closed, open_ = (keola.create(turn_seconds=0)["id"] for _ in range(2))
    invited(keola, pua, closed)
    invited(keola, pua, open_)
    keola.did(closed, "leave")
    assert [open_] == [one["table"] for one in invitations(pua)]
    world.clock.now += OPEN_MS
    assert [] == invitations(pua)


def test_invited_again_after_having_been_there(keola: Caller, pua: Caller) -> None:
    """Who came and has left again is invited anew, which is told like the first time."""
    table = keola.create(seats=3)["id"]
    (snapshot,) = pua.get("/v1/me/events").json["items"]
    invited(keola, pua, table)
    (first,) = invitations(pua)
    pua.did(table, "join", {})
    pua.did(table, "leave")
    invited(keola, pua, table)
    (second,) = invitations(pua)
    assert second["number"] > first["number"]

    events = pua.get(f"/v1/me/events?after={snapshot['id']}").json["items"]
    told = [one["data"]["number"] for one in events if one["type"] == "invited"]
    assert [second["number"]] == told


def test_declining(keola: Caller, pua: Caller) -> None:
    """Who declines has it no more, and nobody declines for others."""
    invited(keola, pua, keola.create()["id"])
    (one,) = invitations(pua)
    path = f"/v1/me/invitations/{one['number']}"
    assert 404 == keola.delete(path).status
    assert (204, b"") == (pua.delete(path).status, b"")
    assert [] == invitations(pua)
    assert [404, 404] == [
        pua.delete(again).status for again in (path, f"/v1/me/invitations/{'9' * 30}")
    ]


def test_no_more_than_one_can_have(keola: Caller, pua: Caller) -> None:
    """Beyond the bound inviting is refused; what is over counts no more."""
    tables = [keola.create()["id"] for _ in range(MOST + 1)]
    for table in tables[:-1]:
        invited(keola, pua, table)
    problem = keola.refused(tables[-1], "invitations", {"player": pua.id})
    assert ("limit_reached", "invitations") == (problem["code"], problem["limit"])
    keola.did(tables[0], "leave")
    invited(keola, pua, tables[-1])
    assert MOST == len(invitations(pua))


def test_an_invitation_sent_again(keola: Caller, pua: Caller) -> None:
    """With an idempotency key the answer is the first one, also after it was declined."""
    table = keola.create()["id"]
    first = invited(keola, pua, table, Idempotency_Key="one")
    (one,) = invitations(pua)
    pua.delete(f"/v1/me/invitations/{one['number']}")
    assert first == invited(keola, pua, table, Idempotency_Key="one")
    assert [] == invitations(pua)


@pytest.mark.parametrize("path", ["/v1/me/invitations", "/v1/me/invitations/1"])
def test_own_invitations_need_a_token(anybody: Caller, path: str) -> None:
    """Nobody sees or declines invitations without a token."""
    assert 401 == anybody.send("DELETE" if path.endswith("1") else "GET", path).status


def private(keola: Caller, pua: Caller) -> tuple[str, str]:
    """A private table of Keola's that Pua is invited to, and its code."""
    table = keola.create(visibility="private")
    invited(keola, pua, table["id"])
    return table["id"], table["invite_code"]


@pytest.mark.parametrize("scopes", [("lobby",), ("play",), ("account",), ("play", "lobby")])
def test_codes_take_the_scope_lobby(keola: Caller, pua: Caller, scopes: tuple[str, ...]) -> None:
    """A code is told to a token with `lobby`, whatever else it may, and to no other one."""
    table, code = private(keola, pua)
    host, guest = (with_token(one, made(one, *scopes)) for one in (keola, pua))
    expected = code if "lobby" in scopes else None

    (snapshot,) = guest.get("/v1/me/events").json["items"]
    assert [expected] == [one["invite_code"] for one in snapshot["data"]["invitations"]]
    second, other = private(keola, pua)
    (event,) = guest.get(f"/v1/me/events?after={snapshot['id']}").json["items"]
    assert (second, other if expected else None) == (event["table"], event["data"]["invite_code"])
    view = host.view(table)
    assert expected == view["invite_code"]
    assert ("play" in scopes) == (view["you"] is not None)
    assert view["you"] is None or expected == view["you"]["invite_code"]
    assert (expected is not None) == (code in str([view, snapshot]))


def test_who_makes_a_private_table_is_told_its_code(keola: Caller) -> None:
    """A page that makes tables for others, with `lobby` alone, can pass the code on."""
    page = with_token(keola, made(keola, "lobby"))
    table = page.create(visibility="private")
    assert (None, keola.view(table["id"])["invite_code"]) == (table["you"], table["invite_code"])
    stale = page.refused(table["id"], "leave", If_Match='"0"')
    assert table["invite_code"] == stale["view"]["invite_code"]
