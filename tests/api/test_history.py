"""A table's events and its finished deals."""

import threading

import pytest

from service.engine.commands import Source
from service.engine.events import CardDrawn
from service.tables.events import EVENT_TYPES
from tests.api.contract import Json
from tests.api.test_play import play_deal
from tests.api.world import Caller, World
from tests.support.waiting import wait_until


@pytest.fixture
def played(world: World, keola: Caller, pua: Caller) -> Json:
    """A table at which two deals have been played."""
    table = keola.create(turn_seconds=0, pause_seconds=1)["id"]
    pua.did(table, "join", {})
    play_deal(world, [keola, pua], table)
    world.pass_time(1)
    play_deal(world, [keola, pua], table)
    return keola.view(table)


def test_no_gap(played: Json, keola: Caller) -> None:
    """Events are numbered from 1 without a gap, and the last one's id is the version."""
    events = all_events(keola, played["id"])

    assert list(range(1, played["version"] + 1)) == [one["id"] for one in events]
    assert {played["id"]} == {one["table"] for one in events}
    assert sorted(one["at"] for one in events) == [one["at"] for one in events]


def test_version_rises_with_each_event(two_seated: Json, keola: Caller) -> None:
    """The events after a view's version are those that a command has brought since."""
    table = two_seated["id"]
    after = keola.did(table, "cut", {"position": 3, "entropy": "aloha"})["version"]
    page = keola.get(f"/v1/tables/{table}/events?after={two_seated['version']}").json

    assert ([after], ["cut"]) == (
        [one["id"] for one in page["items"]],
        [one["type"] for one in page["items"]],
    )
    assert (1, 3, "aloha") == tuple(
        page["items"][0]["data"][k] for k in ("seat", "position", "entropy")
    )


def test_story_of_a_deal(played: Json, pua: Caller) -> None:
    """The events tell a deal from the seats being taken to the pot being paid out."""
    types = [one["type"] for one in all_events(pua, played["id"])]

    assert ["player_joined", "player_joined", "deal_started", "cut", "card_drawn"] == types[:5]
    assert ["showdown", "settled"] == types[-2:]
    assert 2 == types.count("settled")
    assert set(types) <= set(EVENT_TYPES)


@pytest.mark.parametrize("limit", [1, 7, 100])
def test_event_pages(played: Json, keola: Caller, limit: int) -> None:
    """Pages of any size join up to the whole story; the last one has no `next`."""
    path, after, found = f"/v1/tables/{played['id']}/events", "0", []
    while after is not None:
        page = keola.get(f"{path}?limit={limit}&after={after}").json
        assert 1 <= len(page["items"]) <= limit
        found += page["items"]
        after = page["next"]

    assert all_events(keola, played["id"]) == found


def test_nothing_new(played: Json, keola: Caller) -> None:
    """After the last event, and after ones to come, there is nothing."""
    for after in (played["version"], played["version"] + 5, 2**53):
        page = keola.get(f"/v1/tables/{played['id']}/events?after={after}").json
        assert {"items": [], "next": None} == page


def test_waiting_for_an_event(world: World, two_seated: Json, keola: Caller, pua: Caller) -> None:
    """A caller who waits after the last event is answered with the next one."""
    path = f"/v1/tables/{two_seated['id']}/events?wait=25&after={two_seated['version']}"
    pages: list[Json] = []
    waiter = threading.Thread(target=lambda: pages.append(pua.get(path).json), daemon=True)
    waiter.start()
    wait_until(lambda: world.store._changed._waiters)  # type: ignore[attr-defined]
    keola.did(two_seated["id"], "cut", {"position": 3})
    waiter.join(10)

    assert ["cut"] == [one["type"] for one in pages[0]["items"]]


def test_drawn_cards_are_the_drawers(
    world: World, played: Json, keola: Caller, pua: Caller, anybody: Caller
) -> None:
    """A card from the stock is in its drawer's events alone, one from the discards in all."""
    log = world.store.entries(played["id"], 0, 10_000)
    drawn = {e.id: e for e in log if isinstance(e.event, CardDrawn)}
    for caller in (keola, pua, anybody):
        told = {one["id"]: one["data"] for one in all_events(caller, played["id"])}
        for number, entry in drawn.items():
            assert isinstance(entry.event, CardDrawn)
            own = caller.account and entry.player == caller.id
            seen = own or entry.event.source is Source.DISCARD
            assert told[number]["card"] == (entry.event.card if seen else None)
            assert told[number]["from"] == entry.event.source


def test_deals(played: Json, keola: Caller) -> None:
    """Finished deals are listed, the latest first, and page by `next`."""
    path = f"/v1/tables/{played['id']}/deals"
    whole = keola.get(path).json
    assert ([2, 1], None) == ([one["number"] for one in whole["items"]], whole["next"])
    assert {10} == {one["pot"] for one in whole["items"]}

    first = keola.get(f"{path}?limit=1").json
    second = keola.get(f"{path}?limit=1&cursor={first['next']}").json
    assert (whole["items"], None) == ([*first["items"], *second["items"]], second["next"])


def test_no_deals(two_seated: Json, keola: Caller) -> None:
    """A deal that is still being played is not among the finished ones."""
    path = f"/v1/tables/{two_seated['id']}/deals"

    assert {"items": [], "next": None} == keola.get(path).json
    assert "not_found" == keola.get(f"{path}/1").json["code"]


@pytest.mark.parametrize("cursor", ["x", "-1", "1.5", "\uff11", "%00"])
def test_bad_cursor(played: Json, keola: Caller, cursor: str) -> None:
    """A cursor that no page gave is refused."""
    answer = keola.get(f"/v1/tables/{played['id']}/deals?cursor={cursor}")

    assert (422, "validation_failed") == (answer.status, answer.json["code"])


def test_record(played: Json, keola: Caller) -> None:
    """A record has who played, every action in order, and the result as the view had it."""
    record = keola.get(f"/v1/tables/{played['id']}/deals/2").json

    assert played["deal"]["result"] == record["result"]
    assert (played["deal"]["wild_card"], played["rules"]) == (
        record["wild_card"],
        record["rules"],
    )
    assert {1: "Keola", 2: "Pua"} == {one["seat"]: one["player"]["name"] for one in record["seats"]}
    actions = record["actions"]
    assert "cut" == actions[0]["action"]
    assert {"draw"} == {one["action"] for one in actions[1::2]}
    assert {"discard", "call"} >= {one["action"] for one in actions[2::2]}
    assert 1 <= sum(one["action"] == "call" for one in actions)
    assert record["started_at"] <= actions[0]["at"] <= actions[-1]["at"] <= record["ended_at"]


def test_receipt(played: Json, keola: Caller, anybody: Caller) -> None:
    """Everyone is given the same receipt: the antes make the pot, and the pot the shares."""
    for number in (1, 2):
        path = f"/v1/tables/{played['id']}/deals/{number}"
        record = keola.get(path).json
        receipt, result = record["receipt"], record["result"]
        assert receipt == anybody.get(path).json["receipt"]
        assert [{"seat": seat["seat"], "amount": 5} for seat in record["seats"]] == receipt["antes"]
        assert 10 == receipt["pot"] == sum(one["amount"] for one in receipt["shares"])
        assert record["winners"] == [one["seat"] for one in receipt["shares"]]
        assert [hand["cards"] for hand in result["hands"]] == [
            hand["cards"] for hand in receipt["hands"]
        ]
        tied = len(record["winners"]) > 1
        assert ("tied_hands_share" if tied else "highest_combination") == receipt["rule"]


def test_records_of_shown_hands(played: Json, anybody: Caller) -> None:
    """Where all hands were shown, the record names every card that was drawn."""
    record = anybody.get(f"/v1/tables/{played['id']}/deals/1").json
    assert "showdown" == record["reason"]

    assert all(one["card"] for one in record["actions"] if one["action"] == "draw")


def test_records_of_hidden_hands(
    world: World, two_seated: Json, keola: Caller, pua: Caller, anybody: Caller
) -> None:
    """A card from the stock is named to its drawer alone where its hand was never shown."""
    table = two_seated["id"]
    keola.did(table, "cut", {"position": 3})
    drawn = keola.did(table, "draw", {"from": "stock"})["you"]["drawn"]
    keola.did(table, "leave")
    world.run_due()

    path = f"/v1/tables/{table}/deals/1"
    for caller, card in ((keola, drawn), (pua, None), (anybody, None)):
        record = caller.get(path).json
        assert ("last_player", [2]) == (record["reason"], record["winners"])
        assert [card] == [one["card"] for one in record["actions"] if one["action"] == "draw"]
        assert [[]] == [hand["cards"] for hand in record["result"]["hands"]]
        assert ([], "last_player") == (record["receipt"]["hands"], record["receipt"]["rule"])


@pytest.mark.parametrize("path", ["", "/events", "/deals", "/deals/1", "/events?wait=1"])
def test_unknown_table(keola: Caller, path: str) -> None:
    """Nothing is found of a table that there is not."""
    assert "not_found" == keola.get(f"/v1/tables/01M5W0N3S84E9WQ2J5R7K1X6ZC{path}").json["code"]


def all_events(caller: Caller, table: str) -> list[Json]:
    """Every event of a table, as the caller sees them."""
    found: list[Json] = []
    while True:
        after = found[-1]["id"] if found else 0
        page = caller.get(f"/v1/tables/{table}/events?after={after}").json
        found += page["items"]
        if page["next"] is None:
            return found
