"""The settlement receipt: who paid, what was shown, who got what, and by which rule."""

from random import Random

import pytest

from service.engine.commands import Fold
from service.engine.deal import Deal, Reason
from service.engine.house_rules import HouseRules
from service.engine.showdown import settle
from service.tables import Player
from service.tables.receipts import Amount, Receipt, receipt
from service.tables.records import DealRecord
from tests.engine.positions import FROM_STOCK, play, position
from tests.engine.test_showdown import DULL, NINE_HIGH, ended
from tests.support.tables import history


def record(deal: Deal) -> DealRecord:
    """The record of a deal that is over, without its actions."""
    return DealRecord(
        number=1,
        dealer=deal.dealer,
        ante=deal.ante,
        rules=deal.rules,
        wild_card=deal.wild_card,
        seed=deal.seed,
        position=0,
        entropy="",
        players={seat: Player(f"p{seat}", "P", "human") for seat in deal.seats},
        actions=(),
        result=settle(deal),
        started_at=0,
        ended_at=0,
    )


def chips(*amounts: tuple[int, int]) -> tuple[Amount, ...]:
    """Amounts by seat."""
    return tuple(Amount(*one) for one in amounts)


def test_the_highest_combination() -> None:
    """One winner has the pot; the antes are in dealing order, and every shown hand is there."""
    deal = ended({3: "Kc Kd Kh Qs Qc Qd", 1: NINE_HIGH["h"], 2: DULL[2]}, ante=5)

    expected = Receipt(
        antes=chips((3, 5), (1, 5), (2, 5)),
        pot=15,
        hands=settle(deal).hands,
        shares=chips((1, 15)),
        odd_chips=(),
        rule="highest_combination",
    )
    assert expected == receipt(record(deal))


def test_case_10_an_odd_chip() -> None:
    """Two who tie share, and the chip that does not divide is named with who got it."""
    hands = {2: "Ac Ad 8h 8s 4c 4d", 1: "Ah As 8c 8d 4h 4s", 3: "3c 5d 6h 7s 9c"}
    told = receipt(record(ended(hands, ante=3)))

    assert "tied_hands_share" == told.rule
    assert (chips((2, 5), (1, 4)), chips((2, 1))) == (told.shares, told.odd_chips)


def test_case_15_a_tie_of_three() -> None:
    """A pot of 10 among three: 4, 3 and 3, with the odd chip at the dealer's left."""
    hands = {5: "3c 4d Td Jd Kc", 4: "3s 4s Ts Js Kh"}
    tied = {1: NINE_HIGH["c"].replace("6c", "2d"), 2: NINE_HIGH["d"], 3: NINE_HIGH["s"]}
    told = receipt(record(ended({5: hands[5]} | tied | {4: hands[4]}, ante=2)))

    assert chips((5, 2), (1, 2), (2, 2), (3, 2), (4, 2)) == told.antes
    assert (chips((1, 4), (2, 3), (3, 3)), chips((1, 1))) == (told.shares, told.odd_chips)


def test_two_odd_chips() -> None:
    """Each seat that got an odd chip is named."""
    hands = {1: NINE_HIGH["c"], 2: NINE_HIGH["d"], 3: NINE_HIGH["h"], 4: "3s Ts Js Kh Kc"}
    told = receipt(record(ended(hands | {5: "3c Td Jd Qc Qd"}, ante=4)))

    assert chips((1, 1), (2, 1)) == told.odd_chips


def test_a_tie_that_divides() -> None:
    """Where the pot divides there is no odd chip."""
    told = receipt(record(ended({1: NINE_HIGH["c"], 2: NINE_HIGH["d"]}, ante=4)))

    assert (chips((1, 4), (2, 4)), ()) == (told.shares, told.odd_chips)


def test_folded_hands_are_not_shown() -> None:
    """Who folded has paid an ante, and shows nothing."""
    told = receipt(record(ended({1: NINE_HIGH["h"], 2: "Kc Kd Kh Qs Qc Qd", 3: DULL[2]}, 5, (1,))))

    assert [2, 3] == [hand.seat for hand in told.hands]
    assert [1, 2, 3] == [paid.seat for paid in told.antes]


def test_the_last_player() -> None:
    """The last player has the pot, and no hand is shown."""
    told = receipt(record(play(position(DULL, wild="2c", ante=5), (1, Fold()), (3, Fold()))))

    assert ("last_player", (), chips((2, 15))) == (told.rule, told.hands, told.shares)


def test_void() -> None:
    """A void deal gives each seat its ante back, and no hand is shown."""
    rules = HouseRules(max_reshuffles=0)
    deal = position(DULL, wild="2c", stock="", rest_under_pile=True, rules=rules, ante=5)
    told = receipt(record(play(deal, (1, FROM_STOCK))))

    assert "void_antes_back" == told.rule
    assert ((), ()) == (told.hands, told.odd_chips)
    assert told.antes == told.shares


def test_no_stakes() -> None:
    """With an ante of 0 a winner is named, with nothing."""
    told = receipt(record(ended({1: NINE_HIGH["h"], 2: DULL[2]}, ante=0)))

    assert (0, chips((1, 0)), ()) == (told.pot, told.shares, told.odd_chips)


@pytest.mark.parametrize("seed", range(12))
def test_antes_pot_and_shares_are_one_sum(seed: int) -> None:
    """Whatever happened in a deal, what was paid in is what was paid out; odd chips are in it."""
    told = [
        (one.record, receipt(one.record))
        for one in history(Random(seed), ante=1 + seed % 4, deals=3)
        if one.record
    ]
    assert told
    for of, one in told:
        paid, shared = (sum(a.amount for a in amounts) for amounts in (one.antes, one.shares))
        assert paid == one.pot == shared
        assert {1} >= {odd.amount for odd in one.odd_chips}
        assert {odd.seat for odd in one.odd_chips} < {share.seat for share in one.shares}
        assert bool(one.hands) == (of.result.reason is Reason.SHOWDOWN)
