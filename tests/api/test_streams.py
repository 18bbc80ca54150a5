"""Streams of events over HTTP, on the real service."""

import socket
import threading
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from service.api.streams import DEAF_SECONDS
from service.config import Config
from tests.api.world import World
from tests.support.client import Client, Json, simple_choice
from tests.support.processes import RunningService
from tests.support.streams import NDJSON, SSE, EventStream, pages
from tests.support.waiting import wait_until

FORMS = (SSE, NDJSON)


@pytest.fixture
def keola(service: RunningService) -> Iterator[Client]:
    """A player."""
    client = Client(service.url)
    yield client
    client.close()


@pytest.fixture
def table(keola: Client) -> Json:
    """Keola's table for two, with a bot, where Keola is to cut."""
    rules = {"first_dealer": 2}
    return keola.create(seats=2, bots=[{"level": "easy"}], turn_seconds=0, rules=rules)


def events_of(view: Json) -> str:
    return f"/tables/{view['id']}/events"


def play(client: Client, view: Json) -> None:
    """Play to the end of the table."""
    while view["status"] != "closed":
        choice = simple_choice(view) if view["you"] else None
        if choice:
            client.act(view, choice)
        view = client.next_view(view) if choice is None else client.view(view["id"])


@pytest.mark.parametrize("form", FORMS)
def test_a_stream_begins_with_a_snapshot(keola: Client, table: Json, form: str) -> None:
    """First the caller's view, then each event; the ids are the table's versions."""
    with EventStream(keola, events_of(table), form) as stream:
        (snapshot,) = stream.take(1)
        assert ("snapshot", snapshot["id"]) == (snapshot["type"], snapshot["data"]["version"])
        assert keola.view(table["id"])["you"]["hand"] == snapshot["data"]["you"]["hand"]
        keola.post(f"/tables/{table['id']}/leave")
        ids = [event["id"] for event in stream]
        assert list(range(snapshot["id"] + 1, snapshot["id"] + 1 + len(ids))) == ids


def test_a_stream_ends_with_its_table(keola: Client, table: Json) -> None:
    """The last event is `table_closed`; whoever asks for more is told that there is none."""
    with EventStream(keola, events_of(table)) as stream:
        keola.post(f"/tables/{table['id']}/leave")
        last = list(stream)[-1]
    assert "table_closed" == last["type"]
    with EventStream(keola, events_of(table), last=last["id"]) as again:
        assert (204, []) == (again.answer.status_code, list(again))


@pytest.mark.parametrize("form", FORMS)
def test_an_unknown_id_brings_a_resync(keola: Client, table: Json, form: str) -> None:
    """An id from the future, and one that is none: one `resync` with the view, then events."""
    for last in (10**9, "no number"):
        with EventStream(keola, events_of(table), form, last) as stream:
            (resync,) = stream.take(1)
            assert ("resync", resync["id"]) == (resync["type"], resync["data"]["version"])


def test_headers(keola: Client, table: Json) -> None:
    """A stream is kept by no cache and held back by no proxy."""
    with EventStream(keola, events_of(table)) as stream:
        headers = stream.answer.headers
        assert "text/event-stream" in headers["Content-Type"]
        assert ("no-store", "no") == (headers["Cache-Control"], headers["X-Accel-Buffering"])
        assert "Authorization" in headers["Vary"]


def test_a_client_that_takes_nothing(world: World) -> None:
    """Its connection ends after some time, so that its place goes to others."""
    view = world.player().create()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        answer = world.app.test_client().get(
            f"/v1{events_of(view)}",
            headers={"Accept": SSE},
            environ_overrides={"gunicorn.socket": ours},
        )
        assert (200, DEAF_SECONDS) == (answer.status_code, ours.gettimeout())
        answer.close()


def test_nothing_that_is_hidden(service: RunningService, keola: Client) -> None:
    """What others draw from the stock is in no stream but their own."""
    pua, anybody = Client(service.url, "Pua"), Client(service.url, "Anybody")
    view = keola.create(seats=2, thinking_ms=0, turn_seconds=0, rules={"cut": "auto"}, deals=1)
    pua.post(f"/tables/{view['id']}/join")
    seen: dict[str, list[Json]] = {}

    def follow(who: Client) -> None:
        with EventStream(who, events_of(view)) as stream:
            seen[who.id] = list(stream)

    threads = [threading.Thread(target=follow, args=(who,)) for who in (keola, pua, anybody)]
    for thread in threads:
        thread.start()
    both = [threading.Thread(target=play, args=(who, who.view(view["id"]))) for who in (keola, pua)]
    for thread in both:
        thread.start()
    for thread in (*both, *threads):
        thread.join()
    seats = {seat["player"]["id"]: seat["seat"] for seat in pua.view(view["id"])["seats"]}
    for who in (keola, pua, anybody):
        draws = [e["data"] for e in seen[who.id] if e["type"] == "card_drawn"]
        assert draws
        for draw in draws:
            hidden = draw["from"] == "stock" and draw["seat"] != seats.get(who.id)
            assert hidden == (draw["card"] is None)
    for who in (pua, anybody):
        who.close()


def follow_with_cuts(client: Client, path: str, form: str, first: Any, seed: int) -> list[Json]:
    """All events after one, over a connection that is lost after a few events each time."""
    chance, got, last, cuts = Random(seed), list[Json](), first, 0
    while True:
        with EventStream(client, path, form, last) as stream:
            got += stream.take(chance.randrange(1, 6))
        last, cuts = got[-1]["id"], cuts + 1
        if got[-1]["type"] == "table_closed":
            assert cuts >= 50, f"the connection was lost {cuts} times alone"
            return got


def test_lost_connections(keola: Client) -> None:
    """A client whose connection is lost 50 times in 20 deals sees each event once, in order."""
    view = keola.create(
        seats=2, bots=[{"level": "easy"}], thinking_ms=0, pause_seconds=0, deals=20, buy_in=200
    )
    got: dict[str, list[Json]] = {}

    def follow(form: str) -> None:
        got[form] = follow_with_cuts(keola, events_of(view), form, 0, len(got))

    def ask() -> None:
        got["pages"] = list(pages(keola, events_of(view), 0))

    threads = [threading.Thread(target=follow, args=(form,)) for form in FORMS]
    threads += [threading.Thread(target=ask), threading.Thread(target=play, args=(keola, view))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for events in got.values():
        assert list(range(1, len(events) + 1)) == [event["id"] for event in events]
        assert got["pages"] == events
    assert "table_closed" == got["pages"][-1]["type"]
    assert 20 == sum(event["type"] == "settled" for event in got["pages"])


def test_an_account_that_lost_its_connections(keola: Client) -> None:
    """The stream of an account resumes without a gap or a double, at several tables at once."""
    (snapshot,) = keola.get("/me/events").json()["items"]
    settings = {"bots": [{"level": "easy"}], "thinking_ms": 0, "pause_seconds": 0, "deals": 4}
    views = [keola.create(seats=2, **settings) for _ in range(3)]
    got: dict[str, list[Json]] = {form: [] for form in FORMS}

    def follow(form: str) -> None:
        last, chance, left = snapshot["id"], Random(form), len(views)
        while left:
            with EventStream(keola, "/me/events", form, last) as stream:
                for event in stream:
                    got[form].append(event)
                    last = event["id"]
                    left -= event["type"] == "table_closed"
                    if not left or chance.random() < 0.3:
                        break

    threads = [threading.Thread(target=follow, args=(form,)) for form in FORMS]
    threads += [threading.Thread(target=play, args=(keola, view)) for view in views]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for form in FORMS:
        for view in views:
            mine = [event for event in got[form] if event["table"] == view["id"]]
            told = [(event["version"], event["type"]) for event in mine]
            assert sorted(set(told), key=told.index) == told
            assert sorted(version for version, _ in told) == [version for version, _ in told]
            kinds = [kind for _, kind in told]
            assert ["seated", "table_closed"] == [kinds[0], kinds[-1]]
            assert (4, 4) == (kinds.count("deal_started"), kinds.count("deal_over"))
    first, second = (
        sorted((event["table"], event["version"], event["type"]) for event in got[form])
        for form in FORMS
    )
    assert first == second


def test_an_account_hears_of_what_is_new(service: RunningService, keola: Client) -> None:
    """A table joined while the stream is open is in it at once, and so is an invitation."""
    pua = Client(service.url, "Pua")
    with EventStream(keola, "/me/events") as stream:
        assert ["snapshot"] == [event["type"] for event in stream.take(1)]
        view = pua.create(seats=2, visibility="private", turn_seconds=0)
        invited = pua.post(f"/tables/{view['id']}/invitations", {"player": keola.id})
        assert invited.ok, invited.text
        (invitation,) = stream.take(1)
        assert ("invited", view["id"]) == (invitation["type"], invitation["table"])
        code = {"invite_code": invitation["data"]["invite_code"]}
        assert keola.post(f"/tables/{view['id']}/join", code).ok
        assert ["seated", "deal_started"] == [event["type"] for event in stream.take(2)]
    pua.close()


def test_a_page_does_not_wait_for_more(keola: Client, table: Json) -> None:
    """A page of an account that has something to say comes long before its time."""
    first = keola.get("/me/events", params={"wait": 30}, timeout=5).json()["items"]
    assert ["snapshot"] == [event["type"] for event in first]
    keola.post(f"/tables/{table['id']}/leave")
    query = {"wait": 30, "after": first[0]["id"]}
    over, *_ = keola.get("/me/events", params=query, timeout=5).json()["items"]
    assert ("deal_over", table["id"]) == (over["type"], over["table"])


def test_streams_are_counted_by_token(service: RunningService, keola: Client, table: Json) -> None:
    """One stream too many is refused, the others live on; a place that is free is free at once."""
    most = Config("", "").streams_per_token
    streams = [EventStream(keola, events_of(table)) for _ in range(most)]
    try:
        refused = keola.get(events_of(table), headers={"Accept": SSE})
        assert (429, "streams") == (refused.status_code, refused.json()["limit"])
        assert "Retry-After" in refused.headers
        other = Client(service.url, "Other")
        with EventStream(other, events_of(table)) as stream:
            assert 1 == len(stream.take(1))
        other.close()
        streams.pop().answer.close()
        keola.post(f"/tables/{table['id']}/leave")
        assert all(list(stream)[-1]["type"] == "table_closed" for stream in streams)
    finally:
        for stream in streams:
            stream.answer.close()
    wait_until(lambda: keola.get(events_of(table), headers={"Accept": SSE}).status_code == 200)


@pytest.mark.parametrize("path", ["table", "account"])
def test_a_revoked_token_ends_its_streams(
    service: RunningService, keola: Client, table: Json, path: str
) -> None:
    """Streams of a token that is revoked end within a second; those of others live on."""
    made = keola.post("/me/tokens", {"scopes": ["play"]}).json()
    other = Client(service.url, "Other")
    other.http.headers["Authorization"] = f"Bearer {made['token']}"
    where = events_of(table) if path == "table" else "/me/events"
    with EventStream(other, where) as stream, EventStream(keola, where) as lasting:
        assert 1 == len(stream.take(1)) == len(lasting.take(1))
        began = time.monotonic()
        assert 204 == keola.delete(f"/me/tokens/{made['id']}").status_code
        assert [] == list(stream)
        assert time.monotonic() - began < 1
        keola.post(f"/tables/{table['id']}/leave")
        assert (path == "account") or "table_closed" == list(lasting)[-1]["type"]
    other.close()


def test_a_token_that_expires_ends_its_streams(
    service: RunningService, keola: Client, table: Json
) -> None:
    """A stream ends when its token expires."""
    other = Client(service.url, "Other")
    made = keola.post("/me/tokens", {"scopes": ["play"], "expires_in": 2}).json()
    other.http.headers["Authorization"] = f"Bearer {made['token']}"
    with EventStream(other, events_of(table)) as stream:
        assert ["snapshot"] == [event["type"] for event in stream]
    other.close()


def test_a_silent_stream_says_that_it_lives(keola: Client, table: Json) -> None:
    """Where nothing happens there is a sign of life, in either form, within eight seconds."""
    version = keola.view(table["id"])["version"]
    with (
        EventStream(keola, events_of(table), SSE, version) as sse,
        EventStream(keola, events_of(table), NDJSON, version) as lines,
    ):
        began = time.monotonic()
        assert b":" == sse.sign_of_life() == sse.sign_of_life()
        assert b"" == lines.sign_of_life() == lines.sign_of_life()
        assert 6 < time.monotonic() - began < 8
