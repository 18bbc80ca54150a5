"""The settlement receipt of a deal: who paid what, what was shown, who got what, and by which rule.

Everything in it follows from the deal's record, so it is worked out when somebody asks.
"""

from dataclasses import dataclass
from typing import Literal

from service.engine.deal import Reason
from service.engine.showdown import SettledHand
from service.tables.records import DealRecord

Rule = Literal["highest_combination", "tied_hands_share", "last_player", "void_antes_back"]


@dataclass(frozen=True, slots=True)
class Amount:
    """Chips of a seat."""

    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """How a pot came about and where it went: the antes, the pot and the shares are one sum.

    Args:
        antes: what each seat paid, in dealing order.
        pot: what was shared out.
        hands: the hands of the showdown; none where it came to no showdown.
        shares: what each winner got, or what each seat got back, in dealing order.
        odd_chips: the chips that did not divide, which are in the shares too.
        rule: why they got it.
    """

    antes: tuple[Amount, ...]
    pot: int
    hands: tuple[SettledHand, ...]
    shares: tuple[Amount, ...]
    odd_chips: tuple[Amount, ...]
    rule: Rule


def receipt(record: DealRecord) -> Receipt:
    """The receipt of a finished deal."""
    result = record.result
    paid = result.hands if result.reason is Reason.VOID else _winners(record)
    even = min(hand.share for hand in paid)
    return Receipt(
        antes=tuple(Amount(seat, record.ante) for seat in record.players),
        pot=result.pot,
        hands=result.hands if result.reason is Reason.SHOWDOWN else (),
        shares=tuple(Amount(hand.seat, hand.share) for hand in paid),
        odd_chips=tuple(Amount(h.seat, h.share - even) for h in paid if h.share > even),
        rule=_rule(record),
    )


def _winners(record: DealRecord) -> tuple[SettledHand, ...]:
    return tuple(hand for hand in record.result.hands if hand.seat in record.result.winners)


def _rule(record: DealRecord) -> Rule:
    match record.result.reason:
        case Reason.VOID:
            return "void_antes_back"
        case Reason.LAST_PLAYER:
            return "last_player"
        case Reason.SHOWDOWN:
            return "highest_combination" if len(record.result.winners) == 1 else "tied_hands_share"
