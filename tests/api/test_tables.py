"""Making tables, finding them, and who sits where."""

import pytest

from tests.api.contract import Json
from tests.api.world import Caller, World, legal

RULES = {
    "ace_low": True,
    "first_dealer": 3,
    "cut": "auto",
    "final_turns": "every_player",
    "reshuffle": "all",
    "max_reshuffles": 0,
    "on_timeout": "bot",
}
SETTINGS = {
    "name": "Friday night",
    "ante": 0,
    "buy_in": 1_000,
    "visibility": "private",
    "turn_seconds": 0,
    "pause_seconds": 0,
    "thinking_ms": 60_000,
    "start_when": "host",
    "deals": 7,
    "rated": True,
}
BOT = {"level": "easy"}


def test_defaults(keola: Caller) -> None:
    """Of a table only the number of seats has to be said."""
    answer = keola.post("/v1/tables", {"seats": 4})
    view = answer.json

    assert (201, f"/v1/tables/{view['id']}") == (answer.status, answer.headers["location"])
    expected = {
        "name": "Paiute",
        "ante": 5,
        "buy_in": 100,
        "visibility": "public",
        "turn_seconds": 60,
        "pause_seconds": 5,
        "thinking_ms": 800,
        "start_when": "full",
        "deals": None,
        "rated": True,
    }
    assert expected == {name: view[name] for name in expected}
    assert {"ace_low": False, "first_dealer": "random", "cut": "player"}.items() <= (
        view["rules"].items()
    )
    assert ("waiting", keola.id, 3, None) == tuple(
        view[name] for name in ("status", "host", "open_seats", "deal")
    )


def test_all_settings(keola: Caller) -> None:
    """Every setting and every house rule is as its maker said."""
    view = keola.create(seats=3, rules=RULES, **SETTINGS)

    assert SETTINGS == {name: view[name] for name in SETTINGS}
    assert RULES == view["rules"]


def test_rules_hash(keola: Caller) -> None:
    """Tables with equal house rules have the same `rules_hash`, others another one."""
    plain, same = keola.create(), keola.create(name="Other", rules={"ace_low": False})
    other = keola.create(rules={"ace_low": True})

    assert plain["rules_hash"] == same["rules_hash"] != other["rules_hash"]


def test_maker_has_the_first_seat(keola: Caller) -> None:
    """The maker sits in seat 1 with the buy-in in front, and bots in the next ones."""
    view = keola.create(seats=4, ante=3, bots=[{"level": "easy"}, {"level": "medium"}])

    assert [(1, "human", None), (2, "house_bot", "easy"), (3, "house_bot", "medium")] == [
        (one["seat"], one["player"]["kind"], one["player"]["level"]) for one in view["seats"]
    ]
    assert [60, 60, 60] == [one["stack"] for one in view["seats"]]
    assert len({one["player"]["name"] for one in view["seats"]}) == 3


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"seats": 2, "bots": [{"level": "easy"}] * 3}, "bots"),
        ({"seats": 2, "rules": {"first_dealer": 3}}, "rules"),
        ({"ante": 10, "buy_in": 9}, "buy_in"),
    ],
)
def test_settings_fit_each_other(keola: Caller, settings: Json, field: str) -> None:
    """More bots than seats, a dealer without a seat, a buy-in below the ante: refused by field."""
    answer = keola.post("/v1/tables", {"seats": 2} | settings)

    assert (422, [field]) == (answer.status, list(answer.json["errors"]))


def test_full_table_begins(keola: Caller, pua: Caller) -> None:
    """A table begins in the same step as its last seat is taken, with the antes paid."""
    table = keola.create(ante=5)
    view = pua.did(table["id"], "join", {})

    assert ("cutting", 10, [95, 95]) == (
        view["status"],
        view["deal"]["pot"],
        [one["stack"] for one in view["seats"]],
    )
    assert table["version"] + 2 == view["version"]


def test_host_starts(world: World, keola: Caller, pua: Caller) -> None:
    """With `start_when: host` a full table waits until its host, and nobody else, starts it."""
    table = keola.create(start_when="host")["id"]
    too_few = keola.refused(table, "start")
    assert ("not_enough_players", "waiting") == (too_few["code"], keola.view(table)["status"])
    assert "start" not in legal(keola.view(table))

    pua.did(table, "join", {})
    assert "start" in legal(keola.view(table))
    assert "start" not in legal(pua.view(table))
    assert "forbidden" == pua.refused(table, "start")["code"]
    assert "forbidden" == world.player("Nalu").refused(table, "start")["code"]
    assert "cutting" == keola.did(table, "start")["status"]
    assert "table_not_open" == keola.refused(table, "start")["code"]


def test_start_before_full(keola: Caller, pua: Caller) -> None:
    """A host may start as soon as two are there; who comes later is dealt in with the next deal."""
    table = keola.create(seats=3)["id"]
    pua.did(table, "join", {"seat": 3})

    view = keola.did(table, "start", {})
    assert ("cutting", [1, 3]) == (view["status"], [one["seat"] for one in view["seats"]])


def test_seat_numbers(world: World, keola: Caller, pua: Caller) -> None:
    """A joiner gets the seat asked for, or the first free one; there are no others."""
    table = keola.create(seats=5, start_when="host")["id"]

    assert 4 == pua.did(table, "join", {"seat": 4})["you"]["seat"]
    assert 2 == world.player().did(table, "join", {"seat": None})["you"]["seat"]
    assert 3 == world.player().did(table, "join", {})["you"]["seat"]
    late = world.player()
    assert "seat_taken" == late.refused(table, "join", {"seat": 4})["code"]
    assert "validation_failed" == late.refused(table, "join", {"seat": 6})["code"]
    assert 5 == late.did(table, "join", {"seat": 5})["you"]["seat"]
    assert "table_full" == world.player().refused(table, "join", {})["code"]
    assert "table_full" == world.player().refused(table, "join", {"seat": 1})["code"]


def test_no_such_seat(keola: Caller, pua: Caller) -> None:
    """A seat number beyond the table's is not found."""
    table = keola.create(seats=2)["id"]

    assert "not_found" == pua.refused(table, "join", {"seat": 3})["code"]


def test_already_seated(two_seated: Json, keola: Caller) -> None:
    """Nobody sits twice at one table; the refusal says where the table stands."""
    problem = keola.refused(two_seated["id"], "join", {"seat": 2})

    assert ("already_seated", two_seated["version"], "cut") == (
        problem["code"],
        problem["version"],
        problem["phase"],
    )
    assert two_seated["you"]["legal"] == problem["legal"]


def test_private_tables(keola: Caller, pua: Caller, anybody: Caller) -> None:
    """A private table takes only those with its invite code, which only its players see."""
    table = keola.create(visibility="private", start_when="host")
    code = table["you"]["invite_code"]

    assert "wrong_invite_code" == pua.refused(table["id"], "join", {})["code"]
    assert "wrong_invite_code" == pua.refused(table["id"], "join", {"invite_code": "x"})["code"]
    assert "wrong_invite_code" == pua.refused(table["id"], "join", {"invite_code": "é"})["code"]
    for outsider in (pua, anybody):
        assert code not in outsider.get(f"/v1/tables/{table['id']}").text
        assert code not in outsider.get(f"/v1/tables/{table['id']}/events").text
        assert table["id"] not in outsider.get("/v1/tables").text
    assert code == pua.did(table["id"], "join", {"invite_code": code})["you"]["invite_code"]


def test_public_tables_have_no_code(two_seated: Json, keola: Caller) -> None:
    """At a public table there is no invite code to show."""
    assert keola.view(two_seated["id"])["you"]["invite_code"] is None


def test_lobby_filters(keola: Caller, pua: Caller) -> None:
    """The lobby lists public tables, the latest first, by status, free seats and ante."""
    cheap = keola.create(ante=1, seats=5)["id"]
    dear = keola.create(ante=50, seats=3)["id"]
    full = keola.create(ante=5)["id"]
    pua.did(full, "join", {})
    keola.create(visibility="private")

    assert [full, dear, cheap] == lobby(pua)
    assert [dear, cheap] == lobby(pua, "?status=waiting")
    assert [full] == lobby(pua, "?status=cutting")
    assert [dear, cheap] == lobby(pua, "?open_seats=1")
    assert [cheap] == lobby(pua, "?open_seats=3")
    assert [full, cheap] == lobby(pua, "?max_ante=5")
    assert [cheap] == lobby(pua, "?max_ante=5&open_seats=2&status=waiting")
    assert [] == lobby(pua, "?max_ante=0")


def test_lobby_entry(keola: Caller) -> None:
    """The lobby says of a table who sits there, how many seats are free, and what it costs."""
    keola.create(seats=3, ante=2, name="Lānai", bots=[{"level": "easy"}])
    (entry,) = keola.get("/v1/tables").json["items"]

    assert ("Lānai", 3, 1, 2, 40) == tuple(
        entry[name] for name in ("name", "seats", "open_seats", "ante", "buy_in")
    )
    assert ["Keola", entry["players"][1]["name"]] == [one["name"] for one in entry["players"]]


@pytest.mark.parametrize("filters", ["", "&open_seats=2", "&max_ante=4"])
def test_lobby_pages(keola: Caller, filters: str) -> None:
    """Following `next` gives every table once, whatever the filters, and then null."""
    made = [keola.create(seats=2 + n % 3, ante=n)["id"] for n in range(7)]
    wanted = lobby(keola, f"?limit=100{filters}")
    assert set(wanted) <= set(made)

    found, cursor = [], ""
    for _ in range(10):
        page = keola.get(f"/v1/tables?limit=2{filters}{cursor}").json
        assert len(page["items"]) <= 2
        found += [one["id"] for one in page["items"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert wanted == found
    assert page["next"] is None


def test_bots(world: World, keola: Caller, pua: Caller) -> None:
    """The host, and nobody else, seats house bots and sends them away."""
    table = keola.create(seats=4, start_when="host")["id"]

    view = keola.did(table, "bots", {"level": "medium", "seat": 3})
    assert [(1, None), (3, "medium")] == levels(view)
    view = keola.did(table, "bots", {"level": "easy"})
    assert [(1, None), (2, "easy"), (3, "medium")] == levels(view)
    assert "seat_taken" == keola.refused(table, "bots", {"level": "easy", "seat": 2})["code"]
    for other in (pua, world.player()):
        assert "forbidden" == other.refused(table, "bots", {"level": "easy"})["code"]
        assert "forbidden" == other.delete(f"/v1/tables/{table}/bots/3").json["code"]

    view = keola.delete(f"/v1/tables/{table}/bots/3").json
    assert [(1, None), (2, "easy")] == levels(view)
    for seat in (1, 3, 9):
        assert "not_found" == keola.delete(f"/v1/tables/{table}/bots/{seat}").json["code"]
    pua.did(table, "join", {"seat": 3})
    assert "not_found" == keola.delete(f"/v1/tables/{table}/bots/3").json["code"]


def test_last_bot_begins(keola: Caller) -> None:
    """A bot in the last free seat begins the game as a player would; a further one is refused."""
    table = keola.create(seats=2)["id"]

    assert keola.did(table, "bots", {"level": "easy"})["deal"]["number"] == 1
    assert "table_full" == keola.refused(table, "bots", {"level": "easy"})["code"]


def test_host_passes_on(keola: Caller, pua: Caller, nalu: Caller) -> None:
    """When the host leaves, another player is host, never a bot."""
    table = keola.create(seats=4, start_when="host", bots=[{"level": "easy"}])["id"]
    pua.did(table, "join", {})
    nalu.did(table, "join", {})

    after = keola.did(table, "leave")
    assert (pua.id, None) == (after["host"], after["you"])
    assert "forbidden" == keola.refused(table, "bots", {"level": "easy"})["code"]
    assert 4 == len(pua.did(table, "bots", {"level": "easy"})["seats"])


def test_last_to_leave_closes(keola: Caller, pua: Caller) -> None:
    """A table that no player is left at closes, leaves the lobby, and takes nobody any more."""
    table = keola.create(seats=3, start_when="host", bots=[{"level": "easy"}])["id"]

    view = keola.did(table, "leave")
    assert ("closed", None) == (view["status"], view["you"])
    assert [] == lobby(pua)
    assert "table_closed" == keola.get(f"/v1/tables/{table}/events").json["items"][-1]["type"]
    for action, body in (("join", {}), ("leave", None), ("start", None), ("bots", BOT)):
        problem = keola.refused(table, action, body)
        assert ("table_not_open", []) == (problem["code"], problem["legal"])


def test_leaving_in_a_deal_closes_after_it(world: World, keola: Caller) -> None:
    """When the last player leaves in the middle of a deal, the deal is played out first."""
    table = keola.create(seats=3, bots=[BOT, BOT], turn_seconds=0)["id"]
    keola.did(table, "leave")
    assert "closed" != keola.view(table)["status"]

    world.run_due()
    view = keola.view(table)
    assert ("closed", 1) == (view["status"], view["deal"]["number"])
    assert sum(one["stack"] for one in view["seats"]) + 95 == 300


def test_leave_twice(two_seated: Json, keola: Caller, pua: Caller, nalu: Caller) -> None:
    """Who has no seat can't leave; in a deal of two, the other then takes the pot."""
    assert "not_seated" == nalu.refused(two_seated["id"], "leave")["code"]
    keola.did(two_seated["id"], "leave")

    assert "not_seated" == keola.refused(two_seated["id"], "leave")["code"]
    assert "settling" == pua.view(two_seated["id"])["status"]


def test_exhibition(world: World, keola: Caller) -> None:
    """Bots in every seat play their number of deals by themselves; the maker only watches."""
    view = keola.create(seats=3, bots=[BOT] * 3, deals=3, pause_seconds=0)
    assert (None, keola.id) == (view["you"], view["host"])
    assert [(1, "easy"), (2, "easy"), (3, "easy")] == levels(view)

    world.run_due()
    after = keola.view(view["id"])
    assert ("closed", 3) == (after["status"], after["deal"]["number"])
    assert [3, 2, 1] == [
        one["number"] for one in keola.get(f"/v1/tables/{view['id']}/deals").json["items"]
    ]
    assert [] == keola.get("/v1/me/tables").json["items"]


def test_exhibitions_end(keola: Caller) -> None:
    """Bots among themselves play a bounded number of deals, where none is named."""
    assert 100 == keola.create(seats=2, bots=[BOT] * 2)["deals"]


def test_seat_of_a_leaver(world: World, two_seated: Json, keola: Caller, pua: Caller) -> None:
    """A seat left in a deal is free once the deal is settled, and its number is given anew."""
    table = two_seated["id"]
    pua.did(table, "leave")
    nalu = world.player("Nalu")
    assert "table_full" == nalu.refused(table, "join", {})["code"]
    assert "already_seated" == pua.refused(table, "join", {})["code"]

    world.run_due()
    assert [(1, 105)] == [(one["seat"], one["stack"]) for one in keola.view(table)["seats"]]
    assert 2 == nalu.did(table, "join", {})["you"]["seat"]


def test_next_deal(world: World, two_seated: Json, keola: Caller, pua: Caller) -> None:
    """After the pause the next deal begins, and the deal has passed on clockwise."""
    table = two_seated["id"]
    nalu = world.player("Nalu")
    pua.did(table, "leave")
    world.run_due()
    nalu.did(table, "join", {})
    assert ("pause", 5_000) == tuple(nalu.view(table)[k] for k in ("status", "pause_ms_left"))

    world.pass_time(4.9)
    assert "pause" == keola.view(table)["status"]
    world.pass_time(0.2)
    view = keola.view(table)
    assert ("cutting", 2, 1) == (view["status"], view["deal"]["number"], view["deal"]["dealer"])


def test_waits_for_players(world: World, two_seated: Json, keola: Caller, pua: Caller) -> None:
    """With one player left after the pause the table waits for more."""
    pua.did(two_seated["id"], "leave")
    world.pass_time(0)
    world.pass_time(6)

    assert "waiting" == keola.view(two_seated["id"])["status"]
    assert [two_seated["id"]] == lobby(pua, "?status=waiting&open_seats=1")


def lobby(player: Caller, query: str = "") -> list[str]:
    """The ids that the lobby lists."""
    return [one["id"] for one in player.get(f"/v1/tables{query}").json["items"]]


def levels(view: Json) -> list[tuple[int, str | None]]:
    """The seats and the levels of their bots."""
    return [(one["seat"], one["player"]["level"]) for one in view["seats"]]
