"""Who wins and what each gets."""

from dataclasses import replace

import pytest

from service.engine.combinations import Kind
from service.engine.commands import Call, Fold
from service.engine.deal import Deal, Hand, Phase, Reason, new_deal
from service.engine.house_rules import HouseRules
from service.engine.showdown import Result, SettledHand, settle
from tests.engine.positions import FROM_STOCK, SEED, cards, play, position

DULL = {1: "3c 4d 5h 6s 7c", 2: "3d 4h 5s 6c 7d", 3: "3h 4s 5c 6d 7h"}
NINE_HIGH = {suit: " ".join(rank + suit for rank in "98765") for suit in "cdhs"}


def ended(hands: dict[int, str], ante: int, folded: tuple[int, ...] = ()) -> Deal:
    """A deal at its showdown: hands of six cards were laid, the 2 is wild."""
    deal = position(hands, wild="2c", ante=ante)
    flagged = {
        seat: Hand(hand.cards, laid=len(hand.cards) == 6, folded=seat in folded)
        for seat, hand in deal.hands.items()
    }
    return replace(deal, hands=flagged, phase=Phase.OVER, turn=None, reason=Reason.SHOWDOWN)


def shares(result: Result) -> dict[int, int]:
    """What each seat of a result gets."""
    return {hand.seat: hand.share for hand in result.hands}


def test_the_highest_takes_the_pot() -> None:
    """The highest combination takes the whole pot, and every hand is shown with what it is."""
    result = settle(ended({3: "Kc Kd Kh Qs Qc Qd", 1: "9h 8h 7h 6h 5h", 2: DULL[2]}, ante=5))

    assert (Reason.SHOWDOWN, (1,), 15) == (result.reason, result.winners, result.pot)
    assert {3: 0, 1: 15, 2: 0} == shares(result)
    assert [Kind.THREE_THREE, Kind.STRAIGHT_FLUSH, None] == [
        hand.combination and hand.combination.name for hand in result.hands
    ]
    assert cards(DULL[2]) == result.hands[2].cards


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_case_10_a_tie_of_two(order: tuple[int, int]) -> None:
    """Two who tie share; the odd chip goes to the one nearer the dealer's left."""
    tied = ("Ac Ad 8h 8s 4c 4d", "Ah As 8c 8d 4h 4s")
    hands = dict(zip(order, tied, strict=True)) | {3: "3c 5d 6h 7s 9c"}
    result = settle(ended(hands, ante=3))

    assert order == result.winners
    assert {order[0]: 5, order[1]: 4, 3: 0} == shares(result)


def test_case_15_a_tie_of_three() -> None:
    """Three who tie on a pot of 10 get 4, 3 and 3, the odd chip to the first in order."""
    hands = {
        5: "3c 4d Td Jd Kc",
        1: NINE_HIGH["c"].replace("6c", "2d"),
        2: NINE_HIGH["d"],
        3: NINE_HIGH["h"].replace("7h", "2h"),
        4: "3s 4s Ts Js Kh",
    }
    result = settle(ended(hands, ante=2))

    assert (1, 2, 3) == result.winners
    assert {5: 0, 1: 4, 2: 3, 3: 3, 4: 0} == shares(result)


def test_two_odd_chips() -> None:
    """Chips that do not divide go one each, not all to one."""
    hands = {1: NINE_HIGH["c"], 2: NINE_HIGH["d"], 3: NINE_HIGH["h"], 4: "3s Ts Js Kh Kc"}
    result = settle(ended(hands | {5: "3c Td Jd Qc Qd"}, ante=4))

    assert {1: 7, 2: 7, 3: 6, 4: 0, 5: 0} == shares(result)


def test_a_folded_hand_does_not_count() -> None:
    """A folded hand wins nothing and is not shown, but its ante is in the pot."""
    hands = {1: NINE_HIGH["h"], 2: "Kc Kd Kh Qs Qc Qd", 3: DULL[2]}
    result = settle(ended(hands, ante=5, folded=(1,)))

    assert ((2,), {2: 15, 3: 0}) == (result.winners, shares(result))


def test_case_21_six_laid_cards_count_as_six() -> None:
    """Six laid cards count as the six-card combination though five of them would be higher."""
    result = settle(ended({1: "Kc Kd Kh 2d 2h 4c", 2: NINE_HIGH["s"]}, ante=1))

    assert (2,) == result.winners
    (four_two, _) = (hand.combination for hand in result.hands)
    assert four_two is not None
    assert (Kind.FOUR_TWO, ("K", "4")) == (four_two.name, four_two.ranks)


def test_ace_low_by_house_rule() -> None:
    """A-2-3-4-5 of a suit counts at the showdown only with the house rule `ace_low`."""
    deal = replace(
        ended({1: "Ah 3h 4h 5h 2h", 2: "Kc Kd Qs Qc 9d 9h"}, ante=1), wild_card=cards("7c")[0]
    )
    low = replace(deal, rules=HouseRules(ace_low=True))

    assert ((2,), (1,)) == (settle(deal).winners, settle(low).winners)


def test_void_gives_the_antes_back() -> None:
    """A void deal has no winner and gives each seat its ante, whoever left and the caller too."""
    rules = HouseRules(max_reshuffles=0)
    hands = DULL | {1: "Kc Kd Kh Qs Qc"}
    deal = position(hands, wild="2c", stock="Qd", rest_under_pile=True, rules=rules, ante=5)
    deal = play(deal, (3, Fold()), (1, FROM_STOCK), (1, Call()), (2, FROM_STOCK))

    result = settle(deal)

    assert (Reason.VOID, (), 15) == (result.reason, result.winners, result.pot)
    assert tuple(SettledHand(seat, (), None, 5) for seat in (1, 2, 3)) == result.hands


def test_the_last_player_wins_unseen() -> None:
    """The last player left takes the pot with any hand, and shows none."""
    deal = position(DULL, wild="2c", ante=5)
    result = settle(play(deal, (1, Fold()), (3, Fold())))

    assert Result(Reason.LAST_PLAYER, (SettledHand(2, (), None, 15),), (2,), 15) == result


def test_the_last_player_before_the_cut() -> None:
    """If all others leave before the cut, the one who stays takes the pot without a card dealt."""
    deal = play(new_deal(SEED, (1, 2), 5, HouseRules()), (1, Fold()))

    assert {2: 10} == shares(settle(deal))


def test_no_stakes() -> None:
    """With an ante of 0 there is a winner and nothing to win."""
    result = settle(ended({1: NINE_HIGH["h"], 2: DULL[2]}, ante=0))

    assert ((1,), {1: 0, 2: 0}) == (result.winners, shares(result))
