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

_SPELLINGS = str.maketrans({"♣": "c", "♦": "d", "♥": "h", "♠": "s", "\ufe0f": None})
_CARDS = {card.lower(): card for card in DECK}


def parse(text: str) -> Card:
    """Read a card in any accepted spelling: `Td`, `10d`, `TD`, `T♦`.

    Raises:
        NotACard: the text names no card.
    """
    spelled = text.translate(_SPELLINGS).lower()
    if spelled.startswith("10"):
        spelled = "t" + spelled[2:]
    try:
        return _CARDS[spelled]
    except KeyError:
        raise NotACard(text) from None


def parse_rank(text: str) -> str:
    """Read a rank in any accepted spelling: `T`, `t`, `10`.

    Raises:
        NotACard: the text names no rank.
    """
    rank = "T" if text == "10" else text.upper()
    if len(rank) == 1 and rank in RANKS:
        return rank
    raise NotACard(text)


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards from the highest rank to the lowest, the way people hold them."""
    return tuple(sorted(cards, key=lambda card: (RANKS.index(card[0]), card[1]), reverse=True))
