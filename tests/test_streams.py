"""`paiute streams`: one process that hundreds follow, whatever becomes of it and of Redis."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import requests

from service.config import Config
from tests.support.client import Client, Json
from tests.support.parts import Api, Server, ended, own_server
from tests.support.streams import NDJSON, SSE, EventStream
from tests.support.waiting import wait_until

FOLLOWERS = 300
DRAIN_SECONDS = 100


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A Redis for this test alone."""
    with own_server(tmp_path) as server:
        yield server


@pytest.fixture
def streams(server: Server, tmp_path: Path) -> Iterator[Api]:
    """The process."""
    options = ("--drain-seconds", str(DRAIN_SECONDS))
    streams = Api(tmp_path / "log", server.url, *options, command="streams")
    with ended(streams):
        wait_until(lambda: streams.is_ready)
        yield streams


class Pair:
    """Two players at a table of theirs, who draw and discard by turns, and those who follow."""

    def __init__(self, api: Api, stack: ExitStack) -> None:
        self.clients = [Client(api.url, name) for name in ("Keola", "Pua")]
        for client in self.clients:
            stack.callback(client.close)
        keola, pua = self.clients
        view = keola.create(seats=2, turn_seconds=0, rules={"cut": "auto", "first_dealer": 2})
        pua.post(f"/tables/{view['id']}/join")
        self.table: str = view["id"]
        self._api, self._stack = api, stack

    def take_turns(self, turns: int) -> None:
        """Play some turns."""
        for turn in range(turns):
            client = self.clients[turn % 2]
            drawn: Json = client.post(f"/tables/{self.table}/draw", {"from": "stock"}).json()
            client.post(f"/tables/{self.table}/discard", {"card": drawn["you"]["drawn"]})

    def followers(self, number: int) -> list[EventStream]:
        """So many streams of the table, in either form, from when the deal began."""
        each = Config("", "").streams_per_token
        found: list[EventStream] = []
        for _ in range(0, number, each):
            client = Client(self._api.url, "Follower")
            self._stack.callback(client.close)
            found += [
                self._stack.enter_context(
                    EventStream(client, f"/tables/{self.table}/events", form, 0)
                )
                for form in (SSE, NDJSON) * (each // 2)
            ]
        return found


def ids(stream: EventStream, most: int) -> list[int]:
    return [event["id"] for event in stream.take(most)]


def test_hundreds_follow(streams: Api) -> None:
    """Each of them gets each event in order, and the others are answered meanwhile."""
    with ExitStack() as stack:
        pair = Pair(streams, stack)
        followers = pair.followers(FOLLOWERS)
        assert FOLLOWERS <= len(followers)
        pair.take_turns(10)
        version = pair.clients[0].view(pair.table)["version"]
        for stream in followers:
            assert list(range(1, version + 1)) == ids(stream, version)


def test_it_is_stopped(streams: Api) -> None:
    """After SIGTERM all streams end, so that their clients go elsewhere, and none begins."""
    with ExitStack() as stack:
        pair = Pair(streams, stack)
        followers = pair.followers(20)
        version = pair.clients[0].view(pair.table)["version"]
        streams.ask_to_stop()
        for stream in followers:
            assert list(range(1, version + 1)) == [event["id"] for event in stream]
        refused = requests.get(
            f"{streams.url}/v1/tables/{pair.table}/events", headers={"Accept": SSE}, timeout=30
        )
        assert (503, "unavailable") == (refused.status_code, refused.json()["code"])


def test_redis_is_killed(streams: Api, server: Server) -> None:
    """Streams that are open while Redis is away go on when it is back, and miss nothing."""
    with ExitStack() as stack:
        pair = Pair(streams, stack)
        followers = pair.followers(20)
        pair.take_turns(2)
        server.kill()
        server.start()
        wait_until(lambda: streams.is_ready)
        pair.take_turns(2)
        version = pair.clients[0].view(pair.table)["version"]
        for stream in followers:
            assert list(range(1, version + 1)) == ids(stream, version)
