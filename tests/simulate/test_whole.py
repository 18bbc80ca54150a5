"""Deals by the engine itself, with outside bots."""

import json
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from service.cli import main
from service.engine.house_rules import HouseRules
from service.simulate import whole
from service.simulate.outcome import Outcome
from service.simulate.outside import Outside
from service.simulate.players import HOUSE
from service.simulate.tally import Tally
from service.simulate.whole import Named
from tests.api.contract import Contract
from tests.simulate.server import BotServer, Json, bot_server, plain

USUAL = HouseRules()


def seed(number: int) -> str:
    """One of many seeds."""
    return f"{number:064x}"


def played(
    number: int, seated: Sequence[Named], rules: HouseRules = USUAL
) -> tuple[Outcome, Tally]:
    """A deal of these players in the order of play, and what was counted."""
    tally = Tally()
    rng = Random(number)
    return whole.play(seed(number), 0, seated, rules, rng=rng, tally=tally), tally


@cache
def table_schema() -> Any:
    """What gives the faults of a view of a table, by the document of the API."""
    document = json.loads(CliRunner().invoke(main, ["openapi"]).output)
    return Contract(document).validator({"$ref": "#/components/schemas/Table"})


def asked(decide: Any, deals: int = 6, **options: Any) -> tuple[BotServer, Tally]:
    """What an outside bot was shown in some deals, from all seats, and what was counted."""
    counts = Tally()
    with bot_server(decide, **options) as bot:
        outside = Outside(bot.url, 5)
        for number in range(deals):
            players: list[Named] = [("medium", HOUSE["medium"]), ("easy", HOUSE["easy"])]
            players.insert(number % 3, ("mine", outside))
            _, tally = played(number, players)
            counts += tally
    return bot, counts


@cache
def asked_plainly() -> tuple[BotServer, Tally]:
    """The same for a bot whose answers are legal."""
    return asked(plain)


def test_views_are_those_of_the_api() -> None:
    """An outside bot is sent just what the API would send: its document describes it."""
    bot, _ = asked_plainly()

    assert 20 < len(bot.views)
    for view in bot.views:
        assert not list(table_schema()(view))


def test_it_sees_its_own_seat_when_it_is_to_move() -> None:
    """Each view is that of the seat whose turn it is, with its moves; other hands are hidden."""
    bot, _ = asked_plainly()

    for view in bot.views:
        you, deal = view["you"], view["deal"]
        assert you["seat"] == deal["turn"]
        assert "mine" == view["seats"][you["seat"] - 1]["player"]["name"]
        assert {"draw", "discard"} & {move["action"] for move in you["legal"]}
        others = [seat for seat in view["seats"] if seat["seat"] != you["seat"]]
        assert all(seat["shown"] is None for seat in others) or deal["caller"] is not None
    assert {1, 2, 3} == {view["you"]["seat"] for view in bot.views}


def test_versions_rise() -> None:
    """Within a deal the version of the view rises with each move, as it does at a table."""
    bot, _ = asked(plain, deals=1)
    versions = [view["version"] for view in bot.views]

    assert sorted(set(versions)) == versions


def test_legal_answers_are_played() -> None:
    """A bot whose answers are legal is timed, and nothing is counted against it."""
    bot, tally = asked_plainly()

    assert not tally.illegal
    assert not tally.late
    assert len(bot.views) == sum(
        count for (name, _, _), count in tally.took.items() if name == "mine"
    )


def not_held(view: Json) -> Json:
    """A discard of a card that lies on the table."""
    return {"action": "discard", "card": view["deal"]["wild_card"]}


@pytest.mark.parametrize("decide", [not_held, lambda _: {"action": "call"}, lambda _: b"what?"])
def test_illegal_answers_get_the_fallback(decide: Any) -> None:
    """A move that is illegal, or none, is counted, and the deal goes on to its end."""
    bot, tally = asked(decide, deals=2)

    assert 0 < tally.illegal["mine"] <= len(bot.views)
    assert {"mine"} == set(tally.illegal)


def test_answers_that_fail_get_the_fallback() -> None:
    """A bot that fails each time is counted each time, and the deal goes on to its end."""
    bot, tally = asked(plain, deals=2, status=500)

    assert {"mine": len(bot.views)} == tally.illegal


def test_late_answers_get_the_fallback() -> None:
    """A bot that never answers in time is counted, and the deal goes on to its end."""
    with bot_server(plain) as bot:
        outside = Outside(bot.url, 1e-6)
        outcome, tally = played(1, [("mine", outside), ("medium", HOUSE["medium"])])

    assert outcome.winners
    assert 1 < tally.late["mine"]
