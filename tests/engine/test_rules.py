"""Play by the rules: the worked cases of docs/rules.md that are about play, and their like."""

import pytest

from service.engine import combinations, showdown
from service.engine.cards import DECK, Card
from service.engine.combinations import Kind
from service.engine.commands import Call, Command, Cut, Discard, Fold, Source
from service.engine.deal import Deal, Phase, Reason, new_deal
from service.engine.errors import (
    CardJustDrawn,
    CardNotInHand,
    DiscardBreaksCombination,
    Illegal,
    NoCombination,
    NotSeated,
    NotYourTurn,
    PileEmpty,
    WrongPhase,
)
from service.engine.events import Called, CardDiscarded, CardDrawn, DealVoided, Folded, StockRenewed
from service.engine.house_rules import HouseRules
from service.engine.rules import NOTHING, Legal, apply, legal
from tests.engine.positions import (
    FROM_PILE,
    FROM_STOCK,
    SEED,
    cards,
    pass_turn,
    play,
    position,
)

# Three hands that win nothing, whatever card is drawn.
DULL = {1: "3c 4d 5h 6s 7c", 2: "3d 4h 5s 6c 7d", 3: "3h 4s 5c 6d 7h"}
KINGS = "Kc Kd Kh Qs Qc"
"""With another queen or a wild card drawn, this is a combination of six."""


def refuses(refusal: type[Illegal], deal: Deal, seat: int, command: Command) -> None:
    """Check that a command is refused, and how."""
    with pytest.raises(refusal) as caught:
        apply(deal, seat, command)
    assert refusal is type(caught.value)


class TestTheCut:
    def test_the_dealers_right_cuts(self) -> None:
        """The player at the dealer's right may cut, and nobody else."""
        deal = new_deal(SEED, (2, 4, 5, 1), 1, HouseRules())

        assert Legal(cut=True) == legal(deal, 5)
        for other in (2, 4, 1):
            assert NOTHING == legal(deal, other)
            refuses(NotYourTurn, deal, other, Cut(20))

    def test_of_two_the_other_cuts(self) -> None:
        """With two players the cut is the other player's, not the dealer's."""
        assert 3 == new_deal(SEED, (3, 1), 1, HouseRules()).turn

    def test_one_cut_only(self) -> None:
        """A deck that is cut is not cut again."""
        deal = play(new_deal(SEED, (1, 2, 3), 1, HouseRules()), (2, Cut(20)))

        refuses(WrongPhase, deal, 1, Cut(20))

    @pytest.mark.parametrize("command", [FROM_STOCK, FROM_PILE, Discard(Card("2c")), Call()])
    def test_no_play_before_the_cut(self, command: Command) -> None:
        """Before the cut there is nothing to draw, to discard or to call with."""
        refuses(WrongPhase, new_deal(SEED, (1, 2), 1, HouseRules()), 1, command)

    def test_the_dealers_left_begins(self) -> None:
        """After the cut the player at the dealer's left has the first turn."""
        deal = play(new_deal(SEED, (4, 5, 2), 1, HouseRules()), (5, Cut(0)))

        assert (4, Phase.DRAW) == (deal.turn, deal.phase)

    def test_the_cut_passes_on(self) -> None:
        """If the one who is to cut leaves, the cut is the next one's at that right hand."""
        deal = play(new_deal(SEED, (1, 2, 3), 1, HouseRules()), (2, Fold()))

        assert 1 == deal.turn
        assert Legal(cut=True) == legal(deal, 1)


class TestATurn:
    def test_draw_then_discard(self) -> None:
        """A turn is a draw and then a discard, and passes clockwise round the table."""
        deal = position(DULL, wild="2c", stock="8c 8d 8h", pile="9c")
        turns = []
        for card in cards("8c 8d 8h"):
            assert deal.turn is not None
            turns.append(deal.turn)
            deal = play(deal, (deal.turn, FROM_STOCK), (deal.turn, Discard(card)))

        assert [1, 2, 3] == turns
        assert (1, Phase.DRAW) == (deal.turn, deal.phase)
        assert cards("8h 8d 8c 9c") == deal.pile[:4]

    def test_what_is_legal_before_drawing(self) -> None:
        """Who is to draw may draw from the stock and from the discards, and do nothing else."""
        deal = position(DULL, wild="2c", pile="9c")

        assert Legal(draw=(Source.STOCK, Source.DISCARD)) == legal(deal, 1)

    def test_what_is_legal_after_drawing(self) -> None:
        """Who has drawn from the stock may discard any of the six cards."""
        deal = play(position(DULL, wild="2c", stock="8c", pile="9c"), (1, FROM_STOCK))

        assert Legal(discard=cards("3c 4d 5h 6s 7c 8c")) == legal(deal, 1)

    def test_one_draw_a_turn(self) -> None:
        """Nobody draws twice in a turn."""
        deal = play(position(DULL, wild="2c", pile="9c"), (1, FROM_STOCK))

        refuses(WrongPhase, deal, 1, FROM_STOCK)
        refuses(WrongPhase, deal, 1, FROM_PILE)

    def test_no_discard_before_the_draw(self) -> None:
        """Nobody discards before drawing."""
        refuses(WrongPhase, position(DULL, wild="2c", pile="9c"), 1, Discard(Card("3c")))

    def test_out_of_turn(self) -> None:
        """Nobody plays when it is another's turn."""
        deal = position(DULL, wild="2c", pile="9c")

        for command in (FROM_STOCK, FROM_PILE, Discard(Card("3d")), Call()):
            refuses(NotYourTurn, deal, 2, command)
        assert NOTHING == legal(deal, 2)

    def test_strangers_do_not_play(self) -> None:
        """A seat that is not in the deal may do nothing in it."""
        deal = position(DULL, wild="2c", pile="9c")

        for command in (Cut(0), FROM_STOCK, Discard(Card("3d")), Call(), Fold()):
            refuses(NotSeated, deal, 4, command)
        assert NOTHING == legal(deal, 4)

    def test_a_card_from_the_stock_may_go_at_once(self) -> None:
        """A card drawn from the stock may be discarded in the same turn."""
        deal = position(DULL, wild="2c", stock="8c", pile="9c")
        deal = play(deal, (1, FROM_STOCK), (1, Discard(Card("8c"))))

        assert cards("8c 9c") == deal.pile
        assert cards(DULL[1]) == deal.hands[1].cards

    def test_a_card_from_the_discards_stays(self) -> None:
        """A card drawn from the discards may not be discarded in the same turn, but later."""
        deal = play(position(DULL, wild="2c", pile="9c"), (1, FROM_PILE))

        assert cards("3c 4d 5h 6s 7c") == legal(deal, 1).discard
        refuses(CardJustDrawn, deal, 1, Discard(Card("9c")))
        refuses(CardJustDrawn, deal, 1, Call(Card("9c")))
        deal = pass_turn(pass_turn(play(deal, (1, Discard(Card("3c"))))))
        assert Card("9c") in legal(play(deal, (1, FROM_STOCK)), 1).discard

    @pytest.mark.parametrize("command", [Discard(Card("Kc")), Call(Card("Kc"))])
    def test_only_cards_in_hand(self, command: Command) -> None:
        """A card that is not in the hand can't be discarded."""
        deal = play(position(DULL, wild="2c"), (1, FROM_STOCK))

        refuses(CardNotInHand, deal, 1, command)

    def test_hands_of_five_between_turns(self) -> None:
        """The hand holds five cards between turns and six after the draw."""
        deal = position(DULL, wild="2c", pile="9c")

        assert 6 == len(play(deal, (1, FROM_PILE)).hands[1].cards)
        after = play(deal, (1, FROM_PILE), (1, Discard(Card("3c"))))
        assert cards("4d 5h 6s 7c 9c") == after.hands[1].cards


class TestTheStock:
    def test_case_17_the_last_card(self) -> None:
        """When the stock's last card is drawn nothing is shuffled; who wants one next renews it."""
        deal = position(DULL, wild="2c", stock="8c", pile="9c 9d", rest_under_pile=True)
        deal, events = apply(deal, 1, FROM_STOCK)
        assert (CardDrawn(1, Source.STOCK, Card("8c")),) == events
        assert ((), 0) == (deal.stock, deal.reshuffles)

        deal = play(deal, (1, Discard(Card("8c"))))
        discards = set(deal.pile) - {Card("8c")}
        taken, _ = apply(deal, 2, FROM_PILE)
        assert ((), 0) == (taken.stock, taken.reshuffles)
        deal, events = apply(deal, 2, FROM_STOCK)

        assert StockRenewed(1, len(discards)) == events[0]
        assert discards == {*deal.stock, deal.hands[2].cards[-1]}
        assert cards("8c") == deal.pile

    def test_case_17_what_is_never_shuffled_in(self) -> None:
        """Laid combinations, the hands of those who left and the turned-up card stay out."""
        hands = DULL | {1: KINGS} | {4: "3s 4c 5d 6h 7s"}
        deal = position(hands, wild="2c", stock="2d", pile="9c", rest_under_pile=True)
        deal = play(deal, (3, Fold()), (1, FROM_STOCK), (1, Call()))
        assert 6 == len(deal.hands[1].cards)

        deal = play(deal, (2, FROM_STOCK))

        assert cards("9c") == deal.pile
        held = {card for hand in deal.hands.values() for card in hand.cards}
        assert set(DECK) - held - {Card("2c"), Card("9c")} == set(deal.stock)

    def test_all_discards_by_house_rule(self) -> None:
        """With `reshuffle: all` the top card is shuffled in too, and nothing is left to take."""
        rules = HouseRules(reshuffle="all")
        deal = position(DULL, wild="2c", pile="9c", rest_under_pile=True, rules=rules)
        deal, events = apply(deal, 1, FROM_STOCK)

        assert StockRenewed(1, 52 - 1 - 15) == events[0]
        assert () == deal.pile
        assert Card("9c") in (*deal.stock, deal.hands[1].cards[-1])

    @pytest.mark.parametrize("renewals", [0, 1, 2])
    def test_void(self, renewals: int) -> None:
        """A deal whose stock was renewed as often as allowed is void when it runs out again."""
        rules = HouseRules(max_reshuffles=renewals)
        deal = position(DULL, wild="2c", pile="9c", rest_under_pile=True, rules=rules)
        while deal.stock or deal.reshuffles < renewals:
            deal = pass_turn(deal)
        assert deal.turn is not None
        deal, events = apply(deal, deal.turn, FROM_STOCK)

        assert (renewals, Reason.VOID) == (deal.reshuffles, deal.reason)
        assert [DealVoided] == [type(event) for event in events]

    def test_an_exhausted_stock_leaves_the_discards(self) -> None:
        """A deal is not void as long as players take discards."""
        rules = HouseRules(max_reshuffles=0)
        deal = position(DULL, wild="2c", pile="9c", rest_under_pile=True, rules=rules)

        deal = play(deal, (1, FROM_PILE), (1, Discard(Card("3c"))))

        assert (2, Phase.DRAW) == (deal.turn, deal.phase)

    def test_case_13_renewed_in_the_last_turns(self) -> None:
        """A stock that runs out in the middle of the last turns is renewed as always."""
        deal = position(DULL | {1: KINGS}, wild="2c", stock="2d", pile="9c", rest_under_pile=True)
        deal = play(deal, (1, FROM_STOCK), (1, Call()))
        deal, events = apply(deal, 2, FROM_STOCK)

        assert [StockRenewed, CardDrawn] == [type(event) for event in events]
        assert (2, Phase.DISCARD, (2, 3)) == (deal.turn, deal.phase, deal.last_turns)

    def test_case_19_the_first_discard_is_wild(self) -> None:
        """A first discard of the wild rank may be taken and is a wild card."""
        deal = position(DULL | {1: "Kc Kd Kh Ks 9s"}, wild="2c", pile="2d")
        deal, (called,) = apply(play(deal, (1, FROM_PILE)), 1, Call())

        assert isinstance(called, Called)
        assert (Kind.FIVE_OF_A_KIND, ("K",)) == (called.combination.name, called.combination.ranks)

    def test_case_19_a_later_discard_is_wild(self) -> None:
        """A wild card that was discarded is wild again for whoever takes it."""
        deal = position(DULL | {2: "Qc Qd Qh Qs 9d"}, wild="2c", stock="2d")
        deal, (called,) = apply(play(pass_turn(deal), (2, FROM_PILE)), 2, Call())

        assert isinstance(called, Called)
        assert (Kind.FIVE_OF_A_KIND, "9d") == (called.combination.name, called.discarded)

    def test_case_18_the_only_discard_taken(self) -> None:
        """After the only discard went into a six-card call, the next draws from the stock only."""
        deal = position(DULL | {1: KINGS}, wild="2c", pile="2d")
        deal = play(deal, (1, FROM_PILE), (1, Call()))

        assert () == deal.pile
        assert Legal(draw=(Source.STOCK,)) == legal(deal, 2)
        refuses(PileEmpty, deal, 2, FROM_PILE)


class TestCalling:
    def test_never_required(self) -> None:
        """Who could call may discard instead."""
        deal = play(position(DULL | {1: KINGS}, wild="2c", stock="Qd"), (1, FROM_STOCK))
        assert () == legal(deal, 1).call

        deal = play(deal, (1, Discard(Card("Qd"))))

        assert (2, None) == (deal.turn, deal.caller)

    def test_without_a_combination(self) -> None:
        """Without a combination there is no call, whatever would be discarded."""
        deal = play(position(DULL, wild="2c", stock="Kd"), (1, FROM_STOCK))

        assert legal(deal, 1).call is None
        refuses(NoCombination, deal, 1, Call())
        refuses(NoCombination, deal, 1, Call(Card("Kd")))

    def test_case_1_the_sixth_card_goes_first(self) -> None:
        """A five-card call discards the sixth card and lays the rest."""
        hands = {1: "7c 7d 7h Ks Kd", 2: "3d 4h 5s 6c 8d"}
        deal = position(hands, wild="7s", stock="Qc")
        deal, events = apply(play(deal, (1, FROM_STOCK)), 1, Call())

        (called,) = events
        assert isinstance(called, Called)
        assert (Kind.FIVE_OF_A_KIND, ("K",)) == (called.combination.name, called.combination.ranks)
        assert (Card("Qc"), False) == (called.discarded, called.last_turn)
        assert Card("Qc") == deal.pile[0]
        assert set(cards("7c 7d 7h Ks Kd")) == set(deal.hands[1].cards)
        assert deal.hands[1].laid

    def test_six_cards_nothing_goes(self) -> None:
        """A six-card call discards nothing, and can't be made to."""
        deal = position(DULL | {1: "Ac Ad Kc Kd Kh"}, wild="2c", stock="Ah", pile="9c")
        drawn = play(deal, (1, FROM_STOCK))
        assert () == legal(drawn, 1).call
        for card in cards("Ac Ad Ah Kc Kd Kh"):
            refuses(DiscardBreaksCombination, drawn, 1, Call(card))

        deal, events = apply(drawn, 1, Call())

        (called,) = events
        assert isinstance(called, Called)
        assert (Kind.THREE_THREE, None) == (called.combination.name, called.discarded)
        assert cards("9c") == deal.pile
        assert 6 == len(deal.hands[1].cards)

    def test_case_5_the_choice_of_discard(self) -> None:
        """The caller may lay a lower combination, but must leave one; by default the highest."""
        hands = {1: "9c 8s 7s 6s 5s", 2: "3d 4h 5c 6c 7d"}
        deal = play(position(hands, wild="9d", stock="Ts"), (1, FROM_STOCK))
        assert {"5s", "Ts"} == set(legal(deal, 1).call or ())

        tops = {}
        for command in (Call(), Call(Card("5s")), Call(Card("Ts"))):
            (called,) = apply(deal, 1, command)[1]
            assert isinstance(called, Called)
            tops[command.discard] = called.combination.ranks, called.discarded

        assert {
            None: (("T",), "5s"),
            "5s": (("T",), "5s"),
            "Ts": (("9",), "Ts"),
        } == tops
        for card in cards("9c 8s 7s 6s"):
            refuses(DiscardBreaksCombination, deal, 1, Call(card))

    def test_case_20_wild_cards_are_kept(self) -> None:
        """Of four kings and two wild cards any may go; unasked, a king goes and no wild card."""
        deal = position({1: "Kc Kd Kh Ks 2d", 2: DULL[2]}, wild="2c", stock="2h")
        deal = play(deal, (1, FROM_STOCK))
        assert set(cards("Kc Kd Kh Ks 2d 2h")) == set(legal(deal, 1).call or ())

        (called,) = apply(deal, 1, Call())[1]

        assert isinstance(called, Called)
        assert called.discarded is not None
        assert "K" == called.discarded[0]

    def test_case_11_the_drawn_card_would_have_to_go(self) -> None:
        """A straight flush is no call while the sixth card came from the discards this turn."""
        deal = position(
            {1: "5h 6h 7h 8h 9h", 2: "3d 4h 5s 6c 7d"}, wild="2c", stock="Ks", pile="Kc"
        )
        taken = play(deal, (1, FROM_PILE))
        assert legal(taken, 1).call is None
        refuses(NoCombination, taken, 1, Call())
        refuses(CardJustDrawn, taken, 1, Call(Card("Kc")))

        drawn = play(deal, (1, FROM_STOCK))
        assert cards("Ks") == legal(drawn, 1).call

    def test_case_21_six_cards_instead(self) -> None:
        """Where five kings would need the card just taken to go, four kings over fours are laid."""
        deal = position({1: "Kc Kd Kh 2d 2h", 2: DULL[2]}, wild="2c", pile="4c")
        deal = play(deal, (1, FROM_PILE))
        assert () == legal(deal, 1).call

        deal, (called,) = apply(deal, 1, Call())

        assert isinstance(called, Called)
        assert (Kind.FOUR_TWO, ("K", "4")) == (called.combination.name, called.combination.ranks)
        assert (
            combinations.describe(showdown.strength_shown(deal, deal.hands[1]), deal.hands[1].cards)
            == called.combination
        )

    def test_case_22_no_call_before_drawing(self) -> None:
        """A winning hand that was dealt can't be called before a draw."""
        deal = position({1: "5h 6h 7h 8h 9h", 2: "3d 4h 5s 6c 7d"}, wild="2c", pile="Kc")

        assert legal(deal, 1).call is None
        refuses(WrongPhase, deal, 1, Call())

    def test_ace_low_by_house_rule(self) -> None:
        """A-2-3-4-5 of a suit is a call only with the house rule `ace_low`."""
        hands = {1: "Ah 2h 3h 4h 5h", 2: "3d 4d 5s 6c 7d"}
        for ace_low, call in ((False, None), (True, cards("Ks"))):
            deal = position(hands, wild="9c", stock="Ks", rules=HouseRules(ace_low=ace_low))
            assert call == legal(play(deal, (1, FROM_STOCK)), 1).call


class TestLastTurns:
    @pytest.mark.parametrize(
        ("rules", "caller", "last"),
        [
            (HouseRules(), 1, [2, 3]),
            (HouseRules(), 2, [3]),
            (HouseRules(), 3, []),
            (HouseRules(final_turns="every_player"), 1, [2, 3]),
            (HouseRules(final_turns="every_player"), 2, [3, 1]),
            (HouseRules(final_turns="every_player"), 3, [1, 2]),
        ],
    )
    def test_case_9_who_has_one(self, rules: HouseRules, caller: int, last: list[int]) -> None:
        """After a call the players up to the dealer have a last turn; by house rule all others."""
        stock = " ".join([*["8c", "8d"][: caller - 1], "Qd"])
        deal = position(DULL | {caller: KINGS}, wild="2c", stock=stock, rules=rules)
        for _ in range(1, caller):
            deal = pass_turn(deal)
        deal = play(deal, (caller, FROM_STOCK), (caller, Call()))
        turns = []
        while deal.turn is not None:
            turns.append(deal.turn)
            assert tuple(last[len(turns) - 1 :]) == deal.last_turns
            deal = pass_turn(deal)

        assert last == turns
        assert (Phase.OVER, Reason.SHOWDOWN) == (deal.phase, deal.reason)
        assert caller == deal.caller

    def test_the_callers_hand_is_fixed(self) -> None:
        """Who has called does nothing more in the deal, not even leave it."""
        deal = _called_by_one()

        assert NOTHING == legal(deal, 1)
        for command in (FROM_STOCK, Discard(Card("Kc")), Call()):
            refuses(NotYourTurn, deal, 1, command)
        refuses(WrongPhase, deal, 1, Fold())

    def test_laying_down_in_a_last_turn(self) -> None:
        """A player may lay six cards in a last turn; that starts no further last turns."""
        deal = position(DULL | {1: KINGS, 2: "Ac Ad Jc Jd Jh"}, wild="2c", stock="Qd Ah", pile="9c")
        deal = play(deal, (1, FROM_STOCK), (1, Call()), (2, FROM_STOCK))
        deal, (called,) = apply(deal, 2, Call())

        assert isinstance(called, Called)
        assert (Kind.THREE_THREE, True) == (called.combination.name, called.last_turn)
        assert (1, 3, (3,)) == (deal.caller, deal.turn, deal.last_turns)
        assert 6 == len(deal.hands[2].cards)
        assert Reason.SHOWDOWN is pass_turn(deal).reason
        assert (2,) == showdown.settle(pass_turn(deal)).winners

    def test_five_cards_in_a_last_turn(self) -> None:
        """Who lays five cards in a last turn discards the sixth first, as a caller does."""
        deal = position(
            DULL | {1: KINGS, 2: "5h 6h 7h 8h 9h", 3: "3h 4s 5c 6d 7s"}, wild="2c", stock="Qd Tc"
        )
        deal = play(deal, (1, FROM_STOCK), (1, Call()), (2, FROM_STOCK))
        deal, (called,) = apply(deal, 2, Call())

        assert isinstance(called, Called)
        assert (Kind.STRAIGHT_FLUSH, "Tc", True) == (
            called.combination.name,
            called.discarded,
            called.last_turn,
        )
        assert (Card("Tc"), 3) == (deal.pile[0], deal.turn)

    def test_case_12_a_made_hand_counts_unlaid(self) -> None:
        """A straight flush counts though its holder discarded the sixth card in the last turn."""
        deal = position(
            DULL | {1: KINGS, 2: "5h 6h 7h 8h 9h", 3: "3h 4s 5c 6d 7s"}, wild="2c", stock="Qd Tc"
        )
        deal = play(deal, (1, FROM_STOCK), (1, Call()), (2, FROM_STOCK))
        assert cards("Tc") == legal(deal, 2).call
        deal = pass_turn(play(deal, (2, Discard(Card("Tc")))))

        assert not deal.hands[2].laid
        assert (2,) == showdown.settle(deal).winners

    def test_a_made_hand_counts_without_a_last_turn(self) -> None:
        """A hand of five that wins counts though its holder had no last turn."""
        deal = position(
            DULL | {1: "5h 6h 7h 8h 9h", 2: KINGS, 3: "3h 4s 5c 6d 7s"}, wild="2c", stock="8c Qd"
        )
        deal = play(pass_turn(deal), (2, FROM_STOCK), (2, Call()))
        deal = pass_turn(deal)

        assert (1,) == showdown.settle(deal).winners

    def test_case_14_after_a_six_card_call(self) -> None:
        """After a call that discards nothing the others draw and discard, the top discard too."""
        deal = _called_by_one()
        assert Legal(draw=(Source.STOCK, Source.DISCARD)) == legal(deal, 2)

        deal, drawn = apply(deal, 2, FROM_PILE)
        deal, discarded = apply(deal, 2, Discard(Card("3d")))

        assert (CardDrawn(2, Source.DISCARD, Card("9c")),) == drawn
        assert (CardDiscarded(2, Card("3d")),) == discarded
        assert 3 == deal.turn

    def test_case_16_the_dealer_leaves(self) -> None:
        """If the dealer leaves after a call, the last turns end with the player before."""
        deal = play(_called_by_one(), (3, Fold()))
        assert (2, (2,)) == (deal.turn, deal.last_turns)

        assert Reason.SHOWDOWN is pass_turn(deal).reason

    def test_the_dealer_left_before_the_call(self) -> None:
        """If the dealer has left, a call by the last player before ends the deal at once."""
        deal = play(position(DULL | {2: KINGS}, wild="2c", stock="8c Qd"), (3, Fold()))
        deal = play(pass_turn(deal), (2, FROM_STOCK), (2, Call()))

        assert Reason.SHOWDOWN is deal.reason

    def test_leaving_in_a_last_turn(self) -> None:
        """Who leaves in a last turn ends it, and the next has the turn."""
        deal = play(_called_by_one(), (2, FROM_STOCK), (2, Fold()))

        assert (3, Phase.DRAW, (3,), None) == (deal.turn, deal.phase, deal.last_turns, deal.drawn)
        assert Reason.SHOWDOWN is pass_turn(deal).reason

    def test_over_is_over(self) -> None:
        """When a deal is over nothing more may be done in it."""
        deal = pass_turn(pass_turn(_called_by_one()))

        for seat in deal.seats:
            assert NOTHING == legal(deal, seat)
            for command in (Cut(0), FROM_STOCK, FROM_PILE, Discard(Card("9c")), Call(), Fold()):
                refuses(WrongPhase, deal, seat, command)


def _called_by_one() -> Deal:
    """Seat 1 has called with six cards, and seat 2 is to draw; the 9c is on top."""
    deal = position(DULL | {1: KINGS}, wild="2c", stock="Qd 8c 8d", pile="9c")
    return play(deal, (1, FROM_STOCK), (1, Call()))


class TestLeaving:
    def test_the_seat_is_skipped(self) -> None:
        """Who leaves is out of the deal: the hand is out of play and the seat is skipped."""
        deal, events = apply(position(DULL, wild="2c"), 2, Fold())

        assert (Folded(2),) == events
        assert (1, (1, 3)) == (deal.turn, deal.players)
        assert 3 == pass_turn(deal).turn
        assert 3 == deal.pot

    def test_in_the_middle_of_a_turn(self) -> None:
        """Who leaves after drawing keeps the six cards out of play, and the turn passes."""
        deal = play(position(DULL, wild="2c", pile="9c"), (1, FROM_PILE), (1, Fold()))

        assert (2, Phase.DRAW) == (deal.turn, deal.phase)
        assert (None, None) == (deal.drawn, deal.drawn_from)
        assert cards(DULL[1] + " 9c") == deal.hands[1].cards
        assert () == deal.pile

    def test_once(self) -> None:
        """Who has left is not in the deal any more, in turn or out of it."""
        deal = play(position(DULL, wild="2c"), (1, Fold()))

        assert NOTHING == legal(deal, 1)
        for command in (Cut(0), FROM_STOCK, Discard(Card("3c")), Call(), Fold()):
            refuses(NotSeated, deal, 1, command)

    def test_before_the_cut(self) -> None:
        """Who leaves before the cut is dealt no cards; the ante stays in the pot."""
        deal = play(new_deal(SEED, (1, 2, 3), 5, HouseRules()), (1, Fold()), (2, Cut(7)))

        assert (15, 2) == (deal.pot, deal.turn)
        assert () == deal.hands[1].cards
        assert 52 - 10 - 2 == len(deal.stock)

    def test_the_last_player(self) -> None:
        """If one player is left the deal is over at once."""
        deal = play(position(DULL, wild="2c"), (2, Fold()), (1, Fold()))

        assert (Phase.OVER, Reason.LAST_PLAYER) == (deal.phase, deal.reason)
        assert (3,) == deal.players
