"""How the level `expert` plays some positions, and how it comes off."""

import subprocess
import sys
from dataclasses import replace
from random import Random

import pytest

from service.bots import LEVELS
from service.bots.bot import Bot
from service.bots.expert import Expert
from service.bots.turn import ALL_CARDS, Turn
from service.engine.cards import DECK
from service.engine.combinations import BIT, WILD_MASK, mask, strength
from service.engine.house_rules import HouseRules
from service.simulate.quick import play
from tests.bots.test_levels import takes, throws
from tests.engine.positions import cards

EXPERT = Expert()


def turn(hand: str, *, top: str = "", laid: str = "") -> Turn:
    """A turn of one of two players, sevens wild; the other may have laid a hand down."""
    held, offered, other = (mask(cards(named)) for named in (hand, top, laid))
    return Turn(
        hand=held,
        drawn=0,
        kept=0,
        top=offered,
        pile=offered,
        unseen=ALL_CARDS & ~(held | offered | other | BIT[cards("7c")[0]]),
        known=(other,),
        wild_rank="7",
        wild=WILD_MASK["7"],
        ace_low=False,
        laid=strength(other, "7") if laid else 0,
        last=bool(laid),
        players=2,
        can_call=False,
        drawing=len(cards(hand)) == 5,
    )


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        pytest.param("Ac Ad Kh Ks Qd", "Qc", id="three pairs"),
        pytest.param("9s 8s 6s 5s 2d", "7d", id="a straight flush by a wild card"),
        pytest.param("Kc Kd Kh Ks 2d", "7d", id="five of a kind"),
        pytest.param("Ac Jd 9h 4s 2d", "7d", id="a wild card, for later"),
    ],
)
def test_takes_what_it_needs(hand: str, card: str) -> None:
    """It takes a card that completes a combination, and a wild card."""
    assert takes(EXPERT, hand, card)


def test_does_not_take_what_is_in_the_way() -> None:
    """A straight flush in hand is laid down with a card of the stock; a taken one has to stay."""
    assert not takes(EXPERT, "9s 8s 6s 5s 7d", "Kc")


@pytest.mark.parametrize(
    ("hand", "card", "thrown"),
    [
        pytest.param("Ac Ad Kh Ks Qd", "2c", "2c", id="of two single cards the lower one"),
        pytest.param("Ac Ad Kh 7s 3d", "2c", "2c", id="not the wild card"),
        pytest.param("Ac Ad Ah Kh Ks", "3c", "3c", id="the card that fits nothing"),
    ],
)
def test_throws_what_it_needs_least(hand: str, card: str, thrown: str) -> None:
    """It keeps what makes a combination soonest, and then what makes a high one."""
    assert thrown[0] == throws(EXPERT, hand, card)[0]


def test_among_more_than_two_it_waits_for_what_others_throw() -> None:
    """A low card is thrown rather than a high one, and one of a rank that the pile has already."""
    at = replace(turn("Ac Ad Kh Ks Qd Jc"), players=4)
    assert BIT[cards("Qd")[0]] == EXPERT.throws(at, Random(1))
    thrown, known = mask(cards("Qh")), mask(cards("Jh"))
    seen = replace(at, pile=thrown, known=(known, 0, 0), unseen=at.unseen & ~(thrown | known))
    assert BIT[cards("Jc")[0]] == EXPERT.throws(seen, Random(1))


@pytest.mark.parametrize(
    ("top", "laid", "taken"),
    [
        pytest.param("Qc", "Kc Kd Qh Qs 2d 2c", True, id="more than was laid"),
        pytest.param("Qc", "9h 8h 6h 5h 7h", False, id="less than was laid"),
        pytest.param("2c", "Kc Kd Qh Qs 3d 3c", False, id="nothing"),
    ],
)
def test_in_a_last_turn_it_goes_for_more_than_was_laid(top: str, laid: str, taken: bool) -> None:
    """In a last turn the discard pile's card is taken where it beats the hand on the table."""
    assert taken == EXPERT.takes(turn("Ac Ad Kh Ks Qd", top=top, laid=laid))


def test_never_throws_a_wild_card_or_the_one_it_took() -> None:
    """Whatever it holds, it throws a natural card that it may throw, the same one each time."""
    chance = Random(11)
    for _ in range(200):
        held = mask(chance.sample([card for card in DECK if card != "7c"], 6))
        natural = [card for card in DECK if BIT[card] & held and card[0] != "7"]
        kept = BIT[chance.choice(natural)]
        at = replace(turn(""), hand=held, kept=kept, drawn=kept, unseen=ALL_CARDS & ~held)
        thrown = EXPERT.throws(at, chance)
        assert thrown & held & ~at.wild & ~kept
        assert thrown.bit_count() == 1
        assert thrown == EXPERT.throws(at, Random(12))


def test_moves_where_it_has_seen_all_cards() -> None:
    """If every card has been seen, those of the discard pile are the next to be drawn."""
    six, pile = mask(cards("Ac Ad Kh Ks Qd 2c")), mask(cards("Th Jh 3c 4d 5s"))
    at = replace(turn(""), hand=six, unseen=0, pile=pile, top=BIT[cards("Th")[0]])
    assert BIT[cards("2c")[0]] == EXPERT.throws(at, Random(1))
    assert EXPERT.takes(replace(at, hand=six ^ BIT[cards("Qd")[0]])) in (True, False)


def test_is_loaded_when_it_plays() -> None:
    """A process that names the levels does not load what expert reckons with."""
    program = "import sys, service.bots; sys.exit('numpy' in sys.modules)"
    assert 0 == subprocess.run([sys.executable, "-c", program], check=False).returncode


@pytest.mark.parametrize("players", [2, 4])
def test_wins_more_than_its_part_among_medium_players(players: int) -> None:
    """On some duplicate deals it wins clearly more than each of the others."""
    chance, rules, won = Random(5), HouseRules(), 0.0
    blocks = 240 // players
    for _ in range(blocks):
        seed, cut = chance.randbytes(32).hex(), chance.randrange(52)
        for seat in range(players):
            bots: list[Bot] = [LEVELS["medium"]] * players
            bots[seat] = EXPERT
            won += play(seed, cut, bots, rules, chance).share(seat)
    assert 1.1 * blocks < won
