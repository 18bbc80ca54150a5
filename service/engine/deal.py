"""The state of one deal, and how each event changes it.

`evolve` is the only place that changes a deal, so that replaying a deal's events from its
beginning gives its state.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from service.engine import events as ev
from service.engine import shuffle
from service.engine.cards import Card
from service.engine.commands import Source
from service.engine.house_rules import HouseRules
from service.engine.replacing import replace


class Phase(StrEnum):
    """What a deal waits for."""

    CUT = "cut"
    DRAW = "draw"
    DISCARD = "discard"
    OVER = "over"


class Reason(StrEnum):
    """Why a deal is over."""

    SHOWDOWN = "showdown"
    LAST_PLAYER = "last_player"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards of one seat; `laid` face up for the showdown, or `folded` and out of play.

    `known` are those that everyone saw it take from the discard pile.
    """

    cards: tuple[Card, ...] = ()
    laid: bool = False
    folded: bool = False
    known: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal.  `seats` are in order of play, the dealer last; stock and pile top first."""

    seed: str
    seats: tuple[int, ...]
    ante: int
    rules: HouseRules
    hands: dict[int, Hand]
    entropy: str = ""
    phase: Phase = Phase.CUT
    turn: int | None = None
    drawn: Card | None = None
    drawn_from: Source | None = None
    wild_card: Card | None = None
    stock: tuple[Card, ...] = ()
    pile: tuple[Card, ...] = ()
    reshuffles: int = 0
    caller: int | None = None
    last_turns: tuple[int, ...] = field(default=())
    """The seats that have a last turn still, the one whose turn it is included."""
    reason: Reason | None = None

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return self.seats[-1]

    @property
    def pot(self) -> int:
        """The chips that are played for: everyone's ante."""
        return self.ante * len(self.seats)

    @property
    def players(self) -> tuple[int, ...]:
        """The seats still in the deal, in order of play."""
        return tuple(seat for seat in self.seats if not self.hands[seat].folded)

    @property
    def cutter(self) -> int:
        """The seat that cuts: the first still in the deal from the dealer's right."""
        return next(seat for seat in reversed(self.seats[:-1]) if not self.hands[seat].folded)

    @property
    def wild_rank(self) -> str:
        """The rank that is wild; a deal has one from its cut on."""
        assert self.wild_card is not None
        return self.wild_card[0]


def new_deal(seed: str, seats: tuple[int, ...], ante: int, rules: HouseRules) -> Deal:
    """A deal before its cut.

    Args:
        seed: 32 bytes in hexadecimal, from which the order of the cards follows.
        seats: 2 to 5 seats in order of play, from the dealer's left to the dealer.
        ante: chips that each seat has paid.
        rules: the house rules.
    """
    deal = Deal(seed, seats, ante, rules, {seat: Hand() for seat in seats})
    return replace(deal, turn=deal.cutter)


def evolve(deal: Deal, event: ev.DealEvent) -> Deal:
    """The deal after an event."""
    match event:
        case ev.DeckCut():
            return _dealt(deal, event.position, event.entropy)
        case ev.StockRenewed(number=number):
            return _renewed(deal, number)
        case ev.CardDrawn(seat=seat, source=source, card=card):
            assert card is not None
            return _drawn(deal, seat, source, card)
        case ev.CardDiscarded(seat=seat, card=card):
            return _next_turn(_without(deal, seat, card))
        case ev.Called():
            return _called(deal, event)
        case ev.Folded(seat=seat):
            return _folded(deal, seat)
        case ev.DealVoided():
            return _over(deal, Reason.VOID)


def _dealt(deal: Deal, position: int, entropy: str) -> Deal:
    deck = shuffle.deck(deal.seed, position, entropy)
    players = deal.players
    dealt = 5 * len(players)
    hands = {seat: Hand(deck[i : dealt : len(players)]) for i, seat in enumerate(players)}
    return replace(
        deal,
        entropy=entropy,
        phase=Phase.DRAW,
        turn=players[0],
        hands=deal.hands | hands,
        wild_card=deck[dealt],
        pile=(deck[dealt + 1],),
        stock=deck[dealt + 2 :],
    )


def _renewed(deal: Deal, number: int) -> Deal:
    kept = 1 if deal.rules.reshuffle == "keep_top" else 0
    stock = shuffle.renewed_stock(deal.seed, deal.entropy, number, deal.pile[kept:])
    return replace(deal, stock=stock, pile=deal.pile[:kept], reshuffles=number)


def _drawn(deal: Deal, seat: int, source: Source, card: Card) -> Deal:
    hand = deal.hands[seat]
    known = (*hand.known, card) if source is Source.DISCARD else hand.known
    hand = replace(hand, cards=(*hand.cards, card), known=known)
    return replace(
        deal,
        phase=Phase.DISCARD,
        drawn=card,
        drawn_from=source,
        hands=deal.hands | {seat: hand},
        stock=deal.stock[1:] if source is Source.STOCK else deal.stock,
        pile=deal.pile[1:] if source is Source.DISCARD else deal.pile,
    )


def _without(deal: Deal, seat: int, card: Card) -> Deal:
    """The deal with a card moved from a hand to the discard pile."""
    hand = deal.hands[seat]
    left = tuple(other for other in hand.cards if other != card)
    known = tuple(other for other in hand.known if other != card)
    hands = deal.hands | {seat: replace(hand, cards=left, known=known)}
    return replace(deal, hands=hands, pile=(card, *deal.pile))


def _called(deal: Deal, event: ev.Called) -> Deal:
    if event.discarded is not None:
        deal = _without(deal, event.seat, event.discarded)
    laid = replace(deal.hands[event.seat], laid=True)
    deal = replace(deal, hands=deal.hands | {event.seat: laid})
    if deal.caller is None:
        deal = replace(deal, caller=event.seat, last_turns=_last_turns(deal, event.seat))
    return _next_turn(deal)


def _last_turns(deal: Deal, caller: int) -> tuple[int, ...]:
    """The caller, whose turn ends with the call, and those who play once more after it."""
    place = deal.seats.index(caller)
    after = deal.seats[place + 1 :]
    if deal.rules.final_turns == "every_player":
        after += deal.seats[:place]
    return tuple(seat for seat in (caller, *after) if not deal.hands[seat].folded)


def _folded(deal: Deal, seat: int) -> Deal:
    hand = replace(deal.hands[seat], folded=True)
    acting = deal.turn == seat
    after = replace(deal, hands=deal.hands | {seat: hand})
    if len(after.players) == 1:
        return _over(after, Reason.LAST_PLAYER)
    if deal.phase is Phase.CUT:
        return replace(after, turn=after.cutter)
    if acting:
        return _next_turn(after)
    return replace(after, last_turns=tuple(other for other in deal.last_turns if other != seat))


def _next_turn(deal: Deal) -> Deal:
    """The turn passes clockwise, or the deal is over after the last of the last turns."""
    assert deal.turn is not None
    deal = replace(deal, phase=Phase.DRAW, drawn=None, drawn_from=None)
    if deal.caller is None:
        place = deal.seats.index(deal.turn)
        clockwise = deal.seats[place + 1 :] + deal.seats[:place]
        return replace(deal, turn=next(s for s in clockwise if not deal.hands[s].folded))
    left = deal.last_turns[1:]
    if not left:
        return _over(deal, Reason.SHOWDOWN)
    return replace(deal, turn=left[0], last_turns=left)


def _over(deal: Deal, reason: Reason) -> Deal:
    return replace(
        deal,
        phase=Phase.OVER,
        turn=None,
        drawn=None,
        drawn_from=None,
        last_turns=(),
        reason=reason,
    )
