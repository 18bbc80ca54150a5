"""Cards: one 52-card deck, written rank then suit (docs/rules.md, "Cards")."""

from collections.abc import Iterable
from typing import NewType

from service.engine.errors import NotACard

Card = NewType("Card", str)
"""A card in its canonical two characters: `As`, `Td`, `7c`."""

RANKS = "23456789TJQKA"
"""The ranks, low to high."""

SUITS = "cdhs"
"""Clubs, diamonds, hearts and spades; suits have no order."""

DECK: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)

_RANK_SPELLINGS = {spelling: rank for rank in RANKS for spelling in (rank, rank.lower())}
_RANK_SPELLINGS["10"] = "T"
_SUIT_SPELLINGS = {
    spelling: suit
    for suit, symbols in zip(SUITS, ("♣♧", "♦♢", "♥♡", "♠♤"), strict=True)
    for spelling in (suit, suit.upper(), *symbols, *(symbol + "\ufe0f" for symbol in symbols))
}
# Every spelling is listed: what Unicode takes for another case or form of a letter is no card.
_SPELLINGS = {
    rank_spelling + suit_spelling: Card(rank + suit)
    for rank_spelling, rank in _RANK_SPELLINGS.items()
    for suit_spelling, suit in _SUIT_SPELLINGS.items()
}


def parse(text: str) -> Card:
    """Read a card in any accepted spelling: `Td`, `10d`, `TD`, `T♦`.

    Raises:
        NotACard: the text names no card.
    """
    try:
        return _SPELLINGS[text]
    except KeyError:
        raise NotACard(text) from None


def parse_rank(text: str) -> str:
    """Read a rank in any accepted spelling: `T`, `t`, `10`.

    Raises:
        NotACard: the text names no rank.
    """
    try:
        return _RANK_SPELLINGS[text]
    except KeyError:
        raise NotACard(text) from None


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards from the highest rank to the lowest, the way people hold them."""
    return tuple(sorted(cards, key=lambda card: (RANKS.index(card[0]), card[1]), reverse=True))
