"""Who can play."""

from pathlib import Path
from random import Random

import pytest

from service import bots
from service.bots.bot import Bot
from service.bots.turn import Turn
from service.engine.cards import DECK
from service.engine.commands import Call, Cut, Discard, Draw
from service.engine.deal import new_deal
from service.engine.house_rules import HouseRules
from service.engine.rules import apply, legal
from service.engine.views import view
from service.simulate.outside import Outside
from service.simulate.players import HOUSE, NoSuchBot, player


def test_the_house_plays() -> None:
    """Every level plays, and a player by chance, the weakest first."""
    assert ["random", *bots.LEVELS] == list(HOUSE)
    assert all(player(name, None, 1) is HOUSE[name] for name in HOUSE)


def test_a_class_of_python() -> None:
    """A class that is a bot plays, by its module and name."""
    assert isinstance(player("mine", "tests.bots.greedy:Greedy", 1), Bot)


def test_an_address() -> None:
    """A URL is an outside bot."""
    assert isinstance(player("mine", "http://127.0.0.1:9/move", 1), Outside)


@pytest.mark.parametrize(
    "where",
    ["no.such.module:Bot", "tests.bots.greedy:Nobody", "random:Random", "service.bots:choose"],
)
def test_what_is_no_bot(where: str) -> None:
    """What can't be imported, or is no bot, is refused by its name."""
    with pytest.raises(NoSuchBot, match=where.partition(":")[0]):
        player("mine", where, 1)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("class Mine(:", "SyntaxError: "),
        ("{}['deck']", "KeyError: 'deck' .*line 1"),
        ("class Mine:\n    def __init__(self): 1 / 0", "ZeroDivisionError: .*line 2"),
    ],
)
def test_a_class_that_fails(
    program: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is wrong with somebody's program is said with the bot's name, and where it is."""
    name = f"fails_{len(program)}"
    (tmp_path / f"{name}.py").write_text(program)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(NoSuchBot, match=rf"The bot mine \({name}:Mine\) fails: {said}"):
        player("mine", f"{name}:Mine", 1)


def test_by_chance() -> None:
    """The player by chance makes every kind of legal move, and calls whenever it can."""
    chance, made = Random(1), set[str]()
    for number in range(40):
        deal, _ = apply(new_deal(f"{number:064}", (1, 2), 0, HouseRules()), 1, Cut(0))
        while deal.turn is not None:
            command = HOUSE["random"].play(Turn.of(view(deal, deal.turn)), chance)
            options = legal(deal, deal.turn)
            assert command in set(options.commands())
            assert isinstance(command, Call) == (options.call is not None)
            if isinstance(command, Discard):
                made.add(command.card)
            elif isinstance(command, Draw):
                made.add(command.source)
            deal, _ = apply(deal, deal.turn, command)

    assert {"stock", "discard", *DECK} == made
