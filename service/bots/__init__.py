"""PLACEHOLDER by the lead so that the service starts; to be replaced by the owner of service/bots."""

import random

from service.engine.commands import Call, Command, Cut, Discard, Draw, Source
from service.engine.views import DealView

LEVELS = {"easy": None, "medium": None}


def choose(level: str, view: DealView, rng: random.Random) -> Command:
    assert view.you
    legal = view.you.legal
    if legal.cut:
        return Cut(rng.randrange(52))
    if legal.call is not None:
        return Call()
    return rng.choice(list(legal.commands()))


def fallback(view: DealView) -> Command:
    assert view.you
    legal = view.you.legal
    if legal.draw:
        return Draw(Source.STOCK)
    if view.you.drawn_from is Source.STOCK and view.you.drawn:
        return Discard(view.you.drawn)
    return Discard(legal.discard[0])
