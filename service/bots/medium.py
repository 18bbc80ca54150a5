"""The level `medium`: counts what would complete its hand, but has eyes for its own hand only."""

import random

from service.bots.bot import Bot
from service.bots.features import least_missed, outs, promise
from service.bots.turn import ALL_CARDS, Turn


class Medium(Bot):
    """Keeps the five cards that most cards of the deck would complete.

    It is weaker than it could be, to leave room for a level above it: it forgets what was
    discarded, and takes nothing from the discard pile but a wild card.
    """

    def takes(self, turn: Turn) -> bool:
        """It takes a wild card."""
        return bool(turn.top & turn.wild)

    def throws(self, turn: Turn, rng: random.Random) -> int:  # noqa: ARG002 - it is never careless.
        """It throws what leaves the most ways to win; of equals, what leaves the most promise."""
        unseen = ALL_CARDS & ~turn.hand
        return least_missed(
            turn, lambda left: outs(turn, left, unseen), lambda left: promise(turn, left)
        )
