"""A client that knows the contract alone plays 20 deals against three bots on the real service."""

import random
from collections import Counter
from typing import Any

from tests.api.contract import Json
from tests.api.world import Caller, easy_move, legal

DEALS = 20
ANTE, BUY_IN = 7, 1_000
SIX_CARDS = ("two_two_two", "three_three", "four_two")
KINDS = (*SIX_CARDS, "straight_flush", "royal_flush", "five_of_a_kind")
RANKS = "23456789TJQKA"


class Guest:
    """Plays by `legal`, now and then at random, and tries what is not in it too."""

    def __init__(self, player: Caller, table: str) -> None:
        self.player, self.table = player, table
        self.rng = random.Random(7)
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()

    def play_to_the_end(self) -> Json:
        """The last view of the table."""
        view = self.player.view(self.table)
        while view["status"] != "closed":
            if move := self._choose(view):
                self._try_what_is_not_legal(view)
                self.done[move[0]] += 1
                view = self.player.did(self.table, *move, If_Match=tag(view))
            else:
                view = self._wait(view)
        return view

    def _wait(self, view: Json) -> Json:
        answer = self.player.get(f"/v1/tables/{self.table}?wait=25", If_None_Match=tag(view))
        assert 200 == answer.status, "nothing happens any more"
        newer: Json = answer.json
        return newer

    def _choose(self, view: Json) -> tuple[str, Json] | None:
        every = list(moves(view))
        return self.rng.choice(every) if every and self.rng.random() < 0.3 else easy_move(view)

    def _try_what_is_not_legal(self, view: Json) -> None:
        can = legal(view)
        hand = view["you"]["hand"]
        never: list[tuple[str, Json]] = []
        if "cut" not in can:
            never.append(("cut", {"position": 5}))
        if "draw" not in can:
            never.append(("draw", {"from": "stock"}))
        elif "discard" not in can["draw"]["from"]:
            never.append(("draw", {"from": "discard"}))
        if "call" not in can:
            never.append(("call", {}))
        else:
            never += [("call", {"discard": c}) for c in hand if c not in can["call"]["discards"]]
        listed = can.get("discard", {"cards": []})["cards"]
        never += [("discard", {"card": c}) for c in hand if c not in listed]
        for action, body in self.rng.sample(never, min(1, len(never))):
            answer = self.player.do(self.table, action, body)
            assert 409 == answer.status, (action, body, view, answer.text)
            assert view["you"]["legal"] == answer.json["legal"]
            self.refused[answer.json["code"]] += 1


def test_twenty_deals(over_http: Caller) -> None:
    """Each deal has the winner that the rules say, `legal` is always right, no chip is lost."""
    player = over_http.sign_up("Keola", "bot")
    view = player.create(
        seats=4,
        ante=ANTE,
        buy_in=BUY_IN,
        bots=[{"level": "easy"}] * 3,
        thinking_ms=0,
        pause_seconds=0,
        deals=DEALS,
    )
    guest = Guest(player, view["id"])

    last = guest.play_to_the_end()
    assert 4 * BUY_IN == sum(one["stack"] for one in last["seats"])
    assert {"cut", "draw", "discard"} <= set(guest.done)
    assert {"wrong_phase", "no_combination"} <= set(guest.refused)

    path = f"/v1/tables/{view['id']}/deals"
    listed = player.get(path).json["items"]
    assert list(range(DEALS, 0, -1)) == [one["number"] for one in listed]
    stacks = dict.fromkeys((1, 2, 3, 4), BUY_IN)
    for number in range(1, DEALS + 1):
        record = player.get(f"{path}/{number}").json
        assert "showdown" == record["reason"]
        check_result(player, record)
        for hand in record["result"]["hands"]:
            stacks[hand["seat"]] += hand["share"] - ANTE
    assert stacks == {one["seat"]: one["stack"] for one in last["seats"]}
    assert "not_seated" not in guest.refused


def check_result(player: Caller, record: Json) -> None:
    """Fail unless the highest of the hands shown takes the pot, or its equals share it."""
    result, dealer = record["result"], record["dealer"]
    hands = {hand["seat"]: hand for hand in result["hands"]}
    bodies = [{"wild_rank": record["wild_rank"], "cards": hand["cards"]} for hand in hands.values()]
    judged = dict(zip(hands, player.post("/v1/evaluate", bodies).json, strict=True))
    strengths = {seat: strength(hand, judged[seat]) for seat, hand in hands.items()}

    best = max(strengths.values())
    from_dealers_left = sorted(strengths, key=lambda seat: (seat - dealer - 1) % 4)
    winners = [seat for seat in from_dealers_left if strengths[seat] == best]
    assert best[0] > 0, "somebody has called"
    assert winners == result["winners"]
    share, odd = divmod(4 * ANTE, len(winners))
    expected = {seat: share + (place < odd) for place, seat in enumerate(winners)}
    assert expected == {seat: hand["share"] for seat, hand in hands.items() if hand["share"]}


def strength(hand: Json, judged: Json | None) -> tuple[int, tuple[int, ...]]:
    """What a shown hand counts: six cards as the six-card combination that was laid."""
    combination: Any = hand["combination"]
    if len(hand["cards"]) == 6:
        assert combination["name"] in SIX_CARDS
    else:
        assert judged == combination
    if combination is None:
        return 0, ()
    order = tuple(RANKS.index(rank) for rank in combination["ranks"])
    return KINDS.index(combination["name"]) + 1, order


def moves(view: Json) -> list[tuple[str, Json]]:
    """Every move that `legal` stands for, but leaving."""
    can = legal(view)
    found: list[tuple[str, Json]] = []
    found += [("draw", {"from": s}) for s in can.get("draw", {}).get("from", ())]
    found += [("discard", {"card": c}) for c in can.get("discard", {}).get("cards", ())]
    found += [("call", {"discard": c}) for c in can.get("call", {}).get("discards", ())]
    if "call" in can:
        found.append(("call", {}))
    if "cut" in can:
        found.append(("cut", {"position": 51}))
    return found


def tag(view: Json) -> str:
    """The ETag of a view."""
    return f'"{view["version"]}"'
