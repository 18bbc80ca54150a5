"""What each viewer sees of a deal and of its events."""

import pytest

from service.engine import shuffle
from service.engine.cards import Card
from service.engine.combinations import Kind
from service.engine.commands import Call, Cut, Discard, Fold, Source
from service.engine.deal import Deal, Phase, Reason, new_deal
from service.engine.events import CardDiscarded, CardDrawn, DealEvent, DeckCut, Folded, StockRenewed
from service.engine.house_rules import HouseRules
from service.engine.rules import NOTHING, Legal, legal
from service.engine.views import SeatView, redact, view
from tests.engine.positions import (
    FROM_PILE,
    FROM_STOCK,
    SEED,
    cards,
    pass_turn,
    play,
    position,
)

DULL = {1: "3c 4d 5h 6s 7c", 2: "3d 4h 5s 6c 7d", 3: "3h 4s 5c 6d 7h"}
KINGS = "Kc Kd Kh Qs Qc"


def called() -> Deal:
    """A deal in which seat 1 has called, and seat 2 is to draw."""
    deal = position(DULL | {1: KINGS}, wild="2c", stock="Qd 8c 8d", pile="9c")
    return play(deal, (1, FROM_STOCK), (1, Call()))


def test_before_the_cut() -> None:
    """Before the cut everyone sees who cuts and the seed's commitment, and no card."""
    seen = view(new_deal(SEED, (1, 2, 3), 5, HouseRules()), 2)

    assert (Phase.CUT, 2, 2, 3, 15) == (seen.phase, seen.turn, seen.cutter, seen.dealer, seen.pot)
    assert shuffle.commitment(SEED) == seen.commitment
    assert ((), 0, None, None) == (seen.pile, seen.stock_size, seen.wild_card, seen.wild_rank)
    assert seen.you is not None
    assert ((), None, Legal(cut=True)) == (seen.you.hand, seen.you.best, seen.you.legal)


def test_what_is_open() -> None:
    """Everyone sees the wild card, the discards, how many cards the others and the stock have."""
    seen = view(position(DULL, wild="2c", pile="9c 9d", ante=5), None)

    assert ("2c", "2", cards("9c 9d")) == (seen.wild_card, seen.wild_rank, seen.pile)
    assert 52 - 15 - 1 - 2 == seen.stock_size
    assert {seat: SeatView(5, folded=False, shown=None) for seat in DULL} == seen.seats
    assert (1, None, None) == (seen.turn, seen.cutter, seen.caller)


@pytest.mark.parametrize("viewer", [None, 4])
def test_without_a_seat(viewer: int | None) -> None:
    """A spectator, or a seat that is not in the deal, has nothing of its own to see."""
    assert view(position(DULL, wild="2c"), viewer).you is None


def test_ones_own_hand() -> None:
    """A seat sees its own hand, and what it has drawn and from where while it is its turn."""
    deal = play(position(DULL, wild="2c", pile="9c"), (1, FROM_PILE))
    own, others = view(deal, 1).you, view(deal, 2).you

    assert own is not None
    assert cards(DULL[1] + " 9c") == own.hand
    assert (1, "9c", Source.DISCARD) == (own.seat, own.drawn, own.drawn_from)
    assert legal(deal, 1) == own.legal
    assert others is not None
    assert (cards(DULL[2]), None, None) == (others.hand, others.drawn, others.drawn_from)
    assert NOTHING == others.legal


def test_the_best_combination_in_hand() -> None:
    """A seat sees the best combination that it could lay."""
    deal = position(DULL | {1: KINGS}, wild="2c", stock="Qd")
    before, after = view(deal, 1).you, view(play(deal, (1, FROM_STOCK)), 1).you

    assert before is not None
    assert before.best is None
    assert after is not None
    assert after.best is not None
    assert (Kind.THREE_THREE, ("K", "Q")) == (after.best.name, after.best.ranks)


def test_the_best_combination_keeps_the_card_just_taken() -> None:
    """The best combination leaves out no card that has to stay in the hand."""
    deal = position(DULL | {1: "Kc Kd Kh 2d 2h"}, wild="2c", pile="4c")
    own = view(play(deal, (1, FROM_PILE)), 1).you

    assert own is not None
    assert own.best is not None
    assert Kind.FOUR_TWO is own.best.name


def test_the_best_combination_of_a_laid_hand() -> None:
    """Of a hand laid with six cards the best is what was laid, not what five of them would be."""
    deal = position(DULL | {1: "Kc Kd Kh 2d 2h"}, wild="2c", pile="4c")
    own = view(play(deal, (1, FROM_PILE), (1, Call())), 1).you

    assert own is not None
    assert own.best is not None
    assert Kind.FOUR_TWO is own.best.name


def test_a_laid_hand_is_open() -> None:
    """A laid hand is seen by all, the other hands by nobody else until the showdown."""
    seen = view(called(), None)

    assert SeatView(6, folded=False, shown=cards(KINGS + " Qd")) == seen.seats[1]
    assert [None, None] == [seen.seats[seat].shown for seat in (2, 3)]
    assert (1, (2, 3)) == (seen.caller, seen.last_turns)


def test_the_showdown_opens_the_hands() -> None:
    """At the showdown every hand still in the deal is seen, but no folded one."""
    deal = pass_turn(play(called(), (3, Fold())))
    seen = view(deal, None)

    assert Reason.SHOWDOWN is deal.reason
    assert cards(DULL[2]) == seen.seats[2].shown
    assert SeatView(5, folded=True, shown=None) == seen.seats[3]


def test_what_was_taken_from_the_pile_is_known() -> None:
    """Everyone sees which cards of a hand its seat took from the discard pile, until they go."""
    deal = position(DULL, wild="2c", pile="9c", stock="9d")
    taken = play(deal, (1, FROM_PILE))
    back = pass_turn(pass_turn(play(taken, (1, Discard(Card("3c"))))))
    thrown = play(back, (1, FROM_STOCK), (1, Discard(Card("9c"))))

    for viewer in (None, *DULL):
        assert cards("9c") == view(taken, viewer).seats[1].known
        assert cards("9c") == view(back, viewer).seats[1].known
        assert [(), (), ()] == [one.known for one in view(thrown, viewer).seats.values()]


def test_nothing_is_known_of_a_folded_hand() -> None:
    """A folded hand is out of play, with what was known of it."""
    taken = play(position(DULL, wild="2c", pile="9c"), (1, FROM_PILE), (1, Fold()))

    assert () == view(taken, None).seats[1].known


def test_the_last_player_shows_nothing() -> None:
    """A deal that ends because all others left shows no hand."""
    seen = view(play(position(DULL, wild="2c"), (1, Fold()), (2, Fold())), 1)

    assert [None, None, None] == [seat.shown for seat in seen.seats.values()]
    assert seen.you is not None
    assert cards(DULL[1]) == seen.you.hand


def test_a_void_deal_shows_laid_hands_only() -> None:
    """A void deal shows no hand but those laid before."""
    rules = HouseRules(max_reshuffles=0)
    hands = DULL | {1: KINGS}
    deal = position(hands, wild="2c", stock="Qd", rest_under_pile=True, rules=rules)
    deal = play(deal, (1, FROM_STOCK), (1, Call()), (2, FROM_STOCK))
    seen = view(deal, None)

    assert Reason.VOID is deal.reason
    assert [True, False, False] == [seat.shown is not None for seat in seen.seats.values()]


def test_a_card_drawn_from_the_stock_is_its_drawers() -> None:
    """The event of a draw from the stock names the card to its drawer alone."""
    event = CardDrawn(1, Source.STOCK, Card("8c"))

    assert event == redact(event, 1)
    for viewer in (2, 4, None):
        assert CardDrawn(1, Source.STOCK, None) == redact(event, viewer)


@pytest.mark.parametrize(
    "event",
    [
        DeckCut(1, 20, "hello", Card("2c"), Card("9c")),
        StockRenewed(1, 30),
        CardDrawn(1, Source.DISCARD, Card("9c")),
        CardDiscarded(1, Card("9c")),
        Folded(1),
    ],
)
def test_open_events(event: DealEvent) -> None:
    """What happens in the open everyone sees in full."""
    for viewer in (1, 2, None):
        assert event is redact(event, viewer)


def test_a_discard_is_seen() -> None:
    """A discarded card is seen on the pile by everyone."""
    deal = play(position(DULL, wild="2c"), (1, FROM_STOCK), (1, Discard(Card("3c"))))

    assert cards("3c") == view(deal, None).pile


def test_the_house_rule_that_bots_need() -> None:
    """A view says whether the ace may be low."""
    deal = play(new_deal(SEED, (1, 2), 0, HouseRules(ace_low=True)), (1, Cut(0)))

    assert view(deal, None).ace_low


def test_an_opened_deal() -> None:
    """Of a past deal that was opened every hand lies face up, those that folded too."""
    deal = play(position(DULL, wild="2c"), (1, Fold()))
    shown = {seat: one.shown for seat, one in view(deal, None, opened=True).seats.items()}

    assert {seat: cards(hand) for seat, hand in DULL.items()} == shown
    assert {None} == {one.shown for one in view(deal, None).seats.values()}
