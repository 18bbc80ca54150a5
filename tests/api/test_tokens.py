"""Further tokens, their scopes, their end, and revoking them."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jwt
import pytest

from service.store.tokens import MOST_TOKENS
from tests.api.contract import Json, operations
from tests.api.world import SECRET, Caller, World
from tests.support.client import Client
from tests.support.processes import RunningService

SCOPES = ("play", "lobby", "account")
TAKES = {
    "play": "cutDeck drawCard discardCard callHand",
    "lobby": "createTable joinTable leaveTable startTable addBot removeBot",
    "account": "listLedger createToken listTokens revokeToken linkIdentity listIdentities",
}
"""Operations by the scope that they take, and no less."""


def made(player: Caller, *scopes: str, **more: Any) -> Json:
    """A further token of a player, with what is said of it."""
    answer = player.post("/v1/me/tokens", {"scopes": scopes} | more)
    assert 201 == answer.status, answer.text
    told: Json = answer.json
    return told


def with_token(player: Caller, token: Json) -> Caller:
    """The same player, calling with another token."""
    account = player.account | {"token": token["token"], "token_id": token["id"]}
    return Caller(player._send, player.contract, account)


def test_a_further_token(keola: Caller) -> None:
    """A further token says who made it, what it may do and until when; nothing keeps a copy."""
    answer = keola.post(
        "/v1/me/tokens", {"scopes": ["lobby", "play"], "expires_in": 60, "name": "Bot"}
    )
    token = answer.json
    player = with_token(keola, token)

    assert (201, "no-store") == (answer.status, answer.headers["cache-control"])
    assert (["play", "lobby"], "Bot") == (token["scopes"], token["name"])
    assert ("2026-09-21T14:13:20.000Z", "2026-09-21T14:14:20.000Z") == (
        token["created_at"],
        token["expires_at"],
    )
    told = player.get("/v1/me").json
    assert (
        keola.get("/v1/me").json
        | {
            "scopes": ["play", "lobby"],
            "token_id": token["id"],
            "token_expires_at": token["expires_at"],
        }
        == told
    )


def test_tokens_are_listed(keola: Caller, pua: Caller) -> None:
    """The own tokens are listed without their text, that of the sign-up last."""
    tokens = [made(keola, "play", name="first"), made(keola, "account")]
    listed = keola.get("/v1/me/tokens").json["items"]

    assert {token["id"] for token in tokens} == {one["id"] for one in listed[:2]}
    assert {"id": keola.id, "scopes": [*SCOPES], "expires_at": None, "name": None}.items() <= (
        listed[-1].items()
    )
    assert 3 == len(listed)
    assert not any("token" in one for one in listed)
    assert [pua.id] == [one["id"] for one in pua.get("/v1/me/tokens").json["items"]]


def test_tokens_of_the_first_release_have_all_rights(anybody: Caller, keola: Caller) -> None:
    """A token without scopes, as the first release made it, is the account's first one."""
    claims = {"sub": keola.id, "name": "Keola", "kind": "human", "jti": "0011223344556677"}
    old = Caller(anybody._send, anybody.contract, {"token": jwt.encode(claims, SECRET, "HS256")})

    assert keola.get("/v1/me").json == old.get("/v1/me").json


@pytest.mark.parametrize("scope", SCOPES)
def test_every_operation_takes_its_scope(
    world: World, two_seated: Json, keola: Caller, scope: str
) -> None:
    """Whatever takes a scope is refused to tokens with all others, and nothing has happened."""
    lacking = [one for one in SCOPES if one != scope]
    without = with_token(keola, made(keola, *lacking))
    before = state(world, keola, two_seated["id"])
    tried = set()
    for name, operation in operations(world.contract.document).items():
        if [{"bearer": [scope]}] != operation["security"]:
            continue
        answer = call(without, operation, two_seated["id"])
        assert (403, "missing_scope") == (answer.status, answer.json["code"]), name
        assert (scope, lacking) == (answer.json["scope"], answer.json["scopes"]), name
        challenge = f'Bearer error="insufficient_scope", scope="{scope}"'
        assert challenge == answer.headers["www-authenticate"], name
        assert f"`{scope}`" in answer.json["detail"], name
        assert f"scope `{scope}`" in operation["description"], name
        tried.add(name)
    assert set(TAKES[scope].split()) <= tried
    assert before == state(world, keola, two_seated["id"])


@pytest.mark.parametrize("scope", SCOPES)
def test_one_scope_is_enough_for_what_takes_it(
    world: World, two_seated: Json, keola: Caller, scope: str
) -> None:
    """A token with one scope alone is never refused for it, nor for what any token may."""
    alone = with_token(keola, made(keola, scope))
    for name, operation in operations(world.contract.document).items():
        if operation["security"] not in ([{"bearer": [scope]}], [{"bearer": []}]):
            continue
        if name in ("leaveTable", "linkIdentity", "listMyEvents"):
            continue  # One ends the table, one takes all scopes, one goes on and on.
        answer = call(alone, operation, two_seated["id"])
        assert answer.status < 400 or answer.json["code"] != "missing_scope", name


def call(player: Caller, operation: Json, table: str) -> Any:
    """Call an operation, at a table where it is about one; scopes come before the body."""
    path = re.sub(r"{\w+}", "1", operation["path"].replace("{table_id}", table))
    if operation["method"] == "get":
        return player.get(path)
    if operation["method"] == "delete":
        return player.delete(path)
    return player.post(path, {})


def state(world: World, player: Caller, table: str) -> Any:
    """All that a request of a player might have changed."""
    store = world.store
    return (
        world.table(table),
        store.accounts.ledger(player.id, None, 99),
        store.accounts.noted(player.id),
        store.tokens.noted(player.id, 0),
        store.tokens.revoked_after("0-0"),
        store.identities.of(player.id),
        [*store._tables],
    )


@pytest.mark.parametrize("scopes", [("lobby", "account"), ("account",), ("lobby",)])
def test_cards_take_the_scope_play(
    two_seated: Json, keola: Caller, scopes: tuple[str, ...]
) -> None:
    """A token without `play` sees a table as somebody who looks on, in views and events."""
    table = two_seated["id"]
    keola.did(table, "cut", {"position": 3})
    card = keola.did(table, "draw", {"from": "stock"})["you"]["drawn"]
    without = with_token(keola, made(keola, *scopes))

    assert without.view(table)["you"] is None
    events = f"/v1/tables/{table}/events"
    assert f'"{card}"' in keola.get(events).text
    assert not any(event["data"].get("card") for event in without.get(events).json["items"])
    if "lobby" in scopes:
        refused = without.refused(table, "join", {"seat": 1}, If_Match='"1"')
        assert ("stale_version", None) == (refused["code"], refused["view"]["you"])
        assert [] == refused["legal"]


def test_an_answer_is_given_again_to_those_who_may_see_it(two_seated: Json, keola: Caller) -> None:
    """What was kept under an idempotency key is not for a token that lacks a scope."""
    table = two_seated["id"]
    lobby = with_token(keola, made(keola, "lobby", "account"))
    play = with_token(keola, made(keola, *SCOPES))
    cut = {"position": 3}
    keola.did(table, "cut", cut, Idempotency_Key="mine")

    again = play.do(table, "cut", cut, Idempotency_Key="mine")
    assert (200, "true") == (again.status, again.headers["idempotency-replayed"])
    refused = lobby.do(table, "cut", cut, Idempotency_Key="mine")
    assert (403, "missing_scope") == (refused.status, refused.json["code"])
    assert "idempotency-replayed" not in refused.headers


def test_a_token_is_given_again(keola: Caller) -> None:
    """The same request with its key gives the same token, and makes no second one."""
    first, again = (
        keola.post("/v1/me/tokens", {"scopes": ["play"]}, Idempotency_Key="mine") for _ in range(2)
    )

    assert (first.json, "true") == (again.json, again.headers["idempotency-replayed"])
    assert 2 == len(keola.get("/v1/me/tokens").json["items"])


def test_no_token_gives_what_its_maker_lacks(keola: Caller) -> None:
    """A token has no scope that the token lacks which it is made with."""
    less = with_token(keola, made(keola, "account", "lobby"))

    made(less, "lobby")
    answer = less.post("/v1/me/tokens", {"scopes": ["lobby", "play"]})
    assert (403, "missing_scope") == (answer.status, answer.json["code"])
    assert 'scope="play"' in answer.headers["www-authenticate"]


def test_no_token_outlives_its_maker(keola: Caller) -> None:
    """A token that a token with an end makes ends with it, or sooner."""
    maker = made(keola, "account", expires_in=60)
    player = with_token(keola, maker)

    assert maker["expires_at"] == made(player, "account")["expires_at"]
    assert maker["expires_at"] == made(player, "account", expires_in=61)["expires_at"]
    assert maker["expires_at"] > made(player, "account", expires_in=59)["expires_at"]


def test_a_token_ends(world: World, keola: Caller) -> None:
    """A token is good until the very second of its end, and then says that it has expired."""
    player = with_token(keola, made(keola, "play", expires_in=60))
    world.clock.now += 59_999
    assert 200 == player.get("/v1/me").status
    world.clock.now += 1

    for path in ("/v1/me", "/v1/rules"):
        refused(player, path, "The token has expired.")
    assert 1 == len(keola.get("/v1/me/tokens").json["items"])


def test_a_revoked_token(world: World, keola: Caller) -> None:
    """A revoked token is refused from then on, also where it was in use just before."""
    token = made(keola, "play")
    player = with_token(keola, token)
    for _ in range(3):
        assert 200 == player.get("/v1/me").status

    answer = keola.delete(f"/v1/me/tokens/{token['id']}")
    assert (204, b"") == (answer.status, answer.raw)
    refused(player, "/v1/me", "The token was revoked.")
    assert 404 == keola.delete(f"/v1/me/tokens/{token['id']}").status
    assert 200 == keola.get("/v1/me").status


def test_the_first_token_can_be_revoked(keola: Caller) -> None:
    """The token of a sign-up is revoked by its id, by another one; tokens made with it stay."""
    player = with_token(keola, made(keola, "account"))
    listed = player.get("/v1/me/tokens").json["items"]

    assert 204 == player.delete(f"/v1/me/tokens/{listed[-1]['id']}").status
    refused(keola, "/v1/me", "The token was revoked.")
    assert listed[:-1] == player.get("/v1/me/tokens").json["items"]


def test_a_token_revokes_itself(keola: Caller) -> None:
    """The token that is sent along may itself be revoked, by the id that it says."""
    player = with_token(keola, made(keola, "account"))

    assert 204 == player.delete(f"/v1/me/tokens/{player.get('/v1/me').json['token_id']}").status
    refused(player, "/v1/me", "The token was revoked.")


def test_nobody_revokes_anothers_token(keola: Caller, pua: Caller) -> None:
    """Another's token, and one that there is not, are not found."""
    token = made(keola, "play")
    for token_id in (token["id"], keola.id, "x", "01M5W0N3S84E9WQ2J5R7K1X6ZC"):
        answer = pua.delete(f"/v1/me/tokens/{token_id}")
        assert (404, "not_found") == (answer.status, answer.json["code"])
    assert 200 == keola.get("/v1/me").status


def test_so_many_tokens(keola: Caller) -> None:
    """An account has so many further tokens; revoking one makes no place at once."""
    tokens = [made(keola, "play") for _ in range(MOST_TOKENS)]
    keola.delete(f"/v1/me/tokens/{tokens[0]['id']}")

    answer = keola.post("/v1/me/tokens", {"scopes": ["play"]})
    assert (409, "limit_reached", "tokens") == (
        answer.status,
        answer.json["code"],
        answer.json["limit"],
    )


@pytest.mark.parametrize(
    "body",
    [
        *({}, {"scopes": []}, {"scopes": ["all"]}, {"scopes": "play"}),
        *({"scopes": ["play"], "expires_in": bad} for bad in (0, -1, 1.5, 10**9, True, "60")),
        *({"scopes": ["play"], "name": bad} for bad in ("", "a\nb", "x" * 61)),
    ],
    ids=str,
)
def test_no_such_token(keola: Caller, body: Json) -> None:
    """A token has scopes that there are, a time that can be, and a name of one line."""
    answer = keola.post("/v1/me/tokens", body)
    assert (422, "validation_failed") == (answer.status, answer.json["code"])


@pytest.mark.parametrize(
    "more",
    [{"scope": 5}, {"scope": ["play"]}, {"scope": "play", "exp": "soon"}, {"jti": {}}],
    ids=str,
)
def test_claims_that_we_never_write(anybody: Caller, keola: Caller, more: Json) -> None:
    """A token that is signed well, but says what ours never say, is not one of ours."""
    claims = {"sub": keola.id, "name": "Keola", "kind": "human"} | more
    stranger = Caller(anybody._send, anybody.contract, {"token": jwt.encode(claims, SECRET)})
    refused(stranger, "/v1/me", "The token is not one of this service's.")


def test_a_token_without_any_right(anybody: Caller, keola: Caller) -> None:
    """A token whose scopes are none of ours says who one is, and no more."""
    claims = {"sub": keola.id, "name": "Keola", "kind": "human", "jti": "x", "scope": "openid"}
    nobody = Caller(anybody._send, anybody.contract, {"token": jwt.encode(claims, SECRET)})

    assert [] == nobody.get("/v1/me").json["scopes"]
    assert 403 == nobody.get("/v1/me/ledger").status


def refused(player: Caller, path: str, detail: str) -> None:
    """Fail unless the player's token is refused, with a reason and a challenge (RFC 6750)."""
    answer = player.get(path)
    assert (401, detail) == (answer.status, answer.json["detail"])
    assert 'Bearer error="invalid_token"' == answer.headers["www-authenticate"]


def test_every_process_knows_within_a_second(service: RunningService) -> None:
    """A second after a token was revoked no process of the running service takes it any more."""
    owner = Client(service.url)
    told = owner.post("/me/tokens", {"scopes": ["account"]}).json()
    headers = {"Authorization": f"Bearer {told['token']}", "Connection": "close"}

    def status(_: int) -> int:
        return owner.http.get(f"{service.url}/v1/me", headers=headers).status_code

    with ThreadPoolExecutor(8) as pool:
        assert {200} == set(pool.map(status, range(40)))
        owner.http.delete(f"{service.url}/v1/me/tokens/{told['id']}").raise_for_status()
        until = time.monotonic() + 1
        while time.monotonic() < until:
            list(pool.map(status, range(8)))
        assert {401} == set(pool.map(status, range(80)))
    owner.close()
