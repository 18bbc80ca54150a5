"""A bot with a stop-watch beside it."""

from random import Random
from time import thread_time_ns

from service.bots.bot import Bot
from service.bots.easy import plain
from service.bots.turn import Turn
from service.simulate.tally import Tally


class Watched(Bot):
    """Plays as a bot does; a tally gets what each decision took, and what was illegal.

    Args:
        name: the bot's name in the tally.
        bot: who decides.
        tally: where it is noted.
    """

    def __init__(self, name: str, bot: Bot, tally: Tally) -> None:
        self._name = name
        self._bot = bot
        self._tally = tally

    def takes(self, turn: Turn) -> bool:
        """What the bot draws."""
        started = thread_time_ns()
        takes = self._bot.takes(turn)
        self._tally.note(self._name, "draw", thread_time_ns() - started)
        return takes

    def throws(self, turn: Turn, rng: Random) -> int:
        """What the bot throws; where it may not, what the fallback move throws."""
        started = thread_time_ns()
        card = self._bot.throws(turn, rng)
        self._tally.note(self._name, "discard", thread_time_ns() - started)
        held = turn.hand & ~turn.kept
        if card & held and card.bit_count() == 1:
            return card
        self._tally.illegal[self._name] += 1
        return plain(turn)
