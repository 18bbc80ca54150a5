"""Accounts and what is one's own."""

import pytest

from tests.api.contract import Json
from tests.api.world import Caller, World, legal


@pytest.mark.parametrize("kind", ["human", "bot"])
def test_sign_up(anybody: Caller, kind: str) -> None:
    """A guest gets an account with a balance and a token, which nothing may keep a copy of."""
    answer = anybody.post("/v1/players", {"name": "Keola", "kind": kind})

    assert (201, "no-store") == (answer.status, answer.headers["cache-control"])
    assert ("Keola", kind, 10_000) == tuple(answer.json[k] for k in ("name", "kind", "balance"))


def test_humans_by_default(anybody: Caller) -> None:
    """Who does not say what they are is a human."""
    assert "human" == anybody.post("/v1/players", {"name": "Pua"}).json["kind"]


@pytest.mark.parametrize("name", ["K", "k" * 40, "Ka\u02bbiulani", "गौतम", "😀", "<b>"])
def test_names(anybody: Caller, name: str) -> None:
    """A name is any line of 1 to 40 visible characters, and comes back as it was sent."""
    assert name == anybody.post("/v1/players", {"name": name}).json["name"]


def test_own_account(keola: Caller) -> None:
    """The token opens the own account, which no longer shows it but says what it may do."""
    expected = {k: v for k, v in keola.account.items() if k != "token"}
    expected |= {
        "scopes": ["play", "lobby", "account"],
        "token_id": keola.id,
        "token_expires_at": None,
    }

    assert expected == keola.get("/v1/me").json


@pytest.mark.parametrize("path", ["/v1/me", "/v1/me/tables"])
def test_own_things_need_a_token(anybody: Caller, path: str) -> None:
    """What is one's own is refused to callers without a token, with a challenge (RFC 6750)."""
    answer = anybody.get(path)

    assert (401, "Bearer") == (answer.status, answer.headers["www-authenticate"])


def test_own_tables(keola: Caller, pua: Caller) -> None:
    """The own tables are those one has a seat at, and not those one has left."""
    mine, left, other = keola.create(), keola.create(), pua.create()
    pua.did(left["id"], "join", {})
    keola.did(left["id"], "leave")

    assert [mine["id"]] == [one["id"] for one in own_tables(keola)]
    assert {left["id"], other["id"]} == {one["id"] for one in own_tables(pua)}


def test_most_urgent_first(world: World, keola: Caller, pua: Caller) -> None:
    """Tables at which it is one's turn come first, the one with the least time left before all."""
    quiet = keola.create()["id"]
    slow, quick, endless = (
        keola.create(turn_seconds=s, rules={"first_dealer": 2, "cut": "auto"})["id"]
        for s in (50, 20, 0)
    )
    for table in (slow, quick, endless):
        pua.did(table, "join", {})
    world.clock.now += 4_000

    listed = own_tables(keola)
    assert [quick, slow, endless] == [one["id"] for one in listed[:3] if one["my_turn"]]
    assert [16_000, 46_000, None] == [one["turn_ms_left"] for one in listed[:3]]
    assert [quiet] == [one["id"] for one in listed[3:]]
    assert not any(one["my_turn"] for one in own_tables(pua))


def test_own_tables_by_pages(world: World, keola: Caller, pua: Caller) -> None:
    """Pages go on from where they ended, also where tables have become urgent meanwhile."""
    rules = {"first_dealer": 2, "cut": "auto"}
    made = [keola.create(turn_seconds=s, rules=rules)["id"] for s in (40, 30, 20, 0, 10)]
    for table in made[:4]:
        pua.did(table, "join", {})
    found: list[str] = []
    cursor = ""
    while cursor is not None:
        page = keola.get(f"/v1/me/tables?limit=2{cursor}").json
        found += [one["id"] for one in page["items"]]
        cursor = page["next"] and f"&cursor={page['next']}"
        world.clock.now += 1_000
    assert [made[n] for n in (2, 1, 0, 3, 4)] == found


@pytest.mark.parametrize("cursor", ["x", "0-1", "2-1-A", "0--A", "0-1-%0A", "0-" + "9" * 20 + "-A"])
def test_made_up_cursors(keola: Caller, cursor: str) -> None:
    """What was never `next` is refused."""
    assert 422 == keola.get(f"/v1/me/tables?cursor={cursor}").status


def test_my_turn_agrees_with_legal(two_seated: Json, keola: Caller, pua: Caller) -> None:
    """`my_turn` says for each player whether `legal` has more than leaving."""
    for player in (keola, pua):
        (summary,) = own_tables(player)
        assert summary["my_turn"] is ({"leave"} < set(legal(player.view(two_seated["id"]))))


def own_tables(player: Caller) -> list[Json]:
    """The player's own list."""
    items: list[Json] = player.get("/v1/me/tables").json["items"]
    return items
