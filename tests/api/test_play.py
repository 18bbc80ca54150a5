"""The moves of a deal, and the version that they are judged against."""

import threading
from dataclasses import replace

import pytest

from service.engine.deal import Deal
from service.tables.table import GRACE_MS
from tests.api.contract import Json
from tests.api.world import Caller, World, easy_move, legal
from tests.engine.positions import position
from tests.support.waiting import wait_until

DULL = {1: "3c 4d 5h 6s 7c", 2: "3d 4h 5s 6c 7d"}
KINGS = {1: "Kc Kd Kh Qs Qc", 2: "3d 4h 5s 6c 7d"}


def put(world: World, view: Json, deal: Deal) -> str:
    """Put a position into a table's deal; gives the table's id."""
    world.put_deal(view["id"], deal)
    return str(view["id"])


def test_cut(two_seated: Json, keola: Caller, pua: Caller) -> None:
    """The player at the dealer's right cuts; then five cards lie before each, one is wild."""
    assert {"cut", "leave"} == set(legal(two_seated))
    view = keola.did(two_seated["id"], "cut", {"position": 21, "entropy": "aloha"})

    deal = view["deal"]
    assert ("playing", "draw", 1, 40, 1) == (
        view["status"],
        *(deal[k] for k in ("phase", "turn", "stock_size", "discard_size")),
    )
    assert deal["wild_card"][0] == deal["wild_rank"]
    assert [5, 5] == [one["hand_size"] for one in view["seats"]]
    assert not set(view["you"]["hand"]) & set(pua.view(view["id"])["you"]["hand"])


@pytest.mark.parametrize("position_", [0, 51])
def test_cut_bounds(two_seated: Json, keola: Caller, position_: int) -> None:
    """Every position from 0 to 51 may be cut at, with entropy or without."""
    view = keola.did(two_seated["id"], "cut", {"position": position_})

    assert "draw" == view["deal"]["phase"]


@pytest.mark.parametrize("body", [{"position": -1}, {"position": 52}, {"position": "7"}, {}])
def test_no_such_cut(two_seated: Json, keola: Caller, body: Json) -> None:
    """A cut elsewhere, or nowhere, is refused by field."""
    problem = keola.refused(two_seated["id"], "cut", body)

    assert ("validation_failed", ["position"]) == (problem["code"], list(problem["errors"]))


def test_draw_from_the_stock(world: World, two_seated: Json, keola: Caller) -> None:
    """The card drawn is `you.drawn` and the sixth of the hand, and may be discarded at once."""
    table = put(world, two_seated, position(DULL, wild="2c", stock="9h", pile="Jd"))
    view = keola.did(table, "draw", {"from": "stock"})

    assert ("9h", 6, "discard") == (
        view["you"]["drawn"],
        len(view["you"]["hand"]),
        view["deal"]["phase"],
    )
    assert "9h" in legal(view)["discard"]["cards"]
    assert "9h" == keola.did(table, "discard", {"card": "9h"})["deal"]["discard_top"]


def test_draw_from_the_discards(world: World, two_seated: Json, keola: Caller) -> None:
    """A card taken from the discards stays this turn: `legal` leaves it out."""
    table = put(world, two_seated, position(DULL, wild="2c", stock="9h", pile="Jd"))
    view = keola.did(table, "draw", {"from": "discard"})

    assert ("Jd", None, 0) == (
        view["you"]["drawn"],
        view["deal"]["discard_top"],
        view["deal"]["discard_size"],
    )
    assert sorted(DULL[1].split()) == sorted(legal(view)["discard"]["cards"])
    assert "card_just_drawn" == keola.refused(table, "discard", {"card": "Jd"})["code"]
    assert "card_just_drawn" == keola.refused(table, "call", {"discard": "Jd"})["code"]


def test_pile_empty(world: World, two_seated: Json, keola: Caller) -> None:
    """An empty discard pile is not in `legal`, and drawing from it is refused."""
    table = put(world, two_seated, position(DULL, wild="2c"))

    assert ["stock"] == legal(keola.view(table))["draw"]["from"]
    assert "pile_empty" == keola.refused(table, "draw", {"from": "discard"})["code"]


def test_call_to_the_showdown(world: World, two_seated: Json, keola: Caller, pua: Caller) -> None:
    """A call of five kings takes the pot after the other's last turn, when all hands are shown."""
    deal = position({1: "Kc Kd Kh 2s Qc", 2: DULL[2]}, wild="2c", stock="2d 9h", pile="Jd")
    table = put(world, two_seated, replace(deal, ante=5))
    drawn = keola.did(table, "draw", {"from": "stock"})
    assert "five_of_a_kind" == drawn["you"]["best"]["name"]
    assert ["Qc"] == legal(drawn)["call"]["discards"]

    called = keola.did(table, "call", {"discard": "Qc"})
    assert (1, [2], 2) == tuple(called["deal"][k] for k in ("caller", "last_turns", "turn"))
    assert sorted(["Kc", "Kd", "Kh", "2s", "2d"]) == sorted(called["seats"][0]["shown"])
    assert called["seats"][1]["shown"] is None

    pua.did(table, "draw", {"from": "stock"})
    over = pua.did(table, "discard", {"card": "9h"})
    assert ("settling", "over") == (over["status"], over["deal"]["phase"])
    world.run_due()
    view = pua.view(table)
    result = view["deal"]["result"]
    assert ("pause", "showdown", [1], 10) == (
        view["status"],
        *(result[k] for k in ("reason", "winners", "pot")),
    )
    assert {1: 10, 2: 0} == {hand["seat"]: hand["share"] for hand in result["hands"]}
    assert [105, 95] == [one["stack"] for one in view["seats"]]
    assert sorted(DULL[2].split()) == sorted(view["seats"][1]["shown"])


def test_call_without_discard(world: World, two_seated: Json, keola: Caller) -> None:
    """Without `discard` the highest combination is laid; six cards need none."""
    table = put(world, two_seated, position(KINGS, wild="2c", stock="Qd", pile="Jd"))
    view = keola.did(table, "draw", {"from": "stock"})
    assert ("three_three", []) == (view["you"]["best"]["name"], legal(view)["call"]["discards"])

    shown = keola.did(table, "call", {})["seats"][0]["shown"]
    assert sorted([*KINGS[1].split(), "Qd"]) == sorted(shown)


def test_call_refusals(world: World, two_seated: Json, keola: Caller) -> None:
    """A call needs a combination, of the cards that its discard leaves, in the own hand."""
    table = put(world, two_seated, position(KINGS, wild="2c", stock="9h", pile="Jd"))
    keola.did(table, "draw", {"from": "stock"})
    assert "no_combination" == keola.refused(table, "call", {})["code"]
    assert "no_combination" == keola.refused(table, "call", {"discard": "9h"})["code"]
    assert "card_not_in_hand" == keola.refused(table, "call", {"discard": "Ah"})["code"]
    assert "card_not_in_hand" == keola.refused(table, "discard", {"card": "Ah"})["code"]

    made = position({1: "Kc Kd Kh 2s Qc", 2: DULL[2]}, wild="2c", stock="2d", pile="Jd")
    put(world, two_seated, made)
    keola.did(table, "draw", {"from": "stock"})
    assert "discard_breaks_combination" == keola.refused(table, "call", {"discard": "Kc"})["code"]


def test_out_of_turn_and_phase(world: World, two_seated: Json, keola: Caller, pua: Caller) -> None:
    """A move out of turn, out of phase, or by somebody without a seat is refused as such."""
    moves: list[tuple[str, Json]] = [
        ("cut", {"position": 3}),
        ("draw", {"from": "stock"}),
        ("discard", {"card": "As"}),
        ("call", {}),
    ]
    table = two_seated["id"]
    outsider = world.player()
    for action, body in moves:
        assert "not_seated" == outsider.refused(table, action, body)["code"]
        assert "not_your_turn" == pua.refused(table, action, body)["code"]
    for action, body in moves[1:]:
        assert "wrong_phase" == keola.refused(table, action, body)["code"]
    keola.did(table, "cut", {"position": 3})
    for action, body in (moves[0], *moves[2:]):
        assert "wrong_phase" == keola.refused(table, action, body)["code"]
    keola.did(table, "draw", {"from": "stock"})
    for action, body in moves[:2]:
        assert "wrong_phase" == keola.refused(table, action, body)["code"]


def test_no_deal(world: World, keola: Caller, pua: Caller) -> None:
    """Before the start, and in the pause between deals, no move is to be made."""
    table = keola.create()["id"]
    assert "wrong_phase" == keola.refused(table, "draw", {"from": "stock"})["code"]
    pua.did(table, "join", {})
    keola.did(table, "leave")
    world.run_due()

    assert "pause" == pua.view(table)["status"]
    problem = pua.refused(table, "cut", {"position": 0})
    assert ("wrong_phase", None, None) == (problem["code"], problem["phase"], problem["turn"])


def test_newcomers_wait(world: World, keola: Caller, pua: Caller) -> None:
    """Who sits down in the middle of a deal has no part in it until the next one."""
    table = keola.create(seats=3, turn_seconds=0, rules={"first_dealer": 2})["id"]
    pua.did(table, "join", {})
    keola.did(table, "start")
    keola.did(table, "cut", {"position": 1})
    late = world.player("Late")

    view = late.did(table, "join", {})
    assert ("sitting_out", 0, [], ["leave"]) == (
        view["seats"][2]["state"],
        view["seats"][2]["hand_size"],
        view["you"]["hand"],
        list(legal(view)),
    )
    assert "not_seated" == late.refused(table, "draw", {"from": "stock"})["code"]


def test_problems_say_what_is_legal(two_seated: Json, keola: Caller, pua: Caller) -> None:
    """A refused move comes with the version, the phase, whose turn it is, and the own `legal`."""
    for player in (keola, pua):
        view = player.view(two_seated["id"])
        problem = player.refused(two_seated["id"], "draw", {"from": "stock"})
        assert (view["version"], "cut", 1, view["you"]["legal"]) == tuple(
            problem[k] for k in ("version", "phase", "turn", "legal")
        )


def test_refusals_change_nothing(two_seated: Json, keola: Caller, pua: Caller) -> None:
    """A refused move leaves the version as it is."""
    pua.refused(two_seated["id"], "cut", {"position": 3})

    assert two_seated["version"] == keola.view(two_seated["id"])["version"]


def test_version_is_the_etag(two_seated: Json, keola: Caller) -> None:
    """Every view's ETag is its version, for the one caller alone."""
    table = two_seated["id"]
    for answer in (
        keola.get(f"/v1/tables/{table}"),
        keola.do(table, "cut", {"position": 3}),
        keola.do(table, "leave"),
        keola.post("/v1/tables", {"seats": 2}),
    ):
        assert f'"{answer.json["version"]}"' == answer.headers["etag"]
        assert "private" in answer.headers["cache-control"]
        assert "Authorization" == answer.headers["vary"]


def test_not_modified(two_seated: Json, keola: Caller) -> None:
    """A view that the caller has already is not sent again: 304, with the ETag."""
    path, tag = f"/v1/tables/{two_seated['id']}", f'"{two_seated["version"]}"'
    answer = keola.get(path, If_None_Match=tag)

    assert (304, tag, b"") == (answer.status, answer.headers["etag"], answer.raw)
    assert "content-type" not in answer.headers
    for other in ('"1"', '"x"', '""', "*", '"-1"', '"99999999999999999999"'):
        assert 200 == keola.get(path, If_None_Match=other).status
    assert 304 == keola.get(path, If_None_Match=f"W/{tag}").status


def test_stale_version(two_seated: Json, keola: Caller, pua: Caller) -> None:
    """A command on a version that is past gets 412, with the caller's fresh view."""
    table, old = two_seated["id"], f'"{two_seated["version"]}"'
    keola.did(table, "cut", {"position": 3}, If_Match=old)

    problem = keola.refused(table, "draw", {"from": "stock"}, If_Match=old)
    fresh = keola.view(table)
    assert ("stale_version", fresh["version"]) == (problem["code"], problem["version"])
    assert fresh == problem["view"]
    assert fresh["you"]["legal"] == problem["legal"]
    assert pua.view(table) == pua.refused(table, "leave", If_Match=old)["view"]


@pytest.mark.parametrize("tag", ['"x"', "nonsense", '""', '"9999"', '"-1"', '"\uff11"'])
def test_other_versions_are_stale(two_seated: Json, keola: Caller, tag: str) -> None:
    """A tag that is none of the table's is stale, never a fault."""
    encoded = tag.encode().decode("latin-1")
    problem = keola.refused(two_seated["id"], "cut", {"position": 3}, If_Match=encoded)

    assert "stale_version" == problem["code"]


@pytest.mark.parametrize("action", ["join", "leave", "start", "bots", "cut", "draw", "call"])
def test_every_command_takes_if_match(two_seated: Json, keola: Caller, action: str) -> None:
    """Each command at a table is refused on a version that is past, whatever else it lacks."""
    bodies: dict[str, Json] = {
        "bots": {"level": "easy"},
        "cut": {"position": 3},
        "draw": {"from": "stock"},
    }
    problem = keola.refused(two_seated["id"], action, bodies.get(action, {}), If_Match='"1"')

    assert "stale_version" == problem["code"]


def test_matching_any_version(two_seated: Json, keola: Caller) -> None:
    """`If-Match: *` is any version."""
    assert keola.did(two_seated["id"], "cut", {"position": 3}, If_Match="*")


def test_long_poll_wakes(world: World, two_seated: Json, keola: Caller, pua: Caller) -> None:
    """A caller who waits on the present version is answered with the next one."""
    path, tag = f"/v1/tables/{two_seated['id']}?wait=25", f'"{two_seated["version"]}"'
    answers: list[Json] = []
    waiter = threading.Thread(
        target=lambda: answers.append(pua.get(path, If_None_Match=tag).json), daemon=True
    )
    waiter.start()
    wait_until(lambda: world.store.watches._of)
    keola.did(two_seated["id"], "cut", {"position": 3})
    waiter.join(10)

    assert [pua.view(two_seated["id"])] == answers


def test_long_poll_at_once(two_seated: Json, keola: Caller) -> None:
    """A caller with an old version, or with none, is answered at once."""
    path = f"/v1/tables/{two_seated['id']}?wait=25"

    assert 200 == keola.get(path, If_None_Match='"1"').status
    assert 200 == keola.get(path).status


def test_long_poll_ends(two_seated: Json, keola: Caller) -> None:
    """Where nothing happens the answer after the wait is 304."""
    path, tag = f"/v1/tables/{two_seated['id']}?wait=1", f'"{two_seated["version"]}"'

    assert 304 == keola.get(path, If_None_Match=tag).status


@pytest.mark.parametrize("rules", [{}, {"final_turns": "every_player", "cut": "auto"}])
def test_whole_deals_by_legal(world: World, rules: Json) -> None:
    """Three players who only do what `legal` lists play deals to the end, and no chip is lost."""
    players = [world.player(name) for name in ("Keola", "Pua", "Nalu")]
    table = players[0].create(seats=3, turn_seconds=0, pause_seconds=1, rules=rules)["id"]
    for other in players[1:]:
        other.did(table, "join", {})
    for number in (1, 2):
        play_deal(world, players, table)
        view = players[0].view(table)
        assert ("pause", number) == (view["status"], view["deal"]["number"])
        assert 300 == sum(one["stack"] for one in view["seats"])
        result = view["deal"]["result"]
        assert 15 == sum(hand["share"] for hand in result["hands"])
        assert result["winners"]
        world.pass_time(1)


def test_timed_out_turn(world: World, keola: Caller, pua: Caller) -> None:
    """A turn that runs out of time is played for its seat, and the next player is told."""
    table = keola.create(turn_seconds=10, rules={"first_dealer": 2, "cut": "auto"})["id"]
    pua.did(table, "join", {})
    assert 10_000 == keola.view(table)["deal"]["turn_ms_left"]
    world.pass_time(9)
    assert (1, 1_000) == tuple(keola.view(table)["deal"][k] for k in ("turn", "turn_ms_left"))
    world.pass_time(1)
    assert (1, 0) == tuple(keola.view(table)["deal"][k] for k in ("turn", "turn_ms_left"))
    world.pass_time(GRACE_MS / 1000)

    view = pua.view(table)
    assert (2, "draw", 2) == tuple(view["deal"][k] for k in ("turn", "phase", "discard_size"))
    assert "not_your_turn" == keola.refused(table, "draw", {"from": "stock"})["code"]


@pytest.mark.parametrize("late", [9.999, 10, 10.2, 10.9])
def test_a_late_move_counts(world: World, keola: Caller, pua: Caller, late: float) -> None:
    """A move counts as long as the clock has not been seen to, in its time of grace or later."""
    table = keola.create(turn_seconds=10, rules={"first_dealer": 2, "cut": "auto"})["id"]
    pua.did(table, "join", {})
    world.clock.now += round(1000 * late)

    assert "discard" == keola.did(table, "draw", {"from": "stock"})["deal"]["phase"]


def test_nobody_is_shown_a_turn_that_ended_long_ago(
    world: World, keola: Caller, pua: Caller, anybody: Caller
) -> None:
    """Where no worker sees to the clock, whoever looks at the table or its events does."""
    table = keola.create(turn_seconds=10, rules={"first_dealer": 2, "cut": "auto"})["id"]
    version = pua.did(table, "join", {})["version"]
    world.clock.now += 11_250

    events = anybody.get(f"/v1/tables/{table}/events?after={version}").json["items"]
    assert ["turn_timed_out", "card_drawn", "card_discarded"] == [one["type"] for one in events]
    world.clock.now += 11_250
    assert 1 == anybody.view(table)["deal"]["turn"]
    world.clock.now += 11_250
    told = anybody.get(f"/v1/tables/{table}?wait=5", If_None_Match=f'"{version + 6}"').json
    assert (version + 9, 2) == (told["version"], told["deal"]["turn"])


def test_a_bot_stands_in_until_its_player_moves(world: World, keola: Caller, pua: Caller) -> None:
    """House rule `on_timeout: bot`: everyone sees who plays for whom, and a move ends it."""
    rules = {"first_dealer": 2, "cut": "auto", "on_timeout": "bot"}
    table = keola.create(turn_seconds=10, rules=rules)["id"]
    pua.did(table, "join", {})
    world.pass_time(10 + GRACE_MS / 1000)
    view = pua.view(table)
    assert (1, ["easy", None]) == (
        view["deal"]["turn"],
        [seat["stand_in"] for seat in view["seats"]],
    )
    told = pua.get(f"/v1/tables/{table}/events?after={view['version'] - 1}").json["items"]
    assert {"seat": 1, "in_a_row": 1, "handed_to_bot": True} == told[0]["data"]

    world.pass_time(2.9)
    back = keola.did(table, "draw", {"from": "stock"})
    assert [None, None] == [seat["stand_in"] for seat in back["seats"]]
    world.pass_time(1)
    assert "discard" == keola.view(table)["deal"]["phase"]


def play_deal(world: World, players: list[Caller], table: str) -> None:
    """Play a deal to its settlement, each player by `legal` alone."""
    for _ in range(2_000):
        for player in players:
            view = player.view(table)
            if move := easy_move(view):
                player.did(table, *move, If_Match=f'"{view["version"]}"')
        world.run_due()
        if players[0].view(table)["status"] == "pause":
            return
    raise AssertionError("the deal does not end")
