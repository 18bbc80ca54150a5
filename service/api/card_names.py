"""What cards are called, so that a client can say or show "ace of hearts" in its language."""

from typing import Any

from service.api.languages import Phrase, say
from service.engine.cards import DECK

RANKS = {
    "A": Phrase("ace"),
    "K": Phrase("king"),
    "Q": Phrase("queen"),
    "J": Phrase("jack"),
    "T": Phrase("ten"),
    "9": Phrase("nine"),
    "8": Phrase("eight"),
    "7": Phrase("seven"),
    "6": Phrase("six"),
    "5": Phrase("five"),
    "4": Phrase("four"),
    "3": Phrase("three"),
    "2": Phrase("two"),
}
"""From high to low."""

SUITS = {
    "c": (Phrase("clubs"), Phrase("of clubs"), "♣"),
    "d": (Phrase("diamonds"), Phrase("of diamonds"), "♦"),
    "h": (Phrase("hearts"), Phrase("of hearts"), "♥"),
    "s": (Phrase("spades"), Phrase("of spades"), "♠"),
}
"""The name alone, the name as a card has it, and the sign."""

CARD = Phrase("{rank} {of_suit}")
"""How a card's name is made of them: some languages say the suit first."""


def names() -> dict[str, Any]:
    """The names of all ranks, suits and cards."""
    return {
        "ranks": [{"rank": rank, "name": say(name)} for rank, name in RANKS.items()],
        "suits": [
            {"suit": suit, "name": say(name), "symbol": sign}
            for suit, (name, _, sign) in SUITS.items()
        ],
        "deck": [{"card": card, "name": _name(card)} for card in DECK],
    }


def _name(card: str) -> str:
    return say(CARD).format(rank=say(RANKS[card[0]]), of_suit=say(SUITS[card[1]][1]))
