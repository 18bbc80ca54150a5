"""Web pages of other origins may call, as the settings say."""

from dataclasses import replace

import pytest

from tests.api.world import UNLIMITED, Caller, World

PAGE = "https://page.example"


def test_any_page_may_call(keola: Caller) -> None:
    """An answer to a page of another origin says that it may read it, and which of its headers."""
    view = keola.create()
    answer = keola.get(f"/v1/tables/{view['id']}", Origin=PAGE)
    assert "*" == answer.headers["access-control-allow-origin"]
    exposed = answer.headers["access-control-expose-headers"].split(", ")
    assert {"ETag", "Retry-After", "Location", "Idempotency-Replayed"} <= set(exposed)
    refused = keola.get("/v1/tables/none", Origin=PAGE)
    assert (404, "*") == (refused.status, refused.headers["access-control-allow-origin"])


def test_a_browser_asks_before(world: World) -> None:
    """What a browser asks before a move is allowed with the headers that moves take."""
    asked = {
        "Origin": PAGE,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, content-type, idempotency-key, if-match",
    }
    answer = world.app.test_client().options("/v1/tables/any/draw", headers=asked)
    assert 200 == answer.status_code
    assert {"authorization", "content-type", "idempotency-key", "if-match"} <= set(
        answer.headers["Access-Control-Allow-Headers"].lower().split(", ")
    )
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]


def test_others_hear_nothing_of_it(keola: Caller) -> None:
    """Who is no web page gets no headers for them."""
    assert not [name for name in keola.get("/v1/me").headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    ("origins", "allowed"), [("", None), (f"https://other.example, {PAGE}", PAGE)]
)
def test_only_some_pages(origins: str, allowed: str | None) -> None:
    """Where the settings name pages only they may call; where they name none, none may."""
    world = World(replace(UNLIMITED, cors_origins=origins))
    answer = world.anybody.get("/v1/rules", Origin=PAGE)
    assert allowed == answer.headers.get("access-control-allow-origin")
    stranger = world.anybody.get("/v1/rules", Origin="https://stranger.example")
    assert "access-control-allow-origin" not in stranger.headers
