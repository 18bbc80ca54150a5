"""An outside player to measure the house's bots by: greedy, and written without their features.

For each discard it counts the unseen cards that would complete a hand with the next draw, each
tried by the rules' own evaluator.  It remembers what it has seen, takes the discard pile's card
where that leaves it better off, never throws a wild card, and calls at once.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations as choices
from random import Random
from typing import NamedTuple

from service.bots.bot import Bot
from service.bots.turn import Turn
from service.engine.cards import DECK, RANKS, Card
from service.engine.combinations import mask, strength
from service.engine.commands import Call, Command, Cut, Discard, Draw, Source
from service.engine.views import DealView


class Worth(NamedTuple):
    """What five cards are worth; the first difference decides."""

    outs: int
    pairs: int
    near: int


@dataclass(frozen=True, slots=True)
class Table:
    """What greedy knows beside its own hand."""

    unseen: Sequence[Card]
    wild_rank: str
    ace_low: bool

    def worth(self, five: Sequence[Card]) -> Worth:
        """How many unseen cards complete five cards; of equals, their pairs and runs count."""
        held = mask(five)
        outs = sum(
            1 for card in self.unseen if strength(held | mask([card]), self.wild_rank, self.ace_low)
        )
        ranks = Counter(card[0] for card in five if card[0] != self.wild_rank)
        pairs = sum(1 for count in ranks.values() if count > 1)
        near = sum(self._near(one, other) for one, other in choices(five, 2))
        return Worth(outs, pairs, near)

    def best(self, hand: Sequence[Card], stays: Card | None = None) -> tuple[Worth, Card]:
        """The discard from six cards that leaves most, and how much: never a wild card."""
        ways = [card for card in hand if card != stays and card[0] != self.wild_rank]
        return max(
            ((self.worth([c for c in hand if c != out]), out) for out in ways),
            key=lambda way: (way[0], -RANKS.index(way[1][0])),
        )

    def takes(self, five: Sequence[Card], top: Card) -> bool:
        """Whether the discard pile's card leaves it better off than it is."""
        if strength(mask([*five, top]), self.wild_rank, self.ace_low):
            return True
        if top[0] == self.wild_rank:
            return True
        return self.best([*five, top], top)[0][:2] > self.worth(five)[:2]

    def _near(self, one: Card, other: Card) -> bool:
        if self.wild_rank in (one[0], other[0]) or one[1] != other[1]:
            return False
        return abs(RANKS.index(one[0]) - RANKS.index(other[0])) < 5


def greedy(view: DealView, chance: Random) -> Command:
    """Its move, from what a seat sees."""
    you = view.you
    assert you is not None
    if you.legal.cut:
        return Cut(chance.randrange(52))
    if you.legal.call is not None:
        return Call()
    table = _seen_by(view)
    if you.legal.draw:
        takes = bool(view.pile) and table.takes(you.hand, view.pile[0])
        return Draw(Source.DISCARD if takes else Source.STOCK)
    return Discard(table.best(you.hand, you.drawn if you.drawn_from is Source.DISCARD else None)[1])


def _seen_by(view: DealView) -> Table:
    assert view.you is not None
    assert view.wild_card is not None
    seen = {*view.you.hand, *view.pile, view.wild_card}
    for number, seat in view.seats.items():
        if number != view.you.seat:
            seen.update(seat.shown or seat.known)
    unseen = [card for card in DECK if card not in seen]
    return Table(unseen, view.wild_card[0], view.ace_low)


class Greedy(Bot):
    """The same player as the house's bots are asked."""

    def takes(self, turn: Turn) -> bool:
        """Whether it takes the discard pile's card."""
        return self._table(turn).takes(_cards(turn.hand), *_cards(turn.top))

    def throws(self, turn: Turn, rng: Random) -> int:  # noqa: ARG002 - it leaves nothing to chance.
        """The card it discards."""
        stays = next(iter(_cards(turn.kept)), None)
        return mask([self._table(turn).best(_cards(turn.hand), stays)[1]])

    def _table(self, turn: Turn) -> Table:
        return Table(_cards(turn.unseen), turn.wild_rank, turn.ace_low)


def _cards(held: int) -> list[Card]:
    """The cards of a mask."""
    return [card for place, card in enumerate(DECK) if held >> place & 1]
