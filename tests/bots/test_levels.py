"""What each level makes of some positions."""

from dataclasses import replace
from random import Random

import pytest

from service.bots.bot import Bot
from service.bots.easy import Easy
from service.bots.hard import Hard
from service.bots.medium import Medium
from service.bots.turn import Turn
from service.engine.cards import DECK, Card
from service.engine.combinations import layings, mask
from service.engine.commands import Call, Command, Discard, Draw, Source
from service.engine.deal import Deal
from service.engine.house_rules import HouseRules
from service.engine.views import view
from tests.engine.positions import FROM_PILE, FROM_STOCK, cards, play, position

EASY = Easy(careless=0)
MEDIUM = Medium()
HARD = Hard()


def dealt(hand: str, *, stock: str = "", pile: str = "", ace_low: bool = False) -> Deal:
    """A deal in which seat 1 is to draw, and sevens are wild; seat 2 holds what nobody names."""
    named = cards(f"{hand} {stock} {pile} 7c 7d 7h 7s")
    others = [card for card in DECK if card not in named][:5]
    return position(
        {1: hand, 2: " ".join(others)},
        wild="7c",
        stock=stock,
        pile=pile,
        rules=HouseRules(ace_low=ace_low),
    )


def turn(deal: Deal) -> Turn:
    """The turn of seat 1."""
    return Turn.of(view(deal, 1))


def move(bot: Bot, deal: Deal) -> Command:
    """What a bot does at seat 1."""
    return bot.play(turn(deal), Random(1))


def takes(bot: Bot, hand: str, card: str, *, ace_low: bool = False) -> bool:
    """Whether a bot takes a card from the discard pile."""
    command = move(bot, dealt(hand, pile=card, ace_low=ace_low))
    assert isinstance(command, Draw)
    return command.source is Source.DISCARD


def drawn(hand: str, card: str) -> Deal:
    """A deal in which seat 1 has drawn a card from the stock."""
    return play(dealt(hand, stock=card), (1, FROM_STOCK))


def throws(bot: Bot, hand: str, card: str) -> str:
    """What a bot discards that has drawn a card from the stock."""
    command = move(bot, drawn(hand, card))
    assert isinstance(command, Discard)
    return command.card


class TestEasy:
    @pytest.mark.parametrize(
        "card",
        [
            pytest.param("7d", id="a wild card"),
            pytest.param("2h", id="makes a pair"),
            pytest.param("Ts", id="makes three of a rank"),
            pytest.param("Jc", id="extends a run"),
            pytest.param("5s", id="makes a run"),
        ],
    )
    def test_takes_what_helps(self, card: str) -> None:
        """It takes a discard that makes or extends a wild, a pair, a three or a suited run."""
        assert takes(EASY, "Tc Th Kc 2s 4d", card)

    @pytest.mark.parametrize("card", ["3h", "8d", "Ah"])
    def test_leaves_what_does_not_help(self, card: str) -> None:
        """It leaves a discard that fits no card it holds."""
        assert not takes(EASY, "Tc Ts Kc Ks 2c", card)

    def test_leaves_what_would_cost_as_much(self) -> None:
        """It leaves a discard that fits, but whose place would cost as much as it brings."""
        assert not takes(EASY, "Tc Th Kc Kh Jc", "Js")

    @pytest.mark.parametrize(
        ("hand", "card", "out"),
        [
            pytest.param("Kc Kd 9h 9s 4c", "2d", "2d", id="the lowest of the odd cards"),
            pytest.param("Kc Kd Kh 9s 9d", "5c", "5c", id="three and a pair are kept"),
            pytest.param("Ts 9s 8s 6s Kh", "Ad", "Kh", id="a run is kept"),
            pytest.param("7d 7h Kh 9d 5c", "4s", "4s", id="wild cards are kept"),
        ],
    )
    def test_keeps_what_is_good(self, hand: str, card: str, out: str) -> None:
        """It throws what does least for its pairs, threes, suited runs and wild cards."""
        assert out == throws(EASY, hand, card)

    def test_low_aces(self) -> None:
        """An ace fits low cards of its suit where the house rule says so, and only there."""
        assert takes(EASY, "3c 5d 8s Th Kd", "Ac", ace_low=True)
        assert not takes(EASY, "3c 5d 8s Th Kd", "Ac")

    def test_is_careless_now_and_then(self) -> None:
        """Careless, it throws any natural card, and with its usual care mostly the right one."""
        at_turn = turn(drawn("7d Kc Kd 9h 4c", "2d"))

        careless = {Easy(careless=1).throws(at_turn, Random(seed)) for seed in range(100)}
        usual = [Easy().throws(at_turn, Random(seed)) for seed in range(100)]

        assert {mask([card]) for card in cards("Kc Kd 9h 4c 2d")} == careless
        assert 50 < usual.count(mask([Card("2d")])) < 90


class TestMedium:
    @pytest.mark.parametrize(("card", "taken"), [("7d", True), ("9c", False), ("2h", False)])
    def test_takes_only_wild_cards(self, card: str, taken: bool) -> None:
        """Of the discards it takes a wild card alone: the level above it takes more."""
        assert taken == takes(MEDIUM, "Kc Kd 9h 9s 2c", card)

    @pytest.mark.parametrize(
        ("hand", "card", "out"),
        [
            pytest.param("5h 6h 8h 9h Kc", "Kd", "Kc", id="four of a run before a pair"),
            pytest.param("Kc Kd 9h 9s 4c", "Th", "4c", id="two pairs before odd cards"),
            pytest.param("7d Kc Kd 9h 4c", "2d", "2d", id="a wild card before any other"),
            pytest.param("Kc Kd Kh 9s 9d", "5c", "5c", id="of equals the most promising"),
        ],
    )
    def test_keeps_what_more_cards_complete(self, hand: str, card: str, out: str) -> None:
        """It throws the card that leaves it the most cards to win with."""
        assert out == throws(MEDIUM, hand, card)

    def test_no_other_discard_leaves_more(self) -> None:
        """Whatever six cards it holds, no other natural card leaves more ways to a call."""
        chance = Random(1)
        for _ in range(60):
            hand = chance.sample([card for card in DECK if card != "7c"], 6)
            deal = drawn(" ".join(hand[:5]), hand[5])
            command = move(MEDIUM, deal)
            if not isinstance(command, Call):
                assert isinstance(command, Discard)
                ways = {card: _ways(hand, card) for card in hand if card[0] != "7"}
                assert max(ways.values()) == ways[command.card]


class TestHard:
    @pytest.mark.parametrize(
        ("hand", "card", "taken"),
        [
            pytest.param("Kc Kd 9h 9s 2c", "7d", True, id="a wild card"),
            pytest.param("Kc Kd 9h 9s 2c", "2h", True, id="three pairs"),
            pytest.param("5h 6h 8h 9h Kc", "Th", False, id="four of a run are no more than now"),
            pytest.param("5h 8h 9h Jd Kc", "6h", True, id="four of a run"),
            pytest.param("Kc Kd 9h 4s 2c", "2h", True, id="two pairs"),
            pytest.param("Kc Ts 9h 4s 2c", "2h", True, id="a pair"),
            pytest.param("Kc Kd 9h 4s 2c", "9s", True, id="another pair of two"),
            pytest.param("Kc Kd 9h 4s 2c", "Ah", False, id="as good as a card it has"),
            pytest.param("8h 9h Th Jh Qh", "2c", False, id="what would stay in the way of a call"),
        ],
    )
    def test_takes_what_brings_it_on(self, hand: str, card: str, taken: bool) -> None:
        """It takes what lets it call, and what more cards would complete; else it draws."""
        assert taken == takes(HARD, hand, card)

    def test_remembers_what_it_has_seen(self) -> None:
        """Of odd cards it keeps those whose like is not on the discard pile yet."""
        deal = dealt("Kc Kd 9h 9s 4c", stock="3s", pile="4d 4h")

        assert Discard(Card("4c")) == move(HARD, play(deal, (1, FROM_STOCK)))

    @pytest.mark.parametrize(
        ("hand", "card", "out"),
        [
            pytest.param("5h 6h 8h 9h Kc", "Kd", "Kc", id="four of a run before a pair"),
            pytest.param("Kc Kd 9h 9s 4c", "Th", "4c", id="two pairs before odd cards"),
            pytest.param("Kc Kd Kh 9s 4c", "2d", "Kc", id="one of three before odd cards"),
            pytest.param("7d Kc Kd 9h 4c", "2d", "2d", id="a wild card before any other"),
            pytest.param("Kc Kd 9h 5s 4s", "2d", "2d", id="of equals what is near others"),
        ],
    )
    def test_keeps_what_more_cards_complete(self, hand: str, card: str, out: str) -> None:
        """It throws the card that leaves it most cards to win with, or nearest to it."""
        assert out == throws(HARD, hand, card)

    @pytest.mark.parametrize(
        ("hand", "card", "taken"),
        [
            pytest.param("Kc Kd 3h 3s 2c", "2h", True, id="higher"),
            pytest.param("Kc Kd 3h 3s 2c", "7d", True, id="higher with a wild card"),
            pytest.param("Qc Qd Jc Jd Tc", "Td", True, id="the same: the pot is shared"),
            pytest.param("Jc Jd 9h 9s 2c", "2h", False, id="lower"),
            pytest.param("Jc Jd 9h 9s 2c", "7d", False, id="lower with a wild card"),
            pytest.param("Kc Kd 3h 4s 2c", "2h", False, id="nothing yet"),
        ],
    )
    def test_in_a_last_turn(self, hand: str, card: str, taken: bool) -> None:
        """In a last turn it takes the discard that wins or shares, and no other."""
        dull = "3c 3d 5h 8s 9d"
        deal = position({2: "Qh Qs Jh Js Th", 1: hand, 3: dull}, wild="7c", stock="Ts")
        called = play(deal, (2, FROM_STOCK), (2, Call()))

        assert taken == HARD.takes(turn(replace(called, pile=cards(card))))


class TestEveryBot:
    @pytest.mark.parametrize("bot", [EASY, MEDIUM, HARD])
    def test_a_card_just_taken_stays(self, bot: Bot) -> None:
        """The card taken from the discard pile isn't thrown in the same turn, however odd it is."""
        deal = dealt("Kc Kd 9h 9s 4c", pile="2s")

        assert Discard(Card("4c")) == move(bot, play(deal, (1, FROM_PILE)))

    @pytest.mark.parametrize("bot", [EASY, MEDIUM, HARD])
    def test_an_empty_pile(self, bot: Bot) -> None:
        """With no discard to take, it draws from the stock."""
        deal = dealt("Kc Kd 9h 9s 4c")

        assert FROM_STOCK == move(bot, deal)


def _ways(hand: list[Card], out: Card) -> int:
    """How many cards would let a hand without this one be laid down, found by laying each."""
    left = [card for card in hand if card != out]
    unseen = [card for card in DECK if card not in hand and card != "7c"]
    return sum(1 for card in unseen if layings((*left, card), "7"))
