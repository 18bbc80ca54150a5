"""The house's bots.  `choose` is the one door: a level, what a seat sees, chance; out comes a move.

A bot is given a view and nothing else, so it knows what a player in its seat knows and can't
cheat.  A new level is a class (`bot.Bot`) and a line in `LEVELS`.
"""

import random
from collections.abc import Mapping

from service.bots.bot import Bot
from service.bots.easy import Easy, plain
from service.bots.expert import Expert
from service.bots.hard import Hard
from service.bots.medium import Medium
from service.bots.turn import Turn
from service.engine.cards import DECK
from service.engine.commands import Command, Cut, Discard, Draw, Source
from service.engine.views import DealView

__all__ = ["LEVELS", "Bot", "choose", "fallback"]

LEVELS: Mapping[str, Bot] = {"easy": Easy(), "medium": Medium(), "hard": Hard(), "expert": Expert()}
"""The levels by name, the weakest first."""


def choose(level: str, view: DealView, rng: random.Random) -> Command:
    """The move of a bot of this level; the same for the same view and state of `rng`.

    Raises:
        KeyError: there is no such level.
        ValueError: the view is not that of the seat whose turn it is.
    """
    bot = LEVELS[level]
    if view.you is not None and view.you.legal.cut:
        return Cut(rng.randrange(52))
    return bot.play(Turn.of(view), rng)


def fallback(view: DealView) -> Command:
    """The move for a bot that failed, and for a player whose time is up: legal, and never a call.

    Raises:
        ValueError: the view is not that of the seat whose turn it is.
    """
    if view.you is not None and view.you.legal.cut:
        return Cut(0)  # The deck is shuffled: one place is as good as another.
    turn = Turn.of(view)
    if turn.drawing:
        return Draw(Source.STOCK)
    return Discard(DECK[plain(turn).bit_length() - 1])
