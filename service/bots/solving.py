"""Solves what hands are worth, and writes `service/bots/data`: `python -m service.bots.solving`.

The value of five cards before drawing is the chance to complete a combination before anybody else
calls.  A player draws an unseen card, each as likely as any other, or takes that of the discard
pile where it is better; then calls, or throws a card, and goes on with the value of the five left
if nobody else calls meanwhile.  The values are those that come out again when this is worked out
from themselves, so it is repeated until they do.  More in docs/bots.md, "How expert was solved".
"""

from dataclasses import dataclass

import click
import numpy as np

from service.bots.classes import Classes, Masks, as_dealt
from service.bots.turn import SUITS
from service.bots.values import FIVES, ONE, PATIENCE, Floats, file, laid
from service.bots.vectors import strengths
from service.engine.cards import RANKS

SIXES = Classes(6)
"""The classes of hands of six."""
WILDS = 3
"""How many wild cards are in play."""
UNSEEN = 46
"""The cards of the deck but for the five in hand and the one that was turned up."""
CLOSE = 1e-4
"""Where no value changes by more, they are solved: a fortieth of the step of a byte."""
_CARDS = np.array([1 << suit + rank for suit in SUITS for rank in range(12)])
"""The natural cards, by `classes.natural`."""


@dataclass(frozen=True, slots=True)
class Fives:
    """The classes of five cards with so many wild ones, and where a draw takes them."""

    classes: Masks
    wilds: int
    natural: Masks
    """The class of six cards with each natural card that may be drawn; a row for each class."""
    wild: Masks
    """The class with another wild card, of which `WILDS - wilds` may be drawn."""


class Solver:
    """The moves between hands; they are the same for every wild rank, but what wins is not."""

    def __init__(self) -> None:
        self.fives: list[Fives] = []
        self._sixes: list[tuple[int, Masks, Masks]] = []
        cards = np.zeros(1, np.int64)
        for wilds in range(5, -1, -1):
            grown = _grown(cards)
            natural = SIXES.of(grown)
            sixes, first = np.unique(natural, return_index=True)
            drawn = grown.reshape(-1)[first]
            if wilds <= WILDS:
                self.fives.append(Fives(FIVES.of(cards), wilds, natural, SIXES.of(cards)))
                self._sixes.append((wilds, sixes, drawn))
            cards = drawn

    def laid(self, wild_rank: str, ace_low: bool) -> Floats:
        """What each class of six cards is worth laid down; 0 where it holds no combination."""
        worth = np.zeros(SIXES.count, np.float32)
        for wilds, classes, cards in self._sixes:
            hands = as_dealt(cards, wild_rank, wilds).view(np.uint64)
            worth[classes] = laid(strengths(hands, wild_rank, ace_low))
        return worth

    def step(self, values: Floats, laid: Floats) -> Floats:
        """The values as they follow from themselves."""
        kept = np.zeros(SIXES.count, np.float32)
        for fives in self.fives:  # A hand of six is worth what the best five of its cards are.
            np.maximum.at(kept, fives.natural, values[fives.classes, np.newaxis])
        sixes = np.where(laid > 0, laid, np.float32(PATIENCE) * kept)
        after = np.zeros_like(values)
        for fives in self.fives:
            drawn = sixes[fives.natural]
            wild = (WILDS - fives.wilds) * sixes[fives.wild]
            stock = (drawn.sum(axis=1) + wild) / UNSEEN
            after[fives.classes] = np.maximum(drawn, stock[:, np.newaxis]).mean(axis=1)
        return after

    def solve(self, wild_rank: str, ace_low: bool, start: Floats) -> Floats:
        """The values, from any to start with; the nearer these are, the sooner."""
        worth = self.laid(wild_rank, ace_low)
        values, changed = start, 1.0
        while changed > CLOSE:
            after = self.step(values, worth)
            changed = float(np.abs(after - values).max())
            values = after
        return values


def _grown(cards: Masks) -> Masks:
    """Each of these hands with each card that it does not hold; a row for each hand."""
    more = cards[:, np.newaxis] | _CARDS
    grown: Masks = more[more != cards[:, np.newaxis]]
    return grown.reshape(len(cards), -1)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Solve what hands are worth, for each wild rank, with the ace high and low."""
    solver, values = Solver(), np.zeros(FIVES.count, np.float32)
    for ace_low in (False, True):
        table = np.zeros((len(RANKS), FIVES.count), np.uint8)
        with click.progressbar(RANKS, label=file(ace_low).name) as ranks:
            for wild, wild_rank in enumerate(ranks):
                values = solver.solve(wild_rank, ace_low, values)
                table[wild] = np.rint(ONE * values)
        np.save(file(ace_low), table)


if __name__ == "__main__":
    main()
