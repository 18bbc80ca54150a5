"""What every level has in common: it calls as soon as it can."""

import random
from abc import ABC, abstractmethod

from service.bots.features import Turn
from service.engine.cards import Card
from service.engine.commands import Call, Command, Discard, Draw, Source


class Bot(ABC):
    """A level of play: what it takes from the discard pile, and what it throws there.

    Bots keep nothing from one move to the next: any process can make any move.
    """

    @abstractmethod
    def takes(self, turn: Turn, top: Card) -> bool:
        """Whether it draws the top card of the discard pile, not an unknown one of the stock."""

    @abstractmethod
    def throws(self, turn: Turn, rng: random.Random) -> Card:
        """The card it discards, one of `turn.throwable`."""

    def play(self, turn: Turn, rng: random.Random) -> Command:
        """Its move, after the cut."""
        if turn.legal.draw:
            takes = turn.top is not None and self.takes(turn, turn.top)
            return Draw(Source.DISCARD if takes else Source.STOCK)
        if turn.legal.call is not None:
            return Call()  # Without a card named, the highest combination is laid.
        return Discard(self.throws(turn, rng))
