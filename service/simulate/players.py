"""Who can play: the house's levels, a player by chance, and bots from outside."""

import pkgutil
import traceback
from collections.abc import Mapping
from functools import cache
from random import Random

from service.bots import LEVELS
from service.bots.bot import Bot
from service.bots.turn import Turn
from service.simulate.outside import Outside


class ByChance(Bot):
    """Anything legal, but a call as soon as there is one: a yardstick for all others."""

    def takes(self, turn: Turn) -> bool:
        """It takes every other card, which is left to what it happens to see."""
        return bool(hash((turn.hand, turn.pile)) >> 8 & 1)

    def throws(self, turn: Turn, rng: Random) -> int:
        """It throws any card that it may, a wild one too."""
        held = turn.hand & ~turn.kept
        return rng.choice([1 << place for place in range(52) if held >> place & 1])


HOUSE: Mapping[str, Bot] = {"random": ByChance(), **LEVELS}
"""The players that need no address, the weakest first."""


class NoSuchBot(Exception):
    """A bot can't be had; the text says why."""


def is_url(where: str) -> bool:
    """Whether a bot is asked over HTTP; else a class of Python is meant."""
    return where.startswith(("http://", "https://"))


@cache
def player(name: str, where: str | None, seconds: float) -> Bot | Outside:
    """A player, one in each process.

    Args:
        name: its name.
        where: its URL, or its class as `package.module:Class`; None for those of the house.
        seconds: how long it may take to answer over HTTP.

    Raises:
        NoSuchBot: there is no such class, it is no bot, or it fails at once.
    """
    if where is None:
        return HOUSE[name]
    return Outside(where, seconds) if is_url(where) else _made(name, where)


def faulty(name: str, where: str, error: Exception) -> NoSuchBot:
    """What is said of a bot in whose own program something is wrong."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return NoSuchBot(
        f"The bot {name} ({where}) fails: {type(error).__name__}: {error} "
        f"({last.filename}, line {last.lineno})"
    )


def _made(name: str, where: str) -> Bot:
    try:
        made = pkgutil.resolve_name(where)()
    except Exception as error:  # Whatever goes wrong in a program that is somebody else's.
        raise faulty(name, where, error) from error
    if not isinstance(made, Bot):
        raise NoSuchBot(f"The bot {name} ({where}) is no service.bots.Bot.")
    return made
