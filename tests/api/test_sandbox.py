"""Sandbox matches over HTTP: played at full speed, counted, and nobody else's business."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from service.store.memory import MemoryStore
from tests.api.contract import Answer, Json
from tests.api.world import Caller, World, easy_move
from tests.support.client import Client
from tests.support.parts import Api, ended, own_server
from tests.support.processes import RunningService
from tests.support.streams import NDJSON
from tests.support.waiting import wait_until

MATCHES = "/v1/sandbox/matches"


@pytest.fixture
def robo(world: World) -> Caller:
    """An outside bot."""
    return world.player("Robo", "bot")


def opened(player: Caller, **wish: object) -> Json:
    """A new match of a player."""
    answer = player.post(MATCHES, {"levels": ["easy"], "deals": 4, "seed": "one"} | wish)
    assert 201 == answer.status, answer.text
    assert f"{MATCHES}/{answer.json['id']}" == answer.headers["location"]
    match: Json = answer.json
    return match


def play(player: Caller, match: Json, moves: int = 10_000) -> Json:
    """A match's table after some moves of its player, or at its end."""
    view = player.view(match["table"])
    for _ in range(moves):
        if view["status"] == "closed":
            break
        move = easy_move(view)
        assert move is not None, view
        view = player.did(view["id"], *move, If_Match=f'"{view["version"]}"')
    return view


def test_a_match(world: World, robo: Caller) -> None:
    """A match is played by the table's operations alone; nothing is ever left for a worker."""
    match = opened(robo)
    begun = robo.view(match["table"])
    play(robo, match)
    seen = robo.get(f"{MATCHES}/{match['id']}").json

    assert ("playing", 0, 4, None) == (
        match["status"],
        match["played"],
        match["deals"],
        match["elo"],
    )
    assert ("private", 0, "auto", 1) == (
        begun["visibility"],
        begun["ante"],
        begun["rules"]["cut"],
        begun["deal"]["turn"],
    )
    assert ("over", 4, 2) == (seen["status"], seen["played"], seen["blocks"])
    assert 0 <= seen["low"] <= seen["share"] <= seen["high"] <= 1
    assert not world.queue.jobs


def test_defaults(robo: Caller) -> None:
    """Without a body it is 200 deals against `medium`, from a seed that is not told."""
    match = robo.post(MATCHES).json

    assert (["medium"], 200, None) == (match["levels"], match["deals"], match["seed"])


@pytest.mark.parametrize(("levels", "deals", "made"), [(2, 10, 12), (4, 2000, 2000), (3, 1, 4)])
def test_whole_blocks(robo: Caller, levels: int, deals: int, made: int) -> None:
    """The number of deals is rounded up until each deal is played from each seat."""
    assert made == opened(robo, levels=["easy"] * levels, deals=deals)["deals"]


def test_house_rules(robo: Caller) -> None:
    """A match may have house rules; those that make no sense in it are not there."""
    rules = {"ace_low": True, "final_turns": "every_player", "reshuffle": "all"}
    view = robo.view(opened(robo, rules=rules)["table"])

    assert rules | {"cut": "auto"} == {name: view["rules"][name] for name in (*rules, "cut")}
    for wrong in ({"cut": "player"}, {"first_dealer": 1}, {"on_timeout": "bot"}):
        assert ["rules"] == list(robo.post(MATCHES, {"rules": wrong}).json["errors"])


@pytest.mark.parametrize(
    "wrong",
    [
        {"levels": []},
        {"levels": ["easy"] * 5},
        {"levels": ["god"]},
        {"deals": 0},
        {"deals": 2_001},
        {"seed": ""},
        {"seed": "a" * 65},
        {"seed": 7},
    ],
)
def test_wrong_wishes(robo: Caller, wrong: Json) -> None:
    """What is out of bounds is refused by its name."""
    answer = robo.post(MATCHES, wrong)

    assert (422, list(wrong)) == (answer.status, list(answer.json["errors"]))


def test_one_at_a_time(robo: Caller, keola: Caller) -> None:
    """An account has one open match; once that is over or left, another one may be opened."""
    first = opened(robo)
    refused = robo.post(MATCHES, {})
    opened(keola)

    assert (409, "limit_reached", "sandbox") == (
        refused.status,
        refused.json["code"],
        refused.json["limit"],
    )
    assert first["id"] == refused.json["match"]
    play(robo, first)
    second = opened(robo)
    robo.did(second["table"], "leave")
    assert "closed" == robo.get(f"{MATCHES}/{second['id']}").json["status"]
    opened(robo)


def test_sent_again(robo: Caller) -> None:
    """With its key the same request opens one match, and so it is with moves."""
    first, again = (robo.post(MATCHES, {}, Idempotency_Key="k") for _ in range(2))
    move = easy_move(robo.view(first.json["table"]))
    assert move is not None
    moved, same = (
        robo.do(first.json["table"], *move, Idempotency_Key="m").json["version"] for _ in range(2)
    )

    assert first.json == again.json
    assert moved == same


def test_a_token_that_may_only_play(robo: Caller) -> None:
    """The scope `play` is enough; without it there is no match."""
    tokens = {
        scope: robo.post("/v1/me/tokens", {"scopes": [scope]}).json for scope in ("play", "lobby")
    }
    player, other = (Caller(robo._send, robo.contract, token) for token in tokens.values())
    match = player.post(MATCHES, {})

    assert 201 == match.status
    assert 200 == player.get(f"{MATCHES}/{match.json['id']}").status
    assert easy_move(player.view(match.json["table"]))
    assert "missing_scope" == other.post(MATCHES, {}).json["code"]


def test_nobody_elses_business(world: World, robo: Caller, keola: Caller) -> None:
    """Others see neither match nor table, and can't sit there; it is in no lobby."""
    match = opened(robo, levels=["easy", "easy"], deals=6)
    play(robo, match, 20)
    table = f"/v1/tables/{match['table']}"

    assert [] == keola.get("/v1/tables").json["items"]
    for viewer in (keola, world.anybody):
        for path in (table, f"{table}?wait=1", f"{table}/events", f"{table}/deals"):
            answer = viewer.get(path)
            assert (404, "not_found") == (answer.status, answer.json["code"]), path
        stream = viewer.get(f"{table}/events", Accept=NDJSON)
        assert 404 == stream.status
    assert 404 == keola.get(f"{MATCHES}/{match['id']}").status
    assert 404 == keola.get(f"{MATCHES}/nothing").status
    other = keola.create()["id"]
    assert 404 == keola.get(f"{MATCHES}/{other}").status
    code = {"invite_code": robo.view(match["table"])["invite_code"]}
    for action, body in (
        ("join", {}),
        ("join", code),
        ("leave", {}),
        ("start", {}),
        ("bots", {"level": "easy"}),
        ("draw", {"from": "stock"}),
        ("discard", {"card": "As"}),
        ("call", {}),
        ("cut", {"position": 1}),
        ("invitations", {"player": keola.id}),
        ("deals/1/open", {}),
    ):
        for headers in ({}, {"If_Match": '"1"'}, {"Idempotency_Key": f"{action} {len(body)}"}):
            nothing(keola.do(match["table"], action, body, **headers))
    nothing(keola.delete(f"{table}/bots/2"))
    hook = {"url": "https://example.com/", "events": ["deal_over"], "table": match["table"]}
    nothing(keola.post("/v1/webhooks", hook))


def nothing(answer: Answer) -> None:
    """See that an answer tells nothing but that there is no such thing."""
    assert (404, "not_found") == (answer.status, answer.json["code"])
    assert {"type", "title", "status", "detail", "code"} == answer.json.keys()


def test_who_waits_for_anothers_match(
    robo: Caller, keola: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who guesses the version of another's match is not let wait, which would tell that it is."""
    match = opened(robo)
    waits = list[str]()
    monkeypatch.setattr(MemoryStore, "wait", lambda *asked: waits.append(str(asked)))
    version = robo.view(match["table"])["version"]
    nothing(keola.get(f"/v1/tables/{match['table']}?wait=5", If_None_Match=f'"{version}"'))

    assert [] == waits


def test_nobody_is_asked_in(robo: Caller, keola: Caller) -> None:
    """The match's own player can neither invite others nor send the bots away."""
    match = opened(robo)
    refused = robo.refused(match["table"], "invitations", {"player": keola.id})

    assert "table_not_open" == refused["code"]
    assert [] == keola.get("/v1/me/invitations").json["items"]
    assert "forbidden" == robo.delete(f"/v1/tables/{match['table']}/bots/2").json["code"]


def test_an_operator_closes_it(world: World, robo: Caller) -> None:
    """What others can't see operators can close."""
    match = opened(robo)
    closed = world.operator.post(f"/v1/admin/tables/{match['table']}/close", {})

    assert 200 == closed.status
    assert "closed" == robo.get(f"{MATCHES}/{match['id']}").json["status"]


def test_webhooks_of_its_player(robo: Caller) -> None:
    """The player may be told of the match by a webhook."""
    hook = {"url": "https://example.com/", "events": ["deal_over"], "table": opened(robo)["table"]}

    assert 201 == robo.post("/v1/webhooks", hook).status


def test_nothing_is_won(world: World, robo: Caller) -> None:
    """No chip moves, no deal is recorded, and no rating changes."""
    balance, ledger = robo.get("/v1/me").json["balance"], robo.get("/v1/me/ledger").json
    player = f"/v1/players/{robo.id}"
    match = opened(robo, deals=8)
    play(robo, match)

    assert balance == robo.get("/v1/me").json["balance"]
    assert ledger == robo.get("/v1/me/ledger").json
    assert robo.get(player).json["rating"] is None
    assert [] == robo.get("/v1/leaderboard?kind=bot").json["items"]
    assert [] == robo.get(f"/v1/tables/{match['table']}/deals").json["items"]
    assert 404 == robo.get(f"/v1/tables/{match['table']}/deals/1/proof").status


def test_its_own_tables(robo: Caller) -> None:
    """The match's table is among the own ones, as long as it is played."""
    match = opened(robo)
    assert [match["table"]] == [one["id"] for one in robo.get("/v1/me/tables").json["items"]]
    play(robo, match)

    assert [] == robo.get("/v1/me/tables").json["items"]


def test_the_result_is_what_the_events_say(robo: Caller) -> None:
    """The shares follow from the `settled` events of the table."""
    match = opened(robo, levels=["easy", "easy"], deals=9)
    play(robo, match)
    path, events, after = f"/v1/tables/{match['table']}/events", list[Json](), 0
    while page := robo.get(f"{path}?after={after}").json["items"]:
        events += page
        after = page[-1]["id"]
    settled = [event["data"] for event in events if event["type"] == "settled"]
    won = sum(1 / len(one["winners"]) for one in settled if 1 in one["winners"])
    seen = robo.get(f"{MATCHES}/{match['id']}").json

    assert list(range(1, len(events) + 1)) == [event["id"] for event in events]
    assert (9, 3) == (len(settled), seen["blocks"])
    assert pytest.approx(won / 9, abs=1e-4) == seen["share"]


def test_it_is_forgotten_soon(world: World, robo: Caller) -> None:
    """An hour after its end nothing is left of it."""
    match = opened(robo, deals=2)
    play(robo, match)
    world.pass_time(3590)
    assert 200 == robo.get(f"{MATCHES}/{match['id']}").status
    world.pass_time(20)

    assert 404 == robo.get(f"{MATCHES}/{match['id']}").status


def test_who_stays_away(world: World, robo: Caller) -> None:
    """A match that nobody plays on is closed after the idle time, and a new one may be opened."""
    match = opened(robo, levels=["easy", "easy"])
    world.pass_time(1_805)

    assert "closed" == robo.get(f"{MATCHES}/{match['id']}").json["status"]
    opened(robo)


def finish(bot: Client, view: Json) -> tuple[Json, int]:
    """A table after its player has made all moves until it is closed, and how many they were."""
    moves = 0
    while view["status"] != "closed":
        made = easy_move(view)
        assert made is not None
        action, body = made
        answer = bot.act(view, {"do": action, "body": body})
        assert 200 == answer.status_code, answer.text
        view, moves = answer.json(), moves + 1
    return view, moves


def test_on_the_real_service(service: RunningService) -> None:
    """A match is played from move to move, two requests a turn, while workers sleep."""
    with closing(Client(service.url, "Robo", "bot")) as bot:
        wish = {"levels": ["medium"], "deals": 20, "seed": "real"}
        match = bot.post("/sandbox/matches", wish).json()
        view, moves = finish(bot, bot.view(match["table"]))
        seen = bot.get(f"/sandbox/matches/{match['id']}").json()
        drawn = sum(event["type"] == "card_drawn" for event in log_of(bot, view["id"], 1))

    assert ("over", 20, 10) == (seen["status"], seen["played"], seen["blocks"])
    assert 2 * drawn == moves


def log_of(bot: Client, table: str, seat: int) -> Iterator[Json]:
    """What a seat has done at a table."""
    page: Json = {"next": "0"}
    while page["next"]:
        page = bot.get(f"/tables/{table}/events?after={page['next']}").json()
        yield from (event for event in page["items"] if event["data"].get("seat") == seat)


def test_a_short_log(world: World, robo: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log keeps the latest events alone; who asks for older ones in a stream gets a resync."""
    monkeypatch.setattr("service.store.memory.LOG_KEPT", 50)
    match = opened(robo, deals=12)
    view = play(robo, match)
    path = f"/v1/tables/{match['table']}/events"
    (first, *_, last) = robo.get(path).json["items"]

    def streamed(after: int) -> list[Json]:
        headers = {"Authorization": f"Bearer {robo.account['token']}", "Accept": NDJSON}
        with world.app.test_client().get(f"{path}?after={after}", headers=headers) as answer:
            return [json.loads(line) for line in answer.data.splitlines() if line]

    assert (view["version"] - 49, view["version"]) == (first["id"], last["id"])
    assert ["resync"] == [event["type"] for event in streamed(5)]
    assert 49 == len(streamed(first["id"]))


def kill(api: Api) -> None:
    """End all processes of an API at once."""
    for process in (api.process.pid, *api.descendants()):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    api.process.wait()


def test_the_api_is_killed(tmp_path: Path) -> None:
    """A match goes on where it was, without any worker, when the API was killed."""
    with own_server(tmp_path) as server:
        api = Api(tmp_path / "api.log", server.url)
        with ended(api):
            wait_until(lambda: api.is_ready)
            with closing(Client(api.url, "Robo", "bot")) as bot:
                match = bot.post("/sandbox/matches", {"levels": ["easy"], "deals": 2}).json()
                view = bot.view(match["table"])
                action, body = easy_move(view) or ("", {})
                view = bot.act(view, {"do": action, "body": body}).json()
                kill(api)
                api.start()
                wait_until(lambda: api.is_ready)
                assert view["version"] == bot.view(match["table"])["version"]
                finish(bot, view)
                seen = bot.get(f"/sandbox/matches/{match['id']}").json()

    assert ("over", 2, 1) == (seen["status"], seen["played"], seen["blocks"])
