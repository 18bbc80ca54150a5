"""Sandbox matches: an outside bot plays duplicate deals against house bots, and for no chips.

A block is one deal played once from each seat: the same cards, the dealer moved on by one seat.
The blocks come in groups, and within a group all are played from one seat before any is from the
next, so that a deal and its doubles lie far apart: 25 to 50 deals, or as many as there are blocks.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Self

from service.bots.scores import Score
from service.engine.deal import Reason
from service.engine.house_rules import HouseRules
from service.engine.replacing import replace
from service.engine.showdown import Result

GROUP = 50
"""How many blocks are in a group at most; so many sums of shares are open."""

MOST_DEALS = 2_000
"""How many deals a match may be asked to have."""

LOG_KEPT = 2_000
"""How many of the latest events a match's log keeps, give or take a hundred."""

KEPT_MS = 3600_000
"""How long a match is kept that is over."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a deal belongs: its block in the match, its place in the group, and its lap there.

    The lap says from which seat the block is played; `last` is whether its group ends with it.
    """

    block: int
    place: int
    lap: int
    last: bool


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What a table plays that is a sandbox match, and how far it has come."""

    levels: tuple[str, ...]
    """The levels of the house bots, one a seat from the second on; the guest has the first."""
    deals: int
    """How many deals it has: whole blocks."""
    seed: str
    """All of its chance follows from this text."""
    seed_chosen: bool = False
    """Whether its player has chosen the seed, and so knows it."""
    played: int = 0
    """How many deals count by now."""
    score: Score = field(default_factory=Score)
    """The guest's shares of the blocks that are whole."""
    sums: tuple[float, ...] = ()
    """The guest's shares so far of each block of the present group that has begun."""

    @property
    def players(self) -> int:
        """How many play, the guest included: so many deals are a block."""
        return len(self.levels) + 1

    @property
    def over(self) -> bool:
        """Whether all of its deals are played."""
        return self.played >= self.deals

    def place(self, number: int) -> Place:
        """Where the deal of a number, from 1, belongs."""
        blocks = self.deals // self.players
        groups = -(-blocks // GROUP)
        # They are as equal as can be: a group's first block is its number * blocks // groups.
        group = ((number - 1) // self.players * groups + groups - 1) // blocks
        first, end = (each * blocks // groups for each in (group, group + 1))
        lap, place = divmod(number - 1 - first * self.players, end - first)
        return Place(first + place, place, lap, number == end * self.players)

    def chance(self, number: int) -> bytes:
        """The chance of a deal, from which its seed and its cut follow; its doubles have the same.

        It is the SHA-256 of the match's seed, a colon, and the number of the block from 0.
        """
        return _digest(f"{self.seed}:{self.place(number).block}")

    def dealer(self, number: int) -> int:
        """The seat that deals the deal of a number."""
        return self.place(number).lap + 1

    def whims(self, version: int) -> bytes:
        """The chance of the bot whose turn it is at a version of the table."""
        return _digest(f"{self.seed}:bot:{version}")

    def counted(self, share: float) -> Self:
        """The match with its next deal, of whose pot the guest has won this part."""
        at = self.place(self.played + 1)
        sums = list(self.sums if at.lap else (*self.sums, 0.0))
        sums[at.place] += share
        whole = at.lap == self.players - 1
        score = self.score.add(sums[at.place] / self.players) if whole else self.score
        kept = () if at.last else tuple(sums)
        return replace(self, played=self.played + 1, score=score, sums=kept)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def new_sandbox(levels: tuple[str, ...], deals: int, seed: str, *, chosen: bool) -> Sandbox:
    """A match of so many deals, or of a few more so that its blocks are whole."""
    players = len(levels) + 1
    return Sandbox(levels, -(-deals // players) * players, seed, chosen)


def share_of(result: Result, seat: int) -> float:
    """The part of the pot that a seat won, from 0 to 1; of a void deal all have the same."""
    if result.reason is Reason.VOID:
        return 1 / len(result.hands)
    return 1 / len(result.winners) if seat in result.winners else 0.0


SANDBOX_RULES = HouseRules(cut="auto")
"""The usual house rules of a match: nobody is asked to cut, since the cut is part of the double."""
