"""The level `easy`: goes by the look of its hand, hopes for straight flushes, and is careless."""

import random
from dataclasses import dataclass

from service.bots.bot import Bot
from service.bots.features import Turn, least_missed, promise, without
from service.engine.cards import Card


@dataclass(frozen=True, slots=True)
class Easy(Bot):
    """Plays by how promising a hand looks; `careless` is how often it discards without looking."""

    careless: float = 0.4

    def takes(self, turn: Turn, top: Card) -> bool:
        """It takes a card with which its hand looks better than now, whatever it then throws."""
        six = (*turn.hand, top)
        offered = max(promise(turn, without(six, card)) for card in turn.hand)
        return offered > promise(turn, turn.hand)

    def throws(self, turn: Turn, rng: random.Random) -> Card:
        """It throws the card it likes least, or now and then any card that isn't wild."""
        if rng.random() < self.careless:
            return rng.choice(turn.throwable)
        return most_promising(turn)


def most_promising(turn: Turn) -> Card:
    """The discard that leaves the most promising hand: what `easy` throws with some care."""
    return least_missed(turn, lambda cards: promise(turn, cards))
