"""Who plays how well: what a deal tells of its players (docs/design.md, "Ratings").

A deal says who has won, and nothing about the others among each other.  So each winner is compared
with each loser, as in a game of two, and these comparisons share the weight of one deal.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from service.engine.showdown import Result
from service.store.base import ATTEMPTS, Store, Unavailable
from service.store.ratings import MOST_POINTS, Kind, Rating, Rerated
from service.tables.table import Table

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFull

FIRST_POINTS = 1000
"""What a rating is before the first deal."""

POINTS = 28
"""Points to one of the model's units: so a difference between two well known players is Elo's."""


@dataclass(frozen=True, slots=True)
class Contest:
    """The accounts of one kind in a rated deal; at least one of them has won."""

    kind: Kind
    winners: tuple[str, ...]
    losers: tuple[str, ...]

    @property
    def players(self) -> tuple[str, ...]:
        """All of them."""
        return self.winners + self.losers


def rate(store: Store, table: Table, result: Result) -> None:
    """Have a deal that is over count in the ratings of its players, once, if it counts at all.

    It is safe to do again: a deal of a table counts only the first time.

    Raises:
        Unavailable: the store is away, or others' deals came between each time.
    """
    found = contests(table, result)
    if not found:
        return
    players = [player for contest in found for player in contest.players]
    for _ in range(ATTEMPTS):
        before = store.ratings.of(players)
        changes = tuple(change for contest in found for change in rerated(contest, before))
        if store.ratings.apply(table.id, table.number, changes):
            return
    raise Unavailable("The store can't take this now (`{what}`).", what="ratings")


def contests(table: Table, result: Result) -> tuple[Contest, ...]:
    """What a table's deal says of its players, by kind; nothing where it does not count.

    It counts at a rated table, where no house bot was dealt in, for the kinds of which there were
    two accounts and a winner.  Who left or folded has lost, and a stand-in plays for its player.
    """
    if not table.settings.rated or table.deal is None:
        return ()
    players = {seat: table.seats[seat].player for seat in table.deal.seats}
    if any(player.is_house_bot for player in players.values()):
        return ()
    found: list[Contest] = []
    kinds: tuple[Kind, ...] = ("human", "bot")
    for kind in kinds:
        alike = {seat: player.id for seat, player in players.items() if player.kind == kind}
        winners = tuple(id_ for seat, id_ in alike.items() if seat in result.winners)
        losers = tuple(id_ for seat, id_ in alike.items() if seat not in result.winners)
        if winners and len(alike) > 1:
            found.append(Contest(kind, winners, losers))
    return tuple(found)


def rerated(contest: Contest, before: Mapping[str, Rating]) -> tuple[Rerated, ...]:
    """What a contest does to the ratings that its players had before, if any."""
    model = _model()
    was = {player: before.get(player) or _first() for player in contest.players}
    mu = {player: rating.mu for player, rating in was.items()}
    sigma = {player: rating.sigma for player, rating in was.items()}
    weight = 2 / len(contest.players) / len(contest.winners)
    for pair in product(contest.winners, contest.losers):
        teams = [[model.rating(was[one].mu, was[one].sigma)] for one in pair]
        for player, (after,) in zip(pair, model.rate(teams), strict=True):
            mu[player] += weight * (after.mu - was[player].mu)
            sigma[player] *= (after.sigma / was[player].sigma) ** weight
    return tuple(
        Rerated(
            player,
            contest.kind,
            before.get(player),
            _rating(was[player], player in contest.winners, mu[player], sigma[player]),
        )
        for player in contest.players
    )


def _rating(was: Rating, won: bool, mu: float, sigma: float) -> Rating:
    return Rating(was.deals + 1, was.won + won, points(mu, sigma), mu, sigma)


def points(mu: float, sigma: float) -> int:
    """The points of a rating: its player is stronger than that, as good as surely."""
    ordinal = _model().rating(mu, sigma).ordinal(alpha=POINTS, target=FIRST_POINTS)
    return min(max(round(ordinal), 0), MOST_POINTS)


def uncertainty(rating: Rating) -> int:
    """The standard deviation of a rating, in points: three of them lie below its strength."""
    return round(POINTS * rating.sigma)


def _first() -> Rating:
    """What is known of somebody who has played no rated deal."""
    new = _model().rating()
    return Rating(0, 0, points(new.mu, new.sigma), new.mu, new.sigma)


@cache
def _model() -> "BradleyTerryFull":
    """The model of games; loading it takes a while, and few processes have to."""
    from openskill.models import BradleyTerryFull  # noqa: PLC0415 - see above

    return BradleyTerryFull()
