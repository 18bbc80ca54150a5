"""Deals that are over: their records, looks back at them, and the proofs of their cards."""

from pathlib import Path

import pytest

from service.engine import shuffle
from service.tables import Status
from tests.api.contract import Answer, Json
from tests.api.test_tokens import made, with_token
from tests.api.world import Caller, World, easy_move

ROOT = Path(__file__).parents[2]


@pytest.fixture
def hidden(world: World, two_seated: Json, keola: Caller, pua: Caller) -> str:
    """The path of a deal that Keola left after drawing: neither hand was shown."""
    table = two_seated["id"]
    keola.did(table, "cut", {"position": 3, "entropy": "aloha"})
    keola.did(table, "draw", {"from": "stock"})
    keola.did(table, "leave")
    world.run_due()
    return f"/v1/tables/{table}/deals/1"


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


def look_back(caller: Caller, path: str, **query: object) -> Answer:
    """Look back at a deal."""
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    return caller.get(f"{path}/view?{asked}")


def test_versions_of_a_record(played: Json, keola: Caller) -> None:
    """Each action has the id of its event, from the deal's first version to its last."""
    record = keola.get(f"/v1/tables/{played['id']}/deals/2").json
    versions = [action["version"] for action in record["actions"]]

    assert versions == list(range(record["from_version"] + 1, record["to_version"] - 1))
    assert played["version"] == record["to_version"]


def test_looking_back_is_what_was_seen(world: World, keola: Caller, pua: Caller) -> None:
    """A look back at any version is the view that the player, or a spectator, had then."""
    table = keola.create(seats=3, bots=[{"level": "easy"}], turn_seconds=0, deals=1)["id"]
    pua.did(table, "join", {})
    players = [keola, pua, world.anybody]
    seen: dict[int, list[Json]] = {}
    while (status := world.table(table).status) is not Status.CLOSED:
        if status is not Status.WAITING:
            seen[world.table(table).version] = [player.view(table) for player in players]
        for player in players[:2]:
            if move := easy_move(player.view(table)):
                player.did(table, *move)
                seen[world.table(table).version] = [one.view(table) for one in players]
        world.run_due()

    path = f"/v1/tables/{table}/deals/1"
    assert len(seen) > 2
    for version, views in seen.items():
        for player, seat, view in zip(players, (1, 3, None), views, strict=True):
            query = {"version": version} | ({"seat": seat} if seat else {})
            told = look_back(player, path, **query).json
            assert version == told["version"]
            assert view["deal"] | {"turn_ms_left": None} == told["deal"]
            assert without_leave(view["you"]) == told["you"]
            assert {one["seat"]: one for one in map(of_seat, view["seats"])} == {
                one["seat"]: of_seat(one) for one in told["seats"]
            }


def without_leave(own: Json | None) -> Json | None:
    """What a player saw of its own, but for leaving the table."""
    if own is None:
        return None
    return own | {"legal": [one for one in own["legal"] if one["action"] != "leave"]}


def of_seat(seat: Json) -> Json:
    """What a view tells of a seat in the deal."""
    return {key: seat[key] for key in ("seat", "player", "hand_size", "state", "shown", "known")}


def test_looking_back_as_another_seat(played: Json, keola: Caller, anybody: Caller) -> None:
    """Where a hand was shown, everybody may look back as its seat saw the deal."""
    path = f"/v1/tables/{played['id']}/deals/1"
    record = anybody.get(path).json
    assert "showdown" == record["reason"]

    for caller in (keola, anybody):
        for seat in (1, 2):
            you = look_back(caller, path, seat=seat, version=record["to_version"]).json["you"]
            assert seat == you["seat"]
            (shown,) = (one for one in record["result"]["hands"] if one["seat"] == seat)
            assert sorted(shown["cards"]) == sorted(you["hand"])
        you = look_back(caller, path, seat=1, version=record["from_version"] + 1).json["you"]
        assert 5 == len(you["hand"])


def test_hidden_hands_stay_hidden(hidden: str, keola: Caller, pua: Caller, anybody: Caller) -> None:
    """A hand that was not shown is open to its player alone; the refusal says who is missing."""
    assert 6 == len(look_back(keola, hidden, seat=1).json["you"]["hand"])
    assert 5 == len(look_back(pua, hidden, seat=2).json["you"]["hand"])
    for caller, seat in ((keola, 2), (pua, 1), (anybody, 1), (anybody, 2)):
        answer = look_back(caller, hidden, seat=seat)
        assert (403, "hand_hidden") == (answer.status, answer.json["code"])
        assert "1, 2" in answer.json["detail"]
    assert [1] == [one["seat"] for one in keola.get(hidden).json["hands"]]
    assert [] == anybody.get(hidden).json["hands"]


def test_opening_a_deal(hidden: str, keola: Caller, pua: Caller, anybody: Caller) -> None:
    """Once all who were dealt in agree, everybody sees every hand, in record and look back."""
    first = pua.post(f"{hidden}/open").json
    assert ([2], False, [2]) == (
        first["agreed"],
        first["opened"],
        [one["seat"] for one in first["hands"]],
    )
    refused = look_back(anybody, hidden, seat=2).json
    assert "hand_hidden" == refused["code"]
    assert refused["detail"].endswith(": 1.")

    assert keola.post(f"{hidden}/open", {}).json["opened"]
    record = anybody.get(hidden).json
    assert ([1, 2], True) == (record["agreed"], record["opened"])
    assert [6, 5] == [len(one["cards"]) for one in record["hands"]]
    assert all(one["card"] for one in record["actions"] if one["action"] == "draw")
    told = look_back(anybody, hidden, seat=2).json
    assert {one["seat"]: one["cards"] for one in record["hands"]} == {
        one["seat"]: one["shown"] for one in told["seats"]
    }
    assert record["hands"][1]["cards"] == told["you"]["hand"]


def test_own_cards_take_the_scope_play(hidden: str, keola: Caller) -> None:
    """A token without the scope `play` shows what a spectator sees, and agrees to nothing."""
    lesser = with_token(keola, made(keola, "lobby", "account"))
    assert [] == lesser.get(hidden).json["hands"]
    assert "hand_hidden" == look_back(lesser, hidden, seat=1).json["code"]
    assert "missing_scope" == lesser.post(f"{hidden}/open").json["code"]

    player = with_token(keola, made(keola, "play"))
    assert 6 == len(look_back(player, hidden, seat=1).json["you"]["hand"])
    assert [1] == player.post(f"{hidden}/open").json["agreed"]


def test_opening_twice_is_opening_once(hidden: str, keola: Caller, pua: Caller) -> None:
    """Who agrees again has agreed; with a key the first answer comes again."""
    first = keola.post(f"{hidden}/open", Idempotency_Key="open-1")
    assert keola.post(f"{hidden}/open").json == first.json
    pua.post(f"{hidden}/open")

    again = keola.post(f"{hidden}/open", Idempotency_Key="open-1")
    assert (first.json, "true") == (again.json, again.headers["idempotency-replayed"])


def test_opening_takes_a_part_in_it(
    hidden: str, nalu: Caller, anybody: Caller, two_seated: Json, pua: Caller
) -> None:
    """Who was not dealt in has no say, and a deal that is not over can't be opened."""
    assert "not_seated" == nalu.post(f"{hidden}/open").json["code"]
    assert "unauthenticated" == anybody.post(f"{hidden}/open").json["code"]
    later = pua.post(f"/v1/tables/{two_seated['id']}/deals/2/open")
    assert (404, "not_found") == (later.status, later.json["code"])


def test_house_bots_agree(world: World, keola: Caller, anybody: Caller) -> None:
    """Against the house's bots a player opens the deal alone."""
    rules = {"first_dealer": 2}
    table = keola.create(bots=[{"level": "easy"}], turn_seconds=0, rules=rules)["id"]
    keola.did(table, "cut", {"position": 1})
    keola.did(table, "leave")
    world.run_due()
    path = f"/v1/tables/{table}/deals/1"
    assert [2] == anybody.get(path).json["agreed"]

    assert keola.post(f"{path}/open").json["opened"]
    assert 5 == len(look_back(anybody, path, seat=2).json["you"]["hand"])


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("seat=3", 404, "not_found"),
        ("seat=0", 422, "validation_failed"),
        ("seat=6", 422, "validation_failed"),
        ("seat=one", 422, "validation_failed"),
        ("version=1", 422, "validation_failed"),
        ("version=999", 422, "validation_failed"),
        ("version=-1", 422, "validation_failed"),
        ("token=1", 422, "validation_failed"),
    ],
)
def test_bad_looks_back(hidden: str, keola: Caller, query: str, status: int, code: str) -> None:
    """A seat that was not dealt in, and a version at which the deal was not there, are refused."""
    answer = keola.get(f"{hidden}/view?{query}")

    assert (status, code) == (answer.status, answer.json["code"])
    if query == "version=999":
        assert ["version"] == list(answer.json["errors"])


def test_proof(played: Json, keola: Caller, anybody: Caller) -> None:
    """The proof has the seed of the commitment that the event had, and what was dealt from it."""
    path = f"/v1/tables/{played['id']}"
    proof = anybody.get(f"{path}/deals/2/proof").json
    assert keola.get(f"{path}/deals/2/proof").json == proof
    event = events_after(anybody, path, proof["committed_version"] - 1)[0]

    assert ("deal_started", shuffle.commitment(proof["seed"])) == (
        event["type"],
        event["data"]["commitment"],
    )
    assert ("aloha", 17) == (proof["cut"]["entropy"], proof["cut"]["position"])
    assert played["deal"]["wild_card"] == proof["dealt"]["wild_card"]
    first = look_back(keola, f"{path}/deals/2", seat=1, version=proof["cut"]["version"]).json
    dealt = {hand["seat"]: hand["cards"] for hand in proof["dealt"]["hands"]}
    assert first["you"]["hand"] == dealt[1]


def events_after(caller: Caller, path: str, version: int) -> list[Json]:
    """The events of a table after a version."""
    page = caller.get(f"{path}/events?after={version}", Accept="application/json").json
    events: list[Json] = page["items"]
    return events


def test_no_proof_before_the_end(two_seated: Json, keola: Caller, anybody: Caller) -> None:
    """While a deal goes on there is no proof of it, nor any look back."""
    table = two_seated["id"]
    for caller in (keola, anybody):
        for rest in ("", "/proof", "/view", "/view?seat=1"):
            answer = caller.get(f"/v1/tables/{table}/deals/1{rest}")
            assert (404, "not_found") == (answer.status, answer.json["code"])
    assert "settled" in keola.get(f"/v1/tables/{table}/deals/1/proof").json["detail"]


def test_a_deal_without_a_cut(world: World, two_seated: Json, keola: Caller, pua: Caller) -> None:
    """Where all but one left before the cut no card was dealt, and that is all there is to see."""
    pua.did(two_seated["id"], "leave")
    world.run_due()
    path = f"/v1/tables/{two_seated['id']}/deals/1"

    proof = keola.get(f"{path}/proof").json
    assert (None, None, []) == (proof["cut"], proof["dealt"], proof["renewals"])
    told = look_back(keola, path, seat=1).json
    assert ([], "over", None) == (
        told["you"]["hand"],
        told["deal"]["phase"],
        told["deal"]["wild_card"],
    )
    assert [None, None] == [one["shown"] for one in told["seats"]]
    assert [{"seat": 1, "cards": []}] == keola.get(path).json["hands"]


def test_the_document_that_a_proof_names(hidden: str, anybody: Caller) -> None:
    """The service has the description of the algorithm: docs/fair-cards.md, literally."""
    answer = anybody.get(anybody.get(f"{hidden}/proof").json["document"])

    assert (200, "text/markdown") == (answer.status, answer.media_type)
    assert (ROOT / "docs/fair-cards.md").read_text(encoding="utf-8") == answer.text
