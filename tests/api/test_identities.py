"""Sign-in with an outside identity provider, over the API."""

import base64
import hmac
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jwt
import pytest
from redis import Redis

from service.audit import audit
from service.config import Config
from service.store.books import Books
from service.store.redis_store import RedisStore
from tests.api.contract import Json
from tests.api.test_tokens import made, refused, with_token
from tests.api.world import SECRET, UNLIMITED, Caller, World
from tests.store.conftest import store_at
from tests.support.provider import AUDIENCE, LASTS, Key, Provider

NOW = 1_790_000_000
"""The time of a world, in seconds since 1970."""


@pytest.fixture(scope="module")
def idp() -> Iterator[Provider]:
    """A provider whose clock is the world's."""
    with Provider(NOW).running() as provider:
        yield provider


@pytest.fixture
def world(idp: Provider) -> World:
    """A service that takes the provider's tokens."""
    return World(settings(idp.issuer))


def settings(issuer: str) -> Config:
    """The settings that name a provider."""
    limits = {name: getattr(UNLIMITED, name) for name in ("play_per_second", "lobby_per_second")}
    return Config(SECRET, "unused", oidc_issuer=issuer, oidc_audience=AUDIENCE, **limits)


def signed_in(anybody: Caller, token: str) -> Caller:
    """Somebody who calls with a token of the provider."""
    account = {"token": token}
    caller = Caller(anybody._send, anybody.contract, account)
    return Caller(anybody._send, anybody.contract, caller.get("/v1/me").json | account)


def test_first_use_opens_an_account(world: World, anybody: Caller, idp: Provider) -> None:
    """Somebody new gets an account with the grant; each later token of theirs is for the same."""
    who = signed_in(anybody, idp.token("new"))
    told = who.get("/v1/me").json

    assert ("Keola Kahale", "human", 10_000) == (told["name"], told["kind"], told["balance"])
    assert ["play", "lobby", "account"] == told["scopes"]
    assert "2026-09-21T15:13:20.000Z" == told["token_expires_at"]
    assert [10_000] == [one["amount"] for one in who.get("/v1/me/ledger").json["items"]]
    assert who.id == signed_in(anybody, idp.token("new", name="Another", iat=NOW - 1)).id
    assert who.id != signed_in(anybody, idp.token("other")).id
    assert who.create(seats=2)["you"]["seat"] == 1
    world.store.identities._remembered.clear()
    assert who.id == signed_in(anybody, idp.token("new", name="A third")).id


@pytest.mark.parametrize(
    ("claims", "name"),
    [
        ({"name": None, "preferred_username": "keola@example.org"}, "keola"),
        ({"name": "", "preferred_username": "keola"}, "keola"),
        ({"name": None}, "Player"),
        ({"name": 5}, "Player"),
        ({"name": "\u202e \x00"}, "Player"),
        ({"name": " गौतम\n\tऋषि "}, "गौतम ऋषि"),
        ({"name": "x" * 39 + " yz"}, "x" * 39),
    ],
    ids=str,
)
def test_names_are_made_to_fit(anybody: Caller, idp: Provider, claims: Json, name: str) -> None:
    """The name is the provider's, made one line of visible text; it is never a mail address."""
    who = signed_in(anybody, idp.token(**claims))
    assert name == who.account["name"]
    assert 201 == anybody.post("/v1/players", {"name": name}).status


@pytest.mark.parametrize(
    ("scope", "scopes"),
    [
        ("openid profile", ["play", "lobby", "account"]),
        ("openid play", ["play"]),
        ("account lobby", ["lobby", "account"]),
        (["play"], ["play", "lobby", "account"]),
    ],
    ids=str,
)
def test_scopes_of_the_provider(
    anybody: Caller, idp: Provider, scope: Any, scopes: list[str]
) -> None:
    """A token that names some of our scopes has these; one that names none has all."""
    assert scopes == signed_in(anybody, idp.token(scope=scope)).account["scopes"]


def part(said: Json) -> str:
    """A part of a token."""
    return base64.urlsafe_b64encode(json.dumps(said).encode()).decode().rstrip("=")


def by_hand(claims: Json, header: Json, secret: bytes) -> str:
    """A token with HS256 and any secret: the library refuses to sign with a public key."""
    signed = f"{part(header | {'alg': 'HS256', 'typ': 'JWT'})}.{part(claims)}"
    signature = hmac.digest(secret, signed.encode(), "sha256")
    return f"{signed}.{base64.urlsafe_b64encode(signature).decode().rstrip('=')}"


def forged(idp: Provider) -> dict[str, str]:
    """Tokens that are not to be taken, by what is wrong with them."""
    claims = jwt.decode(idp.token(), options={"verify_signature": False})
    kid = {"kid": idp.keys[-1].id}
    head, _, signature = idp.token().split(".")
    other = part(claims | {"sub": "x"})
    return {
        "other audience": idp.token(aud="somebody else"),
        "no audience": idp.token(aud=None),
        "an audience that is none": idp.token(aud={"paiute": 1}),
        "other issuer": idp.token(iss="https://other.example"),
        "issuer with a slash": idp.token(iss=f"{idp.issuer}/"),
        "expired": idp.token(exp=NOW),
        "no end": idp.token(exp=None),
        "an end that is text": idp.token(exp="never"),
        "an end that is true": idp.token(exp=True),
        "not yet": idp.token(nbf=NOW + 60),
        "begins never": idp.token(nbf=[]),
        "no subject": idp.token(None),  # type: ignore[arg-type]
        "empty subject": idp.token(""),
        "long subject": idp.token("x" * 256),
        "subject that is no text": idp.token("\ud800"),
        "subject that is a number": jwt.api_jws.encode(
            json.dumps(claims | {"sub": 5}).encode(), idp.keys[-1].private, "RS256", kid
        ),
        "alg none": jwt.encode(claims, "", "none", kid),
        "its public key as our secret": by_hand(claims, kid, idp.keys[-1].pem),
        "our own secret": jwt.encode(claims, SECRET, "HS256", kid),
        "other key of the same id": idp.token(key=Key(idp.keys[-1].id)),
        "unknown key": idp.token(key=Key("unheard of")),
        "no key id": jwt.encode(claims, idp.keys[-1].private, "RS256"),
        "other algorithm than its key's": jwt.encode(claims, idp.keys[-1].private, "PS256", kid),
        "other claims": f"{head}.{other}.{signature}",
        "no signature": f"{head}.{other}.",
    }


def test_forged_tokens(world: World, anybody: Caller, idp: Provider) -> None:
    """Whatever is wrong with a token, it is refused, makes no account, and proves no identity."""
    keola = world.player()
    for fault, token in forged(idp).items():
        answer = anybody.get("/v1/me", Authorization=f"Bearer {token}")
        assert (401, "unauthenticated") == (answer.status, answer.json["code"]), fault
        assert 'Bearer error="invalid_token"' == answer.headers["www-authenticate"], fault
        linking = keola.post("/v1/me/identities", {"token": token})
        assert (422, ["token"]) == (linking.status, [*linking.json["errors"]]), fault
    assert [keola.id] == [*world.store.accounts._accounts]


def test_a_token_ends(world: World, anybody: Caller, idp: Provider) -> None:
    """A token that was good until now is refused at the second of its end."""
    who = signed_in(anybody, idp.token())
    world.clock.now += LASTS * 1000 - 1
    assert 200 == who.get("/v1/me").status
    world.clock.now += 1
    refused(who, "/v1/me", "The token has expired.")


def test_a_clock_that_is_a_little_ahead(anybody: Caller, idp: Provider) -> None:
    """A token is good a few seconds before its provider's clock says so by ours."""
    assert 200 == signed_in(anybody, idp.token(nbf=NOW + 30)).get("/v1/me").status


def test_linking(anybody: Caller, idp: Provider) -> None:
    """A guest links an identity; from then on its tokens are the guest's account."""
    guest = anybody.sign_up("Pua")
    told = [guest.post("/v1/me/identities", {"token": idp.token("linked")}) for _ in range(2)]

    assert [201, 200] == [answer.status for answer in told]
    assert told[0].json == told[1].json
    assert (idp.issuer, "linked") == (told[0].json["issuer"], told[0].json["subject"])
    assert [told[0].json] == guest.get("/v1/me/identities").json["items"]
    assert guest.id == signed_in(anybody, idp.token("linked")).id
    assert "Pua" == signed_in(anybody, idp.token("linked")).account["name"]


def test_an_identity_has_one_account(anybody: Caller, idp: Provider) -> None:
    """An identity that stands for an account stands for no other, nor does it change."""
    guest, other = anybody.sign_up("Pua"), anybody.sign_up("Nalu")
    guest.post("/v1/me/identities", {"token": idp.token("one")})
    signed_in(anybody, idp.token("two"))

    for subject in ("one", "two"):
        answer = other.post("/v1/me/identities", {"token": idp.token(subject)})
        assert (409, "identity_taken") == (answer.status, answer.json["code"])
    assert [] == other.get("/v1/me/identities").json["items"]


def test_an_account_may_have_two(anybody: Caller, idp: Provider) -> None:
    """Who came by an identity may link another one to the account, with the first one's token."""
    who = signed_in(anybody, idp.token("first of two"))
    assert 201 == who.post("/v1/me/identities", {"token": idp.token("second")}).status

    subjects = {one["subject"] for one in who.get("/v1/me/identities").json["items"]}
    assert {"first of two", "second"} == subjects
    assert who.id == signed_in(anybody, idp.token("second")).id


def test_linking_takes_all_rights(anybody: Caller, idp: Provider) -> None:
    """An identity has all rights for good, so no lesser token, nor one that ends, can link it."""
    guest = anybody.sign_up("Pua")
    body = {"token": idp.token("stranger")}
    lesser = with_token(guest, made(guest, "account"))
    ends = with_token(guest, made(guest, "play", "lobby", "account", expires_in=60))

    assert "missing_scope" == lesser.post("/v1/me/identities", body).json["code"]
    assert (403, "forbidden") == (
        (answer := ends.post("/v1/me/identities", body)).status,
        answer.json["code"],
    )
    assert [] == guest.get("/v1/me/identities").json["items"]


def test_tokens_of_an_identity(anybody: Caller, idp: Provider) -> None:
    """An account that an identity opened has no first token; further ones end with their maker."""
    who = signed_in(anybody, idp.token("maker"))
    token = made(who, "play")

    assert [token["id"]] == [one["id"] for one in who.get("/v1/me/tokens").json["items"]]
    assert who.account["token_expires_at"] == token["expires_at"]


def test_a_providers_token_revokes_itself(anybody: Caller, idp: Provider) -> None:
    """A token of the provider is revoked by the id that it says; a later one is good."""
    who = signed_in(anybody, idp.token("leaving"))
    assert 204 == who.delete(f"/v1/me/tokens/{who.account['token_id']}").status

    refused(who, "/v1/me", "The token was revoked.")
    assert who.id == signed_in(anybody, idp.token("leaving", iat=NOW + 1)).id


def test_without_the_provider(idp: Provider) -> None:
    """While the provider is away its tokens get 503, and all else goes on."""
    with Provider(NOW).running() as away:
        away.silent = True
        world = World(settings(away.issuer))
        keola = world.player()
        for answer in (
            world.anybody.get("/v1/me", Authorization=f"Bearer {away.token()}"),
            keola.post("/v1/me/identities", {"token": away.token()}),
        ):
            assert (503, "unavailable") == (answer.status, answer.json["code"])
            assert "1" == answer.headers["retry-after"]
        asked = away.asked.total()
        assert keola.create()["you"]["seat"] == 1
        assert asked == away.asked.total() == 1


def test_without_a_provider_set(anybody: Caller, idp: Provider) -> None:
    """A service without a provider takes no tokens but its own."""
    alone = World().anybody
    assert 401 == alone.get("/v1/me", Authorization=f"Bearer {idp.token()}").status
    answer = alone.sign_up().post("/v1/me/identities", {"token": idp.token()})
    assert (422, ["token"]) == (answer.status, [*answer.json["errors"]])


@pytest.mark.parametrize("kind", ["memory", "redis"])
def test_twenty_first_uses_at_once(
    request: pytest.FixtureRequest, world: World, anybody: Caller, idp: Provider, kind: str
) -> None:
    """However many first uses come at once, there is one account, with one grant."""
    if kind == "redis":
        request.getfixturevalue("redis")
        redis_url = request.getfixturevalue("redis_url")
        world.game.store = store_at(redis_url)
    with ThreadPoolExecutor(20) as pool:
        tokens = [idp.token("eager", name=f"Name {n}") for n in range(20)]
        callers = list(pool.map(lambda token: signed_in(anybody, token), tokens))

    assert 1 == len({caller.id for caller in callers})
    assert 1 == len({caller.account["name"] for caller in callers})
    assert [10_000] == [one["amount"] for one in callers[0].get("/v1/me/ledger").json["items"]]


def test_the_audit_adds_up(redis: Redis, redis_url: str, world: World, idp: Provider) -> None:
    """What identities were given is in the count, once each."""
    store: RedisStore = store_at(redis_url)
    world.game.store = store
    for subject in ("one", "two", "one"):
        signed_in(world.anybody, idp.token(subject)).create(seats=2)
    report = audit(Books(redis))
    assert not report.misfits
    assert 2 * 10_000 == report.figures.granted
