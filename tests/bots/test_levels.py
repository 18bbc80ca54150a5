"""The levels' moves in worked positions."""

from random import Random

import pytest

from service import bots
from service.bots.bot import Bot
from service.bots.easy import Easy
from service.bots.features import Turn, outs
from service.bots.medium import Medium
from service.engine.cards import DECK, Card
from service.engine.combinations import layings
from service.engine.commands import Command, Discard, Source
from service.engine.deal import Deal, Phase, new_deal
from service.engine.house_rules import HouseRules
from service.engine.views import view
from tests.engine.positions import FROM_PILE, FROM_STOCK, cards, play, position

EASY = Easy(careless=0)
MEDIUM = Medium()
OTHER = "Ac Qd 8h 4s 3d"


def offered(bot: Bot, hand: str, card: str, *, wild: str = "7c", ace_low: bool = False) -> Source:
    """Where a bot draws that is offered a card on the discard pile."""
    deal = position({1: hand, 2: OTHER}, wild=wild, pile=card, rules=HouseRules(ace_low=ace_low))
    return {FROM_PILE: Source.DISCARD, FROM_STOCK: Source.STOCK}[move(bot, deal)]


def thrown(bot: Bot, hand: str, drawn: str, *, wild: str = "7c") -> str:
    """What a bot discards that has drawn a card from the stock."""
    deal = play(position({1: hand, 2: OTHER}, wild=wild, stock=drawn), (1, FROM_STOCK))
    command = move(bot, deal)
    assert isinstance(command, Discard)
    return command.card


def move(bot: Bot, deal: Deal) -> Command:
    """What a bot does at seat 1."""
    return bot.play(Turn.of(view(deal, 1)), Random(1))


class TestEasy:
    @pytest.mark.parametrize(
        ("card", "why"),
        [
            ("7d", "a wild card"),
            ("2h", "a pair"),
            ("Ts", "a pair becomes three"),
            ("Jd", "two of a suited run"),
        ],
    )
    def test_takes_what_helps(self, card: str, why: str) -> None:
        """It takes a card from the discard pile that adds to its hand."""
        assert offered(EASY, "Tc Th Kd 2c 5s", card) is Source.DISCARD, why

    @pytest.mark.parametrize("card", ["8c", "3h", "9s"])
    def test_leaves_what_does_not_help(self, card: str) -> None:
        """It leaves a card that goes with nothing in its hand."""
        hand = "Tc Th Kd 2d 5h" if card == "8c" else "Tc Th Kd 2d 4s"
        expected = Source.DISCARD if card == "8c" else Source.STOCK
        assert offered(EASY, hand, card) is expected
