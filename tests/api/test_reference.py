"""The rules to read, and hands judged."""

from dataclasses import fields

import pytest

from service.engine.house_rules import HouseRules
from tests.api.contract import Json
from tests.api.world import Caller

FIVE_KINGS = {"wild_rank": "7", "cards": ["7c", "7d", "7h", "Ks", "Kd", "Qc"]}
NOTHING = {"wild_rank": "2", "cards": ["3c", "5d", "8h", "Ts", "Qc", "Kd"]}


@pytest.mark.parametrize(
    ("wild_rank", "cards", "name", "ranks"),
    [
        ("7", "7c 7d 7h Ks Kd Qc", "five_of_a_kind", "K"),
        ("7", "7c 7d 7h Ks Qd 2c", "two_two_two", "KQ2"),
        ("7", "7c 7d 7h Ks Qs 2c", "royal_flush", None),
        ("2", "Ac Ad Kc Kd Kh Ah", "three_three", "AK"),
        ("9", "9c 8s 7s 6s 5s Ts", "straight_flush", "T"),
        ("9", "9s 8s 7s 6s 5s 9d", "straight_flush", "T"),
        ("2", "5c 5d 5h 9s 9d 2c", "four_two", "59"),
        ("2", "Ac Kc Qc Jc Tc 9c", "royal_flush", None),
    ],
)
def test_worked_cases(
    anybody: Caller, wild_rank: str, cards: str, name: str, ranks: str | None
) -> None:
    """The rulebook's worked cases come out as it says."""
    best = anybody.post("/v1/evaluate", {"wild_rank": wild_rank, "cards": cards.split()}).json

    assert name == best["name"]
    assert ranks in (None, "".join(best["ranks"]))
    assert set(best["cards"]) <= set(cards.split())


def test_nothing(anybody: Caller) -> None:
    """The answer is null where there is no combination."""
    assert b"null" == anybody.post("/v1/evaluate", NOTHING).raw


def test_five_cards(anybody: Caller) -> None:
    """Five cards may be judged as well."""
    hand = {"wild_rank": "2", "cards": ["9s", "8s", "7s", "6s", "2d"]}

    assert "straight_flush" == anybody.post("/v1/evaluate", hand).json["name"]


def test_ace_low(anybody: Caller) -> None:
    """With the house rule `ace_low` A-2-3-4-5 is a sequence too."""
    hand: Json = {"wild_rank": "K", "cards": ["As", "2s", "3s", "4s", "5s"]}

    assert anybody.post("/v1/evaluate", hand).json is None
    assert "straight_flush" == anybody.post("/v1/evaluate", hand | {"ace_low": True}).json["name"]


def test_spellings(anybody: Caller) -> None:
    """Cards and ranks are read in every accepted spelling, and answered in one."""
    hand = {"wild_rank": "10", "cards": ["10c", "TD", "t♥", "K♠", "k♦️", "qC"]}
    best = anybody.post("/v1/evaluate", hand).json

    assert ["Kd", "Ks", "Tc", "Td", "Th"] == sorted(best["cards"])


def test_many(anybody: Caller) -> None:
    """A list of hands is answered with a list, in order."""
    names = [None if one is None else one["name"] for one in many(anybody, 1)]
    assert ["five_of_a_kind", None] == names
    assert [] == anybody.post("/v1/evaluate", []).json


def test_a_thousand(anybody: Caller) -> None:
    """A thousand hands are judged at once, and not one more."""
    assert 1_000 == len(many(anybody, 500))
    answer = anybody.post("/v1/evaluate", [FIVE_KINGS] * 1_001)
    assert (422, "validation_failed") == (answer.status, answer.json["code"])


def many(anybody: Caller, times: int) -> list[Json | None]:
    """What two hands are worth, judged so many times."""
    answer: list[Json | None] = anybody.post("/v1/evaluate", [FIVE_KINGS, NOTHING] * times).json
    return answer


@pytest.mark.parametrize(
    "change",
    [
        {"cards": ["As"] * 5},
        {"cards": ["As", "Ks", "Qs", "Js"]},
        {"cards": ["As", "Ks", "Qs", "Js", "Ts", "9s", "8s"]},
        {"cards": ["As", "Ks", "Qs", "Js", "1s"]},
        {"cards": ["As", "Ks", "Qs", "Js", "A\u0455"]},
        {"cards": ["As", "Ks", "Qs", "Js", "\uff15s"]},
        {"cards": ["10s", "Ts", "Qs", "Js", "5s"]},
        {"cards": ["As", "Ks", "Qs", "Js", None]},
        {"cards": "AsKsQsJsTs"},
        {"cards": None},
        {"wild_rank": "1"},
        {"wild_rank": "\uff17"},
        {"wild_rank": ""},
        {"wild_rank": 7},
        {"wild_rank": "7c"},
        {"ace_low": 1},
        {"ace_low": "true"},
        {"extra": 1},
    ],
)
def test_bad_hands(anybody: Caller, change: Json) -> None:
    """What is no hand is refused by field, alone and in a list."""
    for body in (FIVE_KINGS | change, [FIVE_KINGS, FIVE_KINGS | change]):
        answer = anybody.post("/v1/evaluate", body)
        assert (422, "validation_failed") == (answer.status, answer.json["code"])
        assert str(next(iter(change))) in str(answer.json["errors"])


def test_house_rules(anybody: Caller) -> None:
    """The rulebook has every house rule with its default, which is among its values."""
    told = {one["name"]: one for one in anybody.get("/v1/rules").json["house_rules"]}

    defaults = {field.name: field.default for field in fields(HouseRules)}
    assert defaults == {name: one["default"] for name, one in told.items()}
    for name, one in told.items():
        within = name == "max_reshuffles" and one["values"][0] <= one["default"] <= one["values"][1]
        assert within or one["default"] in one["values"]


def test_house_rules_can_be_set(anybody: Caller, keola: Caller) -> None:
    """Every value that the rulebook names is taken for its rule."""
    for rule in anybody.get("/v1/rules").json["house_rules"]:
        for value in rule["values"]:
            view = keola.create(seats=5, rules={rule["name"]: value})
            assert value == view["rules"][rule["name"]]


def test_combinations(anybody: Caller) -> None:
    """The six combinations are told from high to low, with examples that are what they show."""
    told = anybody.get("/v1/rules").json["combinations"]

    assert [
        "five_of_a_kind",
        "royal_flush",
        "straight_flush",
        "four_two",
        "three_three",
        "two_two_two",
    ] == [one["name"] for one in told]
    for one in told:
        best = anybody.post("/v1/evaluate", {"wild_rank": "2", "cards": one["example"]}).json
        assert (one["name"], one["size"]) == (best["name"], len(one["example"]))
