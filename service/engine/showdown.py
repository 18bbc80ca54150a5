"""Who wins and what each gets (docs/rules.md, "Showdown and payout")."""

from dataclasses import dataclass

from service.engine import combinations
from service.engine.cards import Card
from service.engine.combinations import Combination
from service.engine.deal import Deal, Hand, Reason


@dataclass(frozen=True, slots=True)
class SettledHand:
    """What a seat showed, if anything, and the chips it gets."""

    seat: int
    cards: tuple[Card, ...]
    combination: Combination | None
    share: int


@dataclass(frozen=True, slots=True)
class Result:
    """How a deal ended.  `hands` has every hand of the showdown, or just who gets chips back."""

    reason: Reason
    hands: tuple[SettledHand, ...]
    winners: tuple[int, ...]
    pot: int


def settle(deal: Deal) -> Result:
    """The result of a deal that is over; the shares add up to the pot."""
    assert deal.reason is not None
    match deal.reason:
        case Reason.VOID:
            back = tuple(SettledHand(seat, (), None, deal.ante) for seat in deal.seats)
            return Result(deal.reason, back, (), deal.pot)
        case Reason.LAST_PLAYER:
            (winner,) = deal.players
            hand = SettledHand(winner, (), None, deal.pot)
            return Result(deal.reason, (hand,), (winner,), deal.pot)
        case Reason.SHOWDOWN:
            return _showdown(deal)


def _showdown(deal: Deal) -> Result:
    strengths = {seat: strength_shown(deal, deal.hands[seat]) for seat in deal.players}
    highest = max(strengths.values())
    winners = tuple(seat for seat in deal.players if strengths[seat] == highest)
    shares = _shares(deal.pot, winners)
    hands = tuple(
        SettledHand(
            seat,
            deal.hands[seat].cards,
            combinations.describe(strengths[seat], deal.hands[seat].cards),
            shares.get(seat, 0),
        )
        for seat in deal.players
    )
    return Result(Reason.SHOWDOWN, hands, winners, deal.pot)


def strength_shown(deal: Deal, hand: Hand) -> int:
    """What a hand counts at the showdown; six cards were laid as a six-card combination."""
    cards = combinations.mask(hand.cards)
    if len(hand.cards) == 6:
        return combinations.strength_of_all_six(cards, deal.wild_rank)
    return combinations.strength(cards, deal.wild_rank, deal.rules.ace_low)


def _shares(pot: int, winners: tuple[int, ...]) -> dict[int, int]:
    """Equal shares; chips that don't divide go one each in order from the dealer's left."""
    share, odd = divmod(pot, len(winners))
    return {seat: share + (place < odd) for place, seat in enumerate(winners)}
