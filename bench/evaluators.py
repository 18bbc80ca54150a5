"""Evaluators that others wrote, for `bench.hands`; `pip install -e '.[bench]'` brings them.

They judge hands of poker: five cards, or the best five of six, no card wild.  Each is called in the
quickest way that it offers in public, with its own kind of cards, made beforehand.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import starmap
from typing import Any

from service.engine.cards import Card

Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Evaluator:
    """A function, and what it is called with for some cards."""

    judge: Callable[..., object]
    arguments: Callable[[Cards], tuple[Any, ...]]

    def calls(self, hands: Iterable[Cards]) -> Callable[[], Iterable[object]]:
        """What judges all these hands, each time it is called and iterated over."""
        return partial(starmap, self.judge, [self.arguments(cards) for cards in hands])


def _eval7() -> Evaluator:
    eval7 = import_module("eval7")
    return Evaluator(eval7.evaluate, lambda cards: ([*map(eval7.Card, cards)],))


def _phevaluator() -> Evaluator:
    judge, card = import_module("phevaluator.evaluator"), import_module("phevaluator.card").Card
    return Evaluator(judge.evaluate_cards, lambda cards: tuple(map(card.to_id, cards)))


def _pokerkit() -> Evaluator:
    pokerkit = import_module("pokerkit")
    return Evaluator(
        pokerkit.StandardHighHand.from_game,
        lambda cards: (tuple(pokerkit.Card.parse("".join(cards))),),
    )


def _treys() -> Evaluator:
    treys = import_module("treys")
    return Evaluator(treys.Evaluator().evaluate, lambda cards: ([], [*map(treys.Card.new, cards)]))


_EVALUATORS = {
    "eval7": _eval7,
    "phevaluator": _phevaluator,
    "pokerkit": _pokerkit,
    "treys": _treys,
}


def evaluators() -> dict[str, Evaluator | None]:
    """Each by its name on PyPI; None where it is not installed."""
    return {name: _installed(make) for name, make in _EVALUATORS.items()}


def _installed(make: Callable[[], Evaluator]) -> Evaluator | None:
    try:
        return make()
    except ModuleNotFoundError:
        return None
