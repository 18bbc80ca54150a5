"""What a bot is shown of its turn."""

import pytest

from service.bots.turn import ALL_CARDS, Turn
from service.engine.cards import Card
from service.engine.combinations import mask, strength
from service.engine.commands import Call, Discard, Draw, Fold
from service.engine.deal import Deal, new_deal
from service.engine.house_rules import HouseRules
from service.engine.views import view
from tests.engine.positions import FROM_PILE, FROM_STOCK, SEED, cards, play, position

HANDS = {3: "3c 4d 5h 6s 7c", 1: "3d 4h 5s 6c 7d", 2: "3h 4s 5c 6d 7h"}


def of(text: str) -> int:
    """The mask of the cards of a text."""
    return mask(cards(text))


def deal(stock: str = "") -> Deal:
    """A deal in which seat 3 is to draw, then 1, then 2."""
    return position(HANDS, wild="2c", pile="9c Td", stock=stock)


def test_before_drawing() -> None:
    """A player sees its hand and the discards, and knows where all others may be."""
    turn = Turn.of(view(deal(), 3))

    assert (of(HANDS[3]), 0, 0, True, False) == (
        turn.hand,
        turn.drawn,
        turn.kept,
        turn.drawing,
        turn.can_call,
    )
    assert (of("9c"), of("9c Td")) == (turn.top, turn.pile)
    assert ALL_CARDS ^ of(f"{HANDS[3]} 2c 9c Td") == turn.unseen
    assert ((0, 0), "2", of("2c 2d 2h 2s"), 3) == (
        turn.known,
        turn.wild_rank,
        turn.wild,
        turn.players,
    )
    assert (False, 0, False) == (turn.last, turn.laid, turn.ace_low)


@pytest.mark.parametrize(
    ("draw", "card", "kept"), [(FROM_PILE, "9c", "9c"), (FROM_STOCK, "8d", "")]
)
def test_after_drawing(draw: Draw, card: str, kept: str) -> None:
    """A card that came from the discard pile may not be thrown, one from the stock may."""
    turn = Turn.of(view(play(deal(stock="8d"), (3, draw)), 3))

    assert (of(f"{HANDS[3]} {card}"), of(card), of(kept), False) == (
        turn.hand,
        turn.drawn,
        turn.kept,
        turn.drawing,
    )
    assert of("Td" if kept else "9c") == turn.top
    assert ALL_CARDS ^ of(f"{HANDS[3]} 2c 9c Td {card}") == turn.unseen


def test_what_others_took() -> None:
    """What others took from the discard pile is known, from the next in order of play on."""
    after = play(deal(stock="8d"), (3, FROM_PILE), (3, Discard(Card("3c"))), (1, FROM_STOCK))

    turn = Turn.of(view(play(after, (1, Discard(Card("8d")))), 2))

    assert (of("9c"), 0) == turn.known
    assert ALL_CARDS ^ of(f"{HANDS[2]} 2c 9c Td 3c 8d") == turn.unseen


def test_a_last_turn() -> None:
    """After a call the laid hand is known, and so is its strength; a folded hand is out."""
    kings = "Kc Kd Kh Qs Qc"
    before = position(HANDS | {3: kings}, wild="2c", stock="2d", pile="9c", rules=HouseRules(True))
    turn = Turn.of(view(play(before, (3, FROM_STOCK), (3, Call()), (2, Fold())), 1))

    laid = of("Kc Kd Kh 2d Qs Qc")
    assert ((laid,), 2, True) == (turn.known, turn.players, turn.last)
    assert (strength(laid, "2"), True) == (turn.laid, turn.ace_low)
    assert 0 == turn.unseen & laid


def test_before_the_cut_and_out_of_turn() -> None:
    """There is no turn before the cut, nor of another seat, nor of none."""
    uncut = new_deal(SEED, (1, 2), 1, HouseRules())
    for seen in (view(uncut, uncut.turn), view(deal(), 1), view(deal(), None)):
        with pytest.raises(ValueError, match="turn"):
            Turn.of(seen)
