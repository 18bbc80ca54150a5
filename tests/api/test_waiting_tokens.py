"""Tokens that end while their request waits: it is answered as if it came now."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.api.contract import Answer, Json
from tests.api.test_tokens import made, with_token
from tests.api.world import Caller, World
from tests.support.client import Client
from tests.support.processes import RunningService
from tests.support.waiting import wait_until

PATHS = ("table", "events", "account")


def path_of(kind: str, view: Json, player: Caller) -> str:
    """Where a caller waits for what comes next, up to 20 seconds."""
    if kind == "account":
        (snapshot,) = player.get("/v1/me/events").json["items"]
        return f"/v1/me/events?wait=20&after={snapshot['id']}"
    if kind == "events":
        return f"/v1/tables/{view['id']}/events?wait=20&after={view['version']}"
    return f"/v1/tables/{view['id']}?wait=20"


def answer_of(
    world: World, player: Caller, kind: str, view: Json, then: Callable[[], object]
) -> tuple[Answer, float]:
    """What a caller who waits is answered after something has happened, and how long after."""
    path, answers = path_of(kind, view, player), list[Answer]()
    etag = {"If_None_Match": f'"{view["version"]}"'} if kind == "table" else {}
    thread = threading.Thread(target=lambda: answers.append(player.get(path, **etag)))
    thread.start()
    wait_until(lambda: f"token:{player.account['token_id']}" in world.store.watches._of)
    then()
    began = time.monotonic()
    thread.join(25)
    return answers[0], time.monotonic() - began


@pytest.mark.parametrize("kind", PATHS)
def test_a_revoked_token_waits_no_longer(
    world: World, two_seated: Json, keola: Caller, kind: str
) -> None:
    """Who waits with a token that is revoked is refused within a second, though nothing happens."""
    token = made(keola, "play")
    answer, seconds = answer_of(
        world,
        with_token(keola, token),
        kind,
        two_seated,
        lambda: keola.delete(f"/v1/me/tokens/{token['id']}"),
    )
    assert (401, "The token was revoked.") == (answer.status, answer.json["detail"])
    assert 'Bearer error="invalid_token"' == answer.headers["www-authenticate"]
    assert seconds < 1


@pytest.mark.parametrize("kind", PATHS)
def test_an_expired_token_gets_no_hand(
    world: World, two_seated: Json, keola: Caller, kind: str
) -> None:
    """What comes after a token has expired is not told to who has begun to wait before."""
    player = with_token(keola, made(keola, "play", expires_in=60))

    def happen() -> None:
        world.clock.now += 60_000
        keola.did(two_seated["id"], "cut", {"position": 3})

    answer, _ = answer_of(world, player, kind, two_seated, happen)
    assert (401, "The token has expired.") == (answer.status, answer.json["detail"])


@pytest.mark.parametrize("kind", PATHS)
def test_a_good_token_waits_on(
    world: World, two_seated: Json, keola: Caller, pua: Caller, kind: str
) -> None:
    """Another one's end is nobody's business, and what happens is told as ever."""
    other = made(pua, "play")
    player = with_token(keola, made(keola, "play"))

    def happen() -> None:
        pua.delete(f"/v1/me/tokens/{other['id']}")
        keola.did(two_seated["id"], "cut", {"position": 3})

    answer, _ = answer_of(world, player, kind, two_seated, happen)
    assert 200 == answer.status
    assert answer.json.get("items", True)


def test_a_wait_ends_with_the_token(service: RunningService) -> None:
    """On the real service a wait is over when the token expires, at tables and for accounts."""
    owner = Client(service.url)
    view = owner.create(seats=2)
    (snapshot,) = owner.get("/me/events").json()["items"]
    ends = owner.post("/me/tokens", {"scopes": ["play"], "expires_in": 2}).json()
    headers = {
        "Authorization": f"Bearer {ends['token']}",
        "If-None-Match": f'"{view["version"]}"',
        "Connection": "close",
    }
    table = f"/v1/tables/{view['id']}"

    def status(path: str) -> int:
        return owner.http.get(service.url + path, headers=headers).status_code

    began = time.monotonic()
    with ThreadPoolExecutor(3) as pool:
        paths = (
            f"{table}?wait=20",
            f"{table}/events?wait=20&after={view['version']}",
            f"/v1/me/events?wait=20&after={snapshot['id']}",
        )
        assert [401] * 3 == list(pool.map(status, paths))
    assert time.monotonic() - began < 10
    owner.close()
