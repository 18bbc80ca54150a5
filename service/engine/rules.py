"""What is legal, and what a command does (docs/rules.md, "A turn" and "Calling").

`legal` is the one truth: it feeds the refusals here, the bots, and the hints that clients get.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from service.engine import combinations, shuffle
from service.engine import events as ev
from service.engine.cards import Card
from service.engine.commands import Call, Command, Cut, Discard, Draw, Fold, Source
from service.engine.deal import Deal, Phase, evolve
from service.engine.errors import (
    CardJustDrawn,
    CardNotInHand,
    DiscardBreaksCombination,
    NoCombination,
    NotSeated,
    NotYourTurn,
    PileEmpty,
    WrongPhase,
)
from service.engine.replacing import replace


@dataclass(frozen=True, slots=True)
class Legal:
    """All that a seat may do now.  Folding is always open to a seat that has not laid its hand."""

    cut: bool = False
    draw: tuple[Source, ...] = ()
    discard: tuple[Card, ...] = ()
    call: tuple[Card, ...] | None = None
    """The cards that a call may discard, none if it lays all six; None if there is no call."""

    def commands(self) -> Iterator[Command]:
        """Every command these stand for, but for cuts: those are any position from 0 to 51."""
        yield from (Draw(source) for source in self.draw)
        yield from (Discard(card) for card in self.discard)
        if self.call is not None:
            yield Call()
            yield from (Call(card) for card in self.call)


NOTHING = Legal()


def legal(deal: Deal, seat: int) -> Legal:
    """What a seat may do now."""
    if deal.turn != seat:
        return NOTHING
    if deal.phase is Phase.CUT:
        return Legal(cut=True)
    if deal.phase is Phase.DRAW:
        return Legal(draw=(Source.STOCK, Source.DISCARD) if deal.pile else (Source.STOCK,))
    kept = _kept(deal)
    ways = _layings(deal, seat)
    return Legal(
        discard=tuple(card for card in deal.hands[seat].cards if card != kept),
        call=tuple(card for card in ways if card is not None) if ways else None,
    )


def apply(deal: Deal, seat: int, command: Command) -> tuple[Deal, tuple[ev.DealEvent, ...]]:
    """The deal after a command, and what happened.

    Raises:
        Illegal: the rules don't allow it; nothing has changed.
    """
    happened: list[ev.DealEvent] = []
    for event in _decide(deal, seat, command):
        deal = evolve(deal, event)
        happened.append(event)
    return deal, tuple(happened)


def _decide(deal: Deal, seat: int, command: Command) -> Iterator[ev.DealEvent]:
    match command:
        case Cut():
            return _cut(deal, seat, command)
        case Draw():
            return _draw(deal, seat, command.source)
        case Discard():
            return _discard(deal, seat, command.card)
        case Call():
            return _call(deal, seat, command.discard)
        case Fold():
            return _fold(deal, seat)


def _cut(deal: Deal, seat: int, cut: Cut) -> Iterator[ev.DealEvent]:
    _check_turn(deal, seat, Phase.CUT)
    deck = shuffle.deck(deal.seed, cut.position, cut.entropy)
    dealt = 5 * len(deal.players)
    yield ev.DeckCut(seat, cut.position, cut.entropy, deck[dealt], deck[dealt + 1])


def _draw(deal: Deal, seat: int, source: Source) -> Iterator[ev.DealEvent]:
    _check_turn(deal, seat, Phase.DRAW)
    if source is Source.DISCARD:
        if not deal.pile:
            raise PileEmpty("The discard pile is empty: draw from the stock.")
        yield ev.CardDrawn(seat, source, deal.pile[0])
        return
    if not deal.stock:
        if deal.reshuffles == deal.rules.max_reshuffles:
            yield ev.DealVoided(seat)
            return
        renewed = ev.StockRenewed(deal.reshuffles + 1, 0)
        deal = evolve(deal, renewed)
        yield replace(renewed, size=len(deal.stock))
    yield ev.CardDrawn(seat, source, deal.stock[0])


def _discard(deal: Deal, seat: int, card: Card) -> Iterator[ev.DealEvent]:
    _check_turn(deal, seat, Phase.DISCARD)
    _check_held(deal, seat, card)
    yield ev.CardDiscarded(seat, card)


def _call(deal: Deal, seat: int, card: Card | None) -> Iterator[ev.DealEvent]:
    _check_turn(deal, seat, Phase.DISCARD)
    if card is not None:
        _check_held(deal, seat, card)
    ways = _layings(deal, seat)
    if not ways:
        raise NoCombination(
            "Your hand holds no winning combination that you may lay down: discard a card."
        )
    if card is None:
        card = combinations.best_laying(ways, deal.wild_rank)
    elif card not in ways:
        raise DiscardBreaksCombination(
            "The cards left without {card} are no winning combination: call with another discard, "
            "or without naming one.",
            card=card,
        )
    laid = tuple(other for other in deal.hands[seat].cards if other != card)
    combination = combinations.describe(ways[card], laid)
    assert combination is not None
    yield ev.Called(seat, combination, card, last_turn=deal.caller is not None)


def _fold(deal: Deal, seat: int) -> Iterator[ev.DealEvent]:
    hand = deal.hands.get(seat)
    if hand is None or hand.folded:
        raise NotSeated("Seat {seat} is not in this deal.", seat=seat)
    if deal.phase is Phase.OVER:
        raise WrongPhase("This deal is over; wait for the next one.")
    if hand.laid:
        raise WrongPhase("A hand that is laid down stays in the showdown.")
    yield ev.Folded(seat)


def _kept(deal: Deal) -> Card | None:
    """The card that may not be discarded in this turn, since it came from the discard pile."""
    return deal.drawn if deal.drawn_from is Source.DISCARD else None


def _layings(deal: Deal, seat: int) -> dict[Card | None, int]:
    cards = deal.hands[seat].cards
    return combinations.layings(cards, deal.wild_rank, deal.rules.ace_low, _kept(deal))


def _due(phase: Phase) -> WrongPhase:
    """The refusal of what is not due in a phase."""
    match phase:
        case Phase.CUT:
            return WrongPhase("The deck has to be cut first.")
        case Phase.DRAW:
            return WrongPhase("The deck is cut, and a card has to be drawn first.")
        case _:
            return WrongPhase("A card has been drawn: discard one, or call with a combination.")


def _check_turn(deal: Deal, seat: int, phase: Phase) -> None:
    hand = deal.hands.get(seat)
    if hand is None or hand.folded:
        raise NotSeated("You are not in this deal; you are dealt in with the next one.")
    if deal.phase is Phase.OVER:
        raise WrongPhase("This deal is over; wait for the next one.")
    if deal.turn != seat:
        raise NotYourTurn("It is the turn of seat {turn}: wait for yours.", turn=deal.turn)
    if deal.phase is not phase:
        raise _due(deal.phase)


def _check_held(deal: Deal, seat: int, card: Card) -> None:
    if card not in deal.hands[seat].cards:
        raise CardNotInHand("{card} is not in your hand: take a card that is.", card=card)
    if card == _kept(deal):
        raise CardJustDrawn(
            "{card} was taken from the discard pile this turn and stays in your hand: take another "
            "card.",
            card=card,
        )
