"""Deals in a given position, and a way to play on from there."""

from dataclasses import replace

from service.engine.cards import DECK, Card
from service.engine.commands import Command, Discard, Draw, Source
from service.engine.deal import Deal, Hand, Phase, new_deal
from service.engine.house_rules import HouseRules
from service.engine.rules import apply

SEED = "00" * 32
FROM_STOCK = Draw(Source.STOCK)
FROM_PILE = Draw(Source.DISCARD)


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a text like `Ks Kh 2c`."""
    return tuple(Card(card) for card in text.split())


def position(
    hands: dict[int, str],
    *,
    wild: str,
    stock: str = "",
    pile: str = "",
    rest_under_pile: bool = False,
    ante: int = 1,
    rules: HouseRules | None = None,
) -> Deal:
    """A deal in which the first seat of `hands` is to draw.

    Args:
        hands: the seats in order of play, the dealer last, with five cards each.
        wild: the card that was turned up.
        stock: the cards on top of the stock, the top first.
        pile: the cards on top of the discard pile, the top first.
        rest_under_pile: whether the cards not named lie under the pile, not under the stock.
        ante: chips that each seat has paid.
        rules: the house rules, if not the usual ones.
    """
    named = cards(" ".join((*hands.values(), wild, stock, pile)))
    assert len(set(named)) == len(named), "a card is named twice"
    rest = tuple(card for card in DECK if card not in named)
    deal = new_deal(SEED, tuple(hands), ante, rules or HouseRules())
    return replace(
        deal,
        phase=Phase.DRAW,
        turn=deal.seats[0],
        wild_card=Card(wild),
        hands={seat: Hand(cards(text)) for seat, text in hands.items()},
        stock=cards(stock) + (() if rest_under_pile else rest),
        pile=cards(pile) + (rest if rest_under_pile else ()),
    )


def play(deal: Deal, *moves: tuple[int, Command]) -> Deal:
    """The deal after these seats' commands."""
    for seat, command in moves:
        deal, _ = apply(deal, seat, command)
    return deal


def pass_turn(deal: Deal) -> Deal:
    """The deal after a turn in which a card of the stock is drawn and discarded."""
    assert deal.turn is not None
    drawn = play(deal, (deal.turn, FROM_STOCK))
    assert drawn.drawn is not None
    return play(drawn, (deal.turn, Discard(drawn.drawn)))
