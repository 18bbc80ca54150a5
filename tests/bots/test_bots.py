"""What holds for every level, over whole deals, and for the fallback move."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from service import bots
from service.bots.bot import Bot
from service.bots.turn import Turn
from service.engine.cards import Card
from service.engine.commands import Call, Command, Cut, Discard, Draw
from service.engine.deal import Deal, Hand, Phase, new_deal
from service.engine.house_rules import HouseRules
from service.engine.rules import apply
from service.engine.views import DealView, OwnView, view
from service.simulate import quick
from service.simulate.players import ByChance
from service.simulate.tally import Tally
from service.simulate.watch import Watched
from tests.bots.greedy import Greedy
from tests.bots.playing import PLAYERS, Move, Player, moves
from tests.engine.positions import FROM_PILE, FROM_STOCK, SEED, play, position

ALL_RULES = [
    HouseRules(
        ace_low=ace_low, final_turns=final_turns, reshuffle=reshuffle, max_reshuffles=reshuffles
    )
    for ace_low in (False, True)
    for final_turns in ("complete_round", "every_player")
    for reshuffle in ("keep_top", "all")
    for reshuffles in (1, 10)
]
LEVELS = pytest.mark.parametrize("level", bots.LEVELS)
EASY, MEDIUM, HARD, EXPERT = bots.LEVELS.values()


def sees(deal: Deal) -> DealView:
    """What the player whose turn it is sees."""
    return view(deal, deal.turn)


def own(deal: Deal) -> OwnView:
    """What the player whose turn it is sees of its own."""
    you = sees(deal).you
    assert you is not None
    return you


def table_of(*names: str) -> dict[int, Player]:
    """Players by seat."""
    return {seat: PLAYERS[name] for seat, name in enumerate(names, start=1)}


def whole_deals(*names: str) -> Iterator[Move]:
    """Every move of deals with two to five of these players, under all house rules."""
    chance = Random(1)
    for rules, size in itertools.product(ALL_RULES, range(2, 6)):
        order = chance.sample(names * 5, size)
        seats = tuple(range(1, size + 1))
        deal = new_deal(chance.randbytes(32).hex(), seats, 1, rules)
        yield from moves(deal, table_of(*order), chance)


@pytest.fixture(scope="module")
def between_bots() -> list[Move]:
    """The moves of bots of all levels among themselves, and with players by chance."""
    return [*whole_deals(*bots.LEVELS), *whole_deals(*PLAYERS)]


@pytest.fixture(scope="module")
def turns() -> list[Deal]:
    """Deals at somebody's turn, as they come about among players by chance; sometimes odd ones."""
    deals = [move.before for move in whole_deals("random")]
    return Random(1).sample(deals, 1_000)


def illegal(deal: Deal, command: Command) -> bool:
    """Whether a command isn't among what the rules say is legal."""
    assert deal.turn is not None
    legal = own(deal).legal
    if isinstance(command, Cut):
        return not (legal.cut and command.position in range(52))
    return command not in legal.commands()


class KeepsWild(Watched):
    """A bot whose illegal moves are counted, and that fails where it throws a wild card."""

    def throws(self, turn: Turn, rng: Random) -> int:
        """What the bot throws."""
        card = super().throws(turn, rng)
        assert not card & turn.wild
        return card


class TestEveryLevel:
    def test_whole_deals_come_to_an_end(self, between_bots: list[Move]) -> None:
        """Bots play deals to their end under all house rules, in thousands of legal moves."""
        assert len(between_bots) > 3_000
        assert not [move for move in between_bots if illegal(move.before, move.command)]

    @LEVELS
    def test_is_legal_in_odd_positions(self, level: str, turns: list[Deal]) -> None:
        """A bot's move is legal wherever players by chance may have brought it."""
        chance = Random(1)
        for deal in turns:
            assert not illegal(deal, bots.choose(level, sees(deal), chance))

    @LEVELS
    def test_calls_when_it_can(self, level: str, between_bots: list[Move]) -> None:
        """A bot calls whenever it may, and lays its highest combination."""
        ready = [m.before for m in between_bots if own(m.before).legal.call is not None]

        assert len(ready) > 100
        for deal in ready:
            assert Call() == bots.choose(level, sees(deal), Random(1))

    @LEVELS
    def test_holds_on_to_wild_cards(self, level: str, turns: list[Deal]) -> None:
        """A bot takes a wild card from the discard pile, if it goes on, and never throws one."""
        chance = Random(1)
        for deal in turns:
            command = bots.choose(level, sees(deal), chance)
            if isinstance(command, Discard):
                assert deal.wild_rank != command.card[0]
            wild = deal.pile and deal.pile[0][0] == deal.wild_rank
            if isinstance(command, Draw) and wild and deal.caller is None:
                assert FROM_PILE == command

    @LEVELS
    def test_same_view_and_chance_same_move(self, level: str, turns: list[Deal]) -> None:
        """The same view and the same state of chance give the same move."""
        for number, deal in enumerate(turns[:300]):
            first, again = (bots.choose(level, sees(deal), Random(number)) for _ in range(2))
            assert first == again

    @LEVELS
    def test_is_honest(self, level: str, turns: list[Deal]) -> None:
        """Other hidden cards that fit the same view make no difference to a bot's move."""
        chance = Random(1)
        for number, deal in enumerate(turns[:300]):
            other = with_other_hidden_cards(deal, chance)
            assert sees(deal) == sees(other)
            assert bots.choose(level, sees(deal), Random(number)) == bots.choose(
                level, sees(other), Random(number)
            )

    @pytest.mark.parametrize(
        ("level", "decisions"),
        [("easy", 20_000), ("medium", 20_000), ("hard", 20_000), ("expert", 3_000)],
    )
    def test_thousands_of_decisions(self, level: str, decisions: int) -> None:
        """No move of a bot is illegal in thousands, and none throws a wild card."""
        tally, chance = Tally(), Random(1)
        bot = KeepsWild(level, bots.LEVELS[level], tally)
        for size in itertools.cycle(range(2, 6)):
            quick.play(chance.randbytes(32).hex(), 0, (bot,) * size, HouseRules(), chance)
            if sum(tally.took.values()) >= decisions:
                break
        assert not tally.illegal

    @LEVELS
    def test_cuts_anywhere(self, level: str) -> None:
        """Asked to cut, a bot cuts at any of the 52 places."""
        deal, chance = new_deal(SEED, (1, 2, 3), 1, HouseRules()), Random(1)

        cuts = {bots.choose(level, sees(deal), chance) for _ in range(1_000)}

        assert {Cut(place) for place in range(52)} == cuts

    @LEVELS
    def test_is_refused_out_of_turn(self, level: str) -> None:
        """Only the view of the seat whose turn it is can be played from."""
        deal = new_deal(SEED, (1, 2), 1, HouseRules())
        for viewer in (2, 3, None):
            with pytest.raises(ValueError, match="turn"):
                bots.choose(level, view(deal, viewer), Random(1))

    def test_there_are_no_other_levels(self) -> None:
        """A level that isn't in the registry is refused."""
        deal = new_deal(SEED, (1, 2), 1, HouseRules())
        with pytest.raises(KeyError):
            bots.choose("perfect", sees(deal), Random(1))


class TestStrength:
    """Duplicate deals, seats changed; what many deals give is in brackets."""

    @pytest.mark.parametrize(
        ("stronger", "weaker", "least"),
        [
            pytest.param(EASY, ByChance(), 0.75, id="easy beats chance (84 %)"),
            pytest.param(MEDIUM, EASY, 0.60, id="medium beats easy (64 %)"),
            pytest.param(HARD, MEDIUM, 0.60, id="hard beats medium (66 %)"),
            pytest.param(HARD, EASY, 0.70, id="hard beats easy (75 %)"),
        ],
    )
    def test_of_levels(self, stronger: Bot, weaker: Bot, least: float) -> None:
        """Each level is at least so much stronger than one below it."""
        assert least <= share(stronger, weaker, deals=1_000)

    @pytest.mark.parametrize(
        ("bot", "deals", "least", "most"),
        [
            pytest.param(EASY, 100, 0.15, 0.35, id="easy (25 %)"),
            pytest.param(MEDIUM, 100, 0.30, 0.41, id="medium (35 %)"),
            pytest.param(HARD, 500, 0.475, 0.525, id="hard (50 %)"),
        ],
    )
    def test_against_greedy(self, bot: Bot, deals: int, least: float, most: float) -> None:
        """A player from outside, greedy, gives the levels their place."""
        assert least <= share(bot, Greedy(), deals) <= most

    def test_of_expert(self) -> None:
        """Against hard, expert is no weaker, as far as so few deals can tell (51 %)."""
        assert 0.48 <= share(EXPERT, HARD, deals=300)


class TestFallback:
    def test_is_legal_and_no_call(self, turns: list[Deal]) -> None:
        """The fallback move is legal at every turn, and never a call."""
        for deal in turns:
            move = bots.fallback(sees(deal))
            assert not illegal(deal, move)
            assert not isinstance(move, Call)

    def test_before_drawing(self) -> None:
        """If nothing was drawn, a card is drawn from the stock, even beside a wild card."""
        deal = position({1: "Kc Kd 9h 5s 3c", 2: "Ac Qd Jh 4s 3d"}, wild="7c", pile="7d")

        assert FROM_STOCK == bots.fallback(sees(deal))

    @pytest.mark.parametrize("drawn", ["Kh", "7d", "2s"])
    def test_drawn_from_the_stock(self, drawn: str) -> None:
        """A card drawn from the stock is discarded, whatever card it is."""
        deal = position({1: "Kc Kd 9h 9s 3c", 2: "Ac Qd Jh 4s 3d"}, wild="7c", stock=drawn)

        assert Discard(Card(drawn)) == bots.fallback(sees(play(deal, (1, FROM_STOCK))))

    def test_drawn_from_the_discard_pile(self) -> None:
        """With a card from the discard pile, what `easy` would throw with care is discarded."""
        deal = position({1: "Kc Kd 9h 9s 3c", 2: "Ac Qd Jh 4s 3d"}, wild="7c", pile="2s")

        assert Discard(Card("3c")) == bots.fallback(sees(play(deal, (1, FROM_PILE))))

    def test_is_the_same_each_time(self, turns: list[Deal]) -> None:
        """The fallback move follows from the view alone."""
        for deal in turns[:300]:
            assert bots.fallback(sees(deal)) == bots.fallback(sees(deal))

    def test_ends_a_turn(self, turns: list[Deal]) -> None:
        """Two fallback moves at most end a turn."""
        for deal in (deal for deal in turns if deal.phase is Phase.DRAW):
            after = deal
            for _ in range(2):
                if after.turn is not None:
                    after, _events = apply(after, after.turn, bots.fallback(sees(after)))
            assert after.turn != deal.turn


def with_other_hidden_cards(deal: Deal, chance: Random) -> Deal:
    """The deal with all cards in new places that the player to move hasn't seen."""
    if deal.wild_card is None:
        return deal
    others = {
        seat: hand for seat, hand in deal.hands.items() if seat != deal.turn and not hand.laid
    }
    hidden = [*deal.stock]
    for hand in others.values():
        hidden += [card for card in hand.cards if card not in hand.known]
    shuffled = iter(chance.sample(hidden, len(hidden)))
    hands = {
        seat: replace(hand, cards=tuple(_swapped(hand, shuffled))) for seat, hand in others.items()
    }
    return replace(deal, hands=deal.hands | hands, stock=tuple(shuffled))


def _swapped(hand: Hand, cards: Iterator[Card]) -> Iterator[Card]:
    """The cards of a hand, those that nobody has seen put in place of its own."""
    return (card if card in hand.known else next(cards) for card in hand.cards)


def share(bot: Bot, other: Bot, deals: int) -> float:
    """What a player wins of all pots over so many deals heads-up, each played from both seats."""
    chance, won = Random(1), 0.0
    for _ in range(deals):
        seed = chance.randbytes(32).hex()
        won += quick.play(seed, 0, (bot, other), HouseRules(), chance).share(0)
        won += quick.play(seed, 0, (other, bot), HouseRules(), chance).share(1)
    return won / (2 * deals)
