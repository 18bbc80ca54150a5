"""The state of a deal: how it begins, who is who, and what each event does to it."""

from typing import Literal

import pytest

from service.engine import shuffle
from service.engine.cards import Card
from service.engine.combinations import Combination, Kind
from service.engine.commands import Cut, Draw, Fold, Source
from service.engine.deal import Deal, Hand, Phase, Reason, evolve, new_deal
from service.engine.events import (
    Called,
    CardDiscarded,
    CardDrawn,
    DealVoided,
    DeckCut,
    Folded,
    StockRenewed,
)
from service.engine.house_rules import HouseRules
from tests.engine.positions import SEED, cards, play, position

DULL = {4: "3c 4d 5h 6s 7c", 1: "3d 4h 5s 6c 7d", 2: "3h 4s 5c 6d 7h"}


def dealt(*seats: int) -> Deal:
    """A new deal for these seats, cut at 20."""
    deal = new_deal(SEED, seats, 5, HouseRules())
    return play(deal, (deal.cutter, Cut(20, "hello")))


def test_a_new_deal() -> None:
    """A new deal has antes in the pot, no cards anywhere, and waits for its cut."""
    deal = new_deal(SEED, (4, 5, 2), 5, HouseRules())

    assert (Phase.CUT, 5, 2, 5, 15) == (deal.phase, deal.turn, deal.dealer, deal.cutter, deal.pot)
    assert (4, 5, 2) == deal.players
    assert {4: Hand(), 5: Hand(), 2: Hand()} == deal.hands
    assert ((), (), None) == (deal.stock, deal.pile, deal.wild_card)


@pytest.mark.parametrize("seats", [(1, 2), (3, 1, 2), (2, 3, 4, 1), (5, 1, 2, 3, 4)])
def test_the_order_of_dealing(seats: tuple[int, ...]) -> None:
    """Five cards each, one at a time from the dealer's left; then the wild card, then a discard."""
    deck = list(shuffle.deck(SEED, 20, "hello"))
    hands: dict[int, list[Card]] = {seat: [] for seat in seats}
    for _ in range(5):
        for seat in seats:
            hands[seat].append(deck.pop(0))
    wild, discard = deck.pop(0), deck.pop(0)
    deal = dealt(*seats)

    assert {seat: tuple(hand) for seat, hand in hands.items()} == {
        seat: hand.cards for seat, hand in deal.hands.items()
    }
    assert (wild, wild[0]) == (deal.wild_card, deal.wild_rank)
    assert ((discard,), tuple(deck)) == (deal.pile, deal.stock)
    assert (seats[0], Phase.DRAW, "hello") == (deal.turn, deal.phase, deal.entropy)


def test_dealing_skips_who_has_left() -> None:
    """Who left before the cut is passed over when the cards are dealt."""
    deal = play(new_deal(SEED, (1, 2, 3), 5, HouseRules()), (1, Fold()), (2, Cut(20)))
    deck = shuffle.deck(SEED, 20, "")

    assert (deck[0:10:2], deck[1:10:2]) == (deal.hands[2].cards, deal.hands[3].cards)
    assert (deck[10], deck[11:12]) == (deal.wild_card, deal.pile)


def test_the_cut_decides_the_deal() -> None:
    """The event of a cut says what everyone may know: position, entropy and the two open cards."""
    deck = shuffle.deck(SEED, 20, "hello")
    before = new_deal(SEED, (1, 2), 5, HouseRules())

    assert dealt(1, 2) == evolve(before, DeckCut(1, 20, "hello", deck[10], deck[11]))


def test_a_card_drawn_from_the_stock() -> None:
    """A card drawn from the stock is in the hand, last, and remembered for the turn."""
    deal = position(DULL, wild="2c", stock="8c 8d", pile="9c")
    after = evolve(deal, CardDrawn(4, Source.STOCK, Card("8c")))

    assert cards(DULL[4] + " 8c") == after.hands[4].cards
    assert ("8c", Source.STOCK, Phase.DISCARD) == (after.drawn, after.drawn_from, after.phase)
    assert (deal.stock[1:], deal.pile) == (after.stock, after.pile)


def test_a_card_drawn_from_the_discards() -> None:
    """A card drawn from the discards leaves the card below on top."""
    deal = position(DULL, wild="2c", pile="9c 9d")
    after = evolve(deal, CardDrawn(4, Source.DISCARD, Card("9c")))

    assert cards(DULL[4] + " 9c") == after.hands[4].cards
    assert (deal.stock, cards("9d")) == (after.stock, after.pile)


def test_a_discard() -> None:
    """A discard lies on top of the pile, and the turn passes clockwise with nothing drawn."""
    deal = position(DULL, wild="2c", stock="8c", pile="9c")
    deal = evolve(play(deal, (4, Draw(Source.STOCK))), CardDiscarded(4, Card("5h")))

    assert (cards("5h 9c"), cards("3c 4d 6s 7c 8c")) == (deal.pile, deal.hands[4].cards)
    assert (1, Phase.DRAW, None, None) == (deal.turn, deal.phase, deal.drawn, deal.drawn_from)


def test_a_call() -> None:
    """A call lays the hand, and leaves the seats after the caller a last turn."""
    deal = position(DULL | {4: "Kc Kd Kh Ks 2d"}, wild="2c", stock="8c", pile="9c")
    deal = play(deal, (4, Draw(Source.STOCK)))
    kings = Combination(Kind.FIVE_OF_A_KIND, ("K",), cards("Ks Kh Kd Kc 2d"))
    deal = evolve(deal, Called(4, kings, Card("8c"), last_turn=False))

    assert Hand(cards("Kc Kd Kh Ks 2d"), laid=True) == deal.hands[4]
    assert (4, 1, (1, 2), cards("8c 9c")) == (deal.caller, deal.turn, deal.last_turns, deal.pile)


@pytest.mark.parametrize(("reshuffle", "kept"), [("keep_top", "9c"), ("all", "")])
def test_a_new_stock(reshuffle: Literal["keep_top", "all"], kept: str) -> None:
    """A new stock is made of the discards as the seed says, by default without the top one."""
    rules = HouseRules(reshuffle=reshuffle)
    deal = position(DULL, wild="2c", pile="9c 9d", rest_under_pile=True, rules=rules)
    after = evolve(deal, StockRenewed(1, 0))
    discards = deal.pile[len(cards(kept)) :]

    assert shuffle.renewed_stock(SEED, "", 1, discards) == after.stock
    assert (cards(kept), 1) == (after.pile, after.reshuffles)


def test_folding() -> None:
    """A hand that is folded keeps its cards; the rest goes on without the seat."""
    deal = position(DULL, wild="2c")
    after = evolve(deal, Folded(1))

    assert Hand(deal.hands[1].cards, folded=True) == after.hands[1]
    assert ((4, 2), 4) == (after.players, after.turn)
    assert Reason.LAST_PLAYER is evolve(after, Folded(4)).reason


def test_void() -> None:
    """A void deal is over, and it is nobody's turn."""
    deal = evolve(position(DULL, wild="2c"), DealVoided(4))

    assert (Phase.OVER, Reason.VOID, None) == (deal.phase, deal.reason, deal.turn)
