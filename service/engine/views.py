"""What a seat may see of a deal and of its events: the only place that hides cards."""

from dataclasses import dataclass

from service.engine import combinations, rules, showdown, shuffle
from service.engine import events as ev
from service.engine.cards import Card
from service.engine.combinations import Combination
from service.engine.commands import Source
from service.engine.deal import Deal, Hand, Phase, Reason
from service.engine.replacing import replace
from service.engine.rules import Legal


@dataclass(frozen=True, slots=True)
class SeatView:
    """What everyone sees of a seat in the deal; `shown` is a hand that lies face up.

    `known` are the cards of a hand in play that everyone saw it take from the discard pile.
    """

    hand_size: int
    folded: bool
    shown: tuple[Card, ...] | None
    known: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnView:
    """What a seat sees of its own."""

    seat: int
    hand: tuple[Card, ...]
    drawn: Card | None
    drawn_from: Source | None
    best: Combination | None
    legal: Legal


@dataclass(frozen=True, slots=True)
class DealView:
    """A deal as one seat sees it, or a spectator where `you` is None."""

    dealer: int
    cutter: int | None
    phase: Phase
    turn: int | None
    wild_card: Card | None
    stock_size: int
    pile: tuple[Card, ...]
    pot: int
    caller: int | None
    last_turns: tuple[int, ...]
    reshuffles: int
    commitment: str
    ace_low: bool
    seats: dict[int, SeatView]
    you: OwnView | None

    @property
    def wild_rank(self) -> str | None:
        """The rank that is wild, once the deck is cut."""
        return self.wild_card[0] if self.wild_card else None


def view(deal: Deal, seat: int | None, *, opened: bool = False) -> DealView:
    """The deal as a seat sees it, or as a spectator does (`seat` None).

    `opened` is for a past deal of which all may see every hand.
    """
    shown = deal.reason is Reason.SHOWDOWN
    return DealView(
        dealer=deal.dealer,
        cutter=deal.cutter if deal.phase is Phase.CUT else None,
        phase=deal.phase,
        turn=deal.turn,
        wild_card=deal.wild_card,
        stock_size=len(deal.stock),
        pile=deal.pile,
        pot=deal.pot,
        caller=deal.caller,
        last_turns=deal.last_turns,
        reshuffles=deal.reshuffles,
        commitment=shuffle.commitment(deal.seed),
        ace_low=deal.rules.ace_low,
        seats={other: _seat_view(deal, other, shown, opened) for other in deal.seats},
        you=_own_view(deal, seat) if seat in deal.hands else None,
    )


def redact(event: ev.DealEvent, seat: int | None) -> ev.DealEvent:
    """The event as a seat may see it: a card drawn from the stock is its drawer's alone."""
    if isinstance(event, ev.CardDrawn) and event.source is Source.STOCK and event.seat != seat:
        return replace(event, card=None)
    return event


def _seat_view(deal: Deal, seat: int, shown: bool, opened: bool) -> SeatView:
    hand = deal.hands[seat]
    open_hand = opened or hand.laid or (shown and not hand.folded)
    known = () if hand.folded else hand.known
    return SeatView(len(hand.cards), hand.folded, hand.cards if open_hand else None, known)


def _own_view(deal: Deal, seat: int | None) -> OwnView:
    assert seat is not None
    acting = deal.turn == seat
    kept = deal.drawn if acting and deal.drawn_from is Source.DISCARD else None
    hand = deal.hands[seat]
    return OwnView(
        seat=seat,
        hand=hand.cards,
        drawn=deal.drawn if acting else None,
        drawn_from=deal.drawn_from if acting else None,
        best=_best(deal, hand, kept),
        legal=rules.legal(deal, seat),
    )


def _best(deal: Deal, hand: Hand, kept: Card | None) -> Combination | None:
    if len(hand.cards) < 5:
        return None
    if hand.laid:
        return combinations.describe(showdown.strength_shown(deal, hand), hand.cards)
    return combinations.best(hand.cards, deal.wild_rank, deal.rules.ace_low, kept)
