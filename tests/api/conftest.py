"""A service in this process, players who call it, and tables in a given position."""

from collections.abc import Iterator

import pytest
import requests

from tests.api.contract import Contract, Json
from tests.api.test_play import play_deal
from tests.api.world import Caller, World, send_over_http
from tests.support.processes import RunningService


@pytest.fixture
def world() -> World:
    """A service over an empty store."""
    return World()


@pytest.fixture
def anybody(world: World) -> Caller:
    """Somebody without a token."""
    return world.anybody


@pytest.fixture
def keola(world: World) -> Caller:
    """A player."""
    return world.player("Keola")


@pytest.fixture
def pua(world: World) -> Caller:
    """Another player."""
    return world.player("Pua")


@pytest.fixture
def nalu(world: World) -> Caller:
    """A third player."""
    return world.player("Nalu")


@pytest.fixture
def two_seated(keola: Caller, pua: Caller) -> Json:
    """Keola's table for two, without a clock: Pua in seat 2 deals, Keola is to cut."""
    rules = {"first_dealer": 2}
    view = keola.create(turn_seconds=0, pause_seconds=5, rules=rules)
    pua.did(view["id"], "join", {})
    return keola.view(view["id"])


@pytest.fixture
def played(world: World, keola: Caller, pua: Caller) -> Json:
    """A table at which two deals have been played."""
    table = keola.create(turn_seconds=0, pause_seconds=1)["id"]
    pua.did(table, "join", {})
    play_deal(world, [keola, pua], table)
    world.pass_time(1)
    play_deal(world, [keola, pua], table)
    return keola.view(table)


@pytest.fixture(scope="session")
def over_http(service: RunningService) -> Iterator[Caller]:
    """Somebody without a token, who calls the real service."""
    with requests.Session() as http:
        with http.get(f"{service.url}/openapi.json") as document:
            contract = Contract(document.json())
        yield Caller(send_over_http(http, service.url), contract)
