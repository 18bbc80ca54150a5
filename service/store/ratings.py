"""The ratings of players, and the boards that rank them: what a store of them promises."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import msgspec

Kind = Literal["human", "bot"]
"""Each kind of account has a board of its own."""

MOST_POINTS = 999_999
"""The highest rating that a board can hold; they begin at 0."""

FORGET_SECONDS = 24 * 3600
"""How long it is still known which deals of a table were rated once the table is forgotten."""


class Rating(msgspec.Struct, frozen=True, array_like=True):
    """How well somebody plays, and how sure that is (service/ratings.py makes it).

    It is stored as a list, in this order: the scripts read `deals` and `points` there.

    Args:
        deals: how many deals it rests on.
        won: how many of them were won, alone or with others.
        points: what is shown, and ranked by; whole, from 0 to `MOST_POINTS`.
        mu: the strength that is most likely.
        sigma: the standard deviation of that.
    """

    deals: int
    won: int
    points: int
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class Rerated:
    """What one deal does to the rating of one player; `before` is None at the first one."""

    player: str
    kind: Kind
    before: Rating | None
    after: Rating


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player on a board; `rank` begins at 1, and those with equal points share it."""

    player: str
    rank: int
    rating: Rating

    @property
    def place(self) -> str:
        """Where the player stands on the board: after it a page goes on."""
        return place(self.rating.points, self.player)


def place(points: int, player: str) -> str:
    """A player's place on a board, which sorts by points, and of equals by id."""
    return f"{points:06}-{player}"


def above(points: int) -> str:
    """What sorts after all places with so many points, and before those with more."""
    return f"{points:06}."


class Ratings(ABC):
    """Ratings and boards.  Each deal of a table changes them once, however often it is applied."""

    @abstractmethod
    def of(self, players: Iterable[str]) -> dict[str, Rating]:
        """The ratings of those of the players who have one."""

    @abstractmethod
    def apply(self, table_id: str, deal: int, changes: tuple[Rerated, ...]) -> bool:
        """Write what a deal does to its players' ratings, all or nothing.

        Where this deal of the table, or a later one, was applied before, nothing is written.

        Returns:
            False, and nothing is written, where a rating is not what it was `before`.
        """

    @abstractmethod
    def rank(self, kind: Kind, points: int) -> int:
        """The rank that so many points have on a board."""

    @abstractmethod
    def board(self, kind: Kind, after: str | None, limit: int) -> tuple[Ranked, ...]:
        """The players after a place of a board, or from its top, the best first."""

    def ranked(self, player: str, kind: Kind) -> Ranked | None:
        """A player of a kind as its board has them; None who is not rated."""
        rating = self.of([player]).get(player)
        return Ranked(player, self.rank(kind, rating.points), rating) if rating else None

    @abstractmethod
    def forget(self, table_id: str) -> None:
        """Forget in a day which deals of a table were rated: it is closed, and goes itself."""


def ranked(found: Iterable[tuple[str, Rating]], ahead: int, better: int) -> tuple[Ranked, ...]:
    """Players with the ranks that they have on a board.

    Args:
        found: players who stand there one after the other, and their ratings.
        ahead: how many stand before the first of them.
        better: how many have more points than the first of them.
    """
    ranks: list[Ranked] = []
    for number, (player, rating) in enumerate(found, start=ahead + 1):
        rank = number if ranks else better + 1
        if ranks and ranks[-1].rating.points == rating.points:
            rank = ranks[-1].rank
        ranks.append(Ranked(player, rank, rating))
    return tuple(ranks)
