"""What every level has in common: it calls as soon as it can."""

import random
from abc import ABC, abstractmethod

from service.bots.turn import Turn
from service.engine.cards import DECK
from service.engine.commands import Call, Command, Discard, Draw, Source


class Bot(ABC):
    """A level of play: what it takes from the discard pile, and what it throws there.

    Bots keep nothing from one move to the next: any process can make any move.
    """

    @abstractmethod
    def takes(self, turn: Turn) -> bool:
        """Whether it draws the top card of the discard pile, not an unknown one of the stock.

        It is asked only where there is one.
        """

    @abstractmethod
    def throws(self, turn: Turn, rng: random.Random) -> int:
        """The card it discards; never `turn.kept`."""

    def play(self, turn: Turn, rng: random.Random) -> Command:
        """Its move, after the cut."""
        if turn.drawing:
            takes = turn.top and self.takes(turn)
            return Draw(Source.DISCARD if takes else Source.STOCK)
        if turn.can_call:
            return Call()  # Without a card named, the highest combination is laid.
        return Discard(DECK[self.throws(turn, rng).bit_length() - 1])
