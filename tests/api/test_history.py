"""A table's events and its finished deals."""

import threading

import pytest

from service.engine.commands import Source
from service.engine.events import CardDrawn
from service.tables.events import EVENT_TYPES
from tests.api.contract import Json
from tests.api.world import Caller, World
from tests.support.waiting import wait_until


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
    wait_until(lambda: world.store.watches._of)
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
