"""The level `medium`: counts what would complete its hand, but has eyes for its own hand only."""

import random

from service.bots.bot import Bot
from service.bots.features import Turn, least_missed, outs, promise
from service.engine.cards import DECK, Card


class Medium(Bot):
    """Keeps the five cards that most cards of the deck would complete.

    It is weaker than it could be, to leave room for a level above it: it forgets what was
    discarded, and takes nothing from the discard pile but a wild card.
    """

    def takes(self, turn: Turn, top: Card) -> bool:
        """It takes a wild card."""
        return turn.is_wild(top)

    def throws(self, turn: Turn, rng: random.Random) -> Card:  # noqa: ARG002 - it is never careless.
        """It throws what leaves the most ways to win; of equals, what leaves the most promise."""
        unseen = [card for card in DECK if card not in turn.hand and card != turn.wild_card]
        return least_missed(turn, lambda cards: (outs(turn, cards, unseen), promise(turn, cards)))
