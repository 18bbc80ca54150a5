"""The house's bots.  `choose` is the one door: a level, what a seat sees, chance; out comes a move.

A bot is given a view and nothing else, so it knows what a player in its seat knows and can't
cheat.  A new level is a class (`bot.Bot`) and a line in `LEVELS`.
"""

import random
from collections.abc import Mapping

from service.bots.bot import Bot
from service.bots.easy import Easy, most_promising
from service.bots.features import Turn
from service.bots.medium import Medium
from service.engine.commands import Command, Cut, Discard, Draw, Source
from service.engine.views import DealView

__all__ = ["LEVELS", "Bot", "choose", "fallback"]

LEVELS: Mapping[str, Bot] = {"easy": Easy(), "medium": Medium()}
"""The levels by name, the weakest first."""


def choose(level: str, view: DealView, rng: random.Random) -> Command:
    """The move of a bot of this level; the same for the same view and state of `rng`.

    Raises:
        KeyError: there is no such level.
        ValueError: the view is not that of the seat whose turn it is.
    """
    bot = LEVELS[level]
    turn = Turn.of(view)
    if turn.legal.cut:
        return Cut(rng.randrange(52))
    return bot.play(turn, rng)


def fallback(view: DealView) -> Command:
    """The move for a bot that failed, and for a player whose time is up: legal, and never a call.

    Raises:
        ValueError: the view is not that of the seat whose turn it is.
    """
    turn = Turn.of(view)
    if turn.legal.cut:
        return Cut(0)  # The deck is shuffled: one place is as good as another.
    if turn.legal.draw:
        return Draw(Source.STOCK)
    if turn.drawn in turn.legal.discard:  # It came from the stock.
        return Discard(turn.drawn)
    return Discard(most_promising(turn))
