"""The level `expert`: plays by what hands are worth, as solved beforehand."""

import random

from service.bots.bot import Bot
from service.bots.turn import Turn


class Expert(Bot):
    """Keeps the five cards that promise most, over all turns to come (docs/bots.md).

    What it reckons with needs numpy, which takes a process more time and memory than everything
    else here, so it is loaded for the first move: most processes only name the level.
    """

    def takes(self, turn: Turn) -> bool:
        """It takes a card that is worth more than an unknown one."""
        from service.bots import lookahead  # noqa: PLC0415

        return lookahead.takes(turn)

    def throws(self, turn: Turn, rng: random.Random) -> int:  # noqa: ARG002 - no chance in it.
        """It throws what it can best do without."""
        from service.bots import lookahead  # noqa: PLC0415

        return lookahead.throws(turn)
