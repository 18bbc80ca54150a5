"""Players by name, and deals that they play by the engine, each from its own view."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random

from service import bots
from service.engine import rules, views
from service.engine.commands import Call, Command, Cut
from service.engine.deal import Deal
from service.engine.views import DealView
from tests.bots.greedy import greedy

Player = Callable[[DealView, Random], Command]


def by_chance(view: DealView, chance: Random) -> Command:
    """Any legal move, but a call as soon as there is one."""
    assert view.you is not None
    if view.you.legal.cut:
        return Cut(chance.randrange(52))
    if view.you.legal.call is not None:
        return Call()
    return chance.choice(list(view.you.legal.commands()))


PLAYERS: Mapping[str, Player] = {
    "random": by_chance,
    "greedy": greedy,
    **{level: partial(bots.choose, level) for level in bots.LEVELS},
}
"""Who plays."""


@dataclass(frozen=True, slots=True)
class Move:
    """What the player whose turn it was did, and the deal that follows."""

    before: Deal
    command: Command
    after: Deal


def moves(deal: Deal, players: Mapping[int, Player], chance: Random) -> Iterator[Move]:
    """Play a deal to its end, each seat by its player."""
    while deal.turn is not None:
        before = deal
        command = players[deal.turn](views.view(deal, deal.turn), chance)
        deal, _ = rules.apply(deal, deal.turn, command)
        yield Move(before, command, deal)
