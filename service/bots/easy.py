"""The level `easy`: goes by the look of its hand, hopes for straight flushes, and is careless."""

import random
from dataclasses import dataclass

from service.bots.bot import Bot
from service.bots.features import cards, least_missed, promise, throwable
from service.bots.turn import Turn


@dataclass(frozen=True, slots=True)
class Easy(Bot):
    """Plays by how promising a hand looks; `careless` is how often it discards without looking."""

    careless: float = 0.4

    def takes(self, turn: Turn) -> bool:
        """It takes a card with which its hand looks better than now, whatever it then throws."""
        six = turn.hand | turn.top
        offered = max(promise(turn, six ^ card) for card in cards(turn.hand))
        return offered > promise(turn, turn.hand)

    def throws(self, turn: Turn, rng: random.Random) -> int:
        """It throws the card it likes least, or now and then any card that isn't wild."""
        if rng.random() < self.careless:
            return rng.choice(list(cards(throwable(turn))))
        return most_promising(turn)


def plain(turn: Turn) -> int:
    """The discard of a player who doesn't think: what it drew, unless that has to stay."""
    return most_promising(turn) if turn.kept else turn.drawn


def most_promising(turn: Turn) -> int:
    """The discard that leaves the most promising hand: what `easy` throws with some care."""
    return least_missed(turn, lambda left: promise(turn, left))
