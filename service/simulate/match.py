"""Who plays whom, and on which cards."""

import hashlib
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from service.engine.house_rules import HouseRules

CHUNK = 10
"""How many blocks are played at a time: a fixed number, so that sums come out the same on any
number of processes."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One player among players of one other kind; among its like, where both are the same."""

    player: str
    against: str

    @property
    def is_of_equals(self) -> bool:
        """Whether all at the table are the same."""
        return self.player == self.against


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some of the blocks of a pairing, by their numbers."""

    pairing: Pairing
    blocks: range


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament: every one of some players against every other.

    Args:
        names: the players; the first is the one that the ladder is measured from.
        players: how many sit at a table, 2 to 5.
        deals: the different deals of each match; each is a block, played once from every seat.
        seed: where all chance begins.
        rules: the house rules.
        bots: where players that are no levels of the house are found, by name.
        seconds: how long a bot may take to answer that is asked over HTTP.
        first: the number of the first deal; 1 is the one that bots are tried out in.
    """

    names: tuple[str, ...]
    players: int = 2
    deals: int = 1_000
    seed: int = 1
    rules: HouseRules = field(default_factory=HouseRules)
    bots: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 2.0
    first: int = 2

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Each against each.

        At a table of more than two, one among several of the other is another match than the
        reverse.  One name alone plays among its like.
        """
        if len(self.names) == 1:
            return (Pairing(*self.names * 2),)
        if self.players == 2:
            return tuple(Pairing(b, a) for a, b in itertools.combinations(self.names, 2))
        return tuple(itertools.starmap(Pairing, itertools.permutations(self.names, 2)))

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """All that is to be played, in order: the pairings go on side by side."""
        return tuple(
            Chunk(pairing, range(first, min(first + CHUNK, self.deals)))
            for first in range(0, self.deals, CHUNK)
            for pairing in self.pairings
        )

    def seed_of(self, pairing: Pairing, block: int) -> str:
        """The seed of a block's cards.

        Each pairing has cards of its own: luck that several shared would not show in the ladder's
        intervals, which take matches for independent.
        """
        text = f"{self.seed}:{pairing.player}:{pairing.against}:{block}"
        return hashlib.sha256(text.encode()).hexdigest()

    def number_of(self, pairing: Pairing, block: int, place: int) -> int:
        """The number of a deal, which no other deal of the tournament has.

        Args:
            pairing: who plays.
            block: whose cards are dealt.
            place: how many times they have been dealt before.
        """
        before = block * len(self.pairings) + self.pairings.index(pairing)
        return self.first + before * self.players + place

    def seatings(self, pairing: Pairing) -> Iterator[tuple[str, ...]]:
        """Who sits where, in the order of play, each time that a block's cards are played.

        The one player moves through all places, so that everyone has every hand once.
        """
        if pairing.is_of_equals:
            yield (pairing.player,) * self.players
            return
        for place in range(self.players):
            others = [pairing.against] * (self.players - 1)
            yield (*others[:place], pairing.player, *others[place:])
