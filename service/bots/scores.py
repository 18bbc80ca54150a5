"""What a player won over many duplicate deals, and how sure that is.

A block is one deal played once from each seat: the same cards, the dealer moved on by one seat
each time, so that each player gets each hand. What luck gives in one of them it takes in another,
and the shares of whole blocks scatter far less than those of single deals.
"""

import math
from dataclasses import dataclass
from typing import Self

NORMAL = 1.96
"""95 % of what scatters normally lies within so many standard deviations."""

RULE_OF_THREE = 3
"""What never happened in n blocks is, at 95 %, no more frequent than 3 in n."""


@dataclass(frozen=True, slots=True)
class Score:
    """The shares of the pots that a player won, each of a block of duplicate deals.

    Args:
        blocks: how many there were.
        total: the sum of the shares.
        squares: the sum of their squares.
    """

    blocks: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, share: float) -> Self:
        """The score with one more block, of which the player won this part (0 to 1)."""
        return type(self)(self.blocks + 1, self.total + share, self.squares + share * share)

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.blocks + other.blocks, self.total + other.total, self.squares + other.squares
        )

    @property
    def share(self) -> float:
        """The part of all pots that the player won; 0 where nothing was played."""
        return self.total / self.blocks if self.blocks else 0.0

    @property
    def error(self) -> float:
        """Half of the share's 95 % interval, at most 1.

        A few blocks may be alike by luck, and then scatter too little: so it is never below what
        the rule of three says.
        """
        if self.blocks < 2:
            return 1.0
        spread = max(0.0, self.squares - self.total * self.total / self.blocks)
        scatter = NORMAL * math.sqrt(spread / (self.blocks - 1) / self.blocks)
        return min(1.0, max(scatter, RULE_OF_THREE / self.blocks))

    @property
    def low(self) -> float:
        """The lower end of the share's 95 % interval."""
        return max(0.0, self.share - self.error)

    @property
    def high(self) -> float:
        """The upper end of the share's 95 % interval."""
        return min(1.0, self.share + self.error)

    def elo(self, players: int = 2) -> float:
        """The difference in Elo to the others at the table, taken for equals among themselves.

        400 points are odds of ten to one to win a pot from any one of them. A player who won all or
        nothing is taken to have lacked, or won, half a deal.
        """
        return elo_of(self.share, players, self.blocks)


def elo_of(share: float, players: int, blocks: int) -> float:
    """The Elo that a share of the pots stands for; 0 where nothing was played (see `Score.elo`)."""
    if not blocks:
        return 0.0
    least = 0.5 / (players * blocks)
    kept = min(max(share, least), 1 - least)
    return 400 * math.log10(kept * (players - 1) / (1 - kept))
