"""Ratings in memory, for tests and tools."""

import threading
from collections import defaultdict
from collections.abc import Iterable

from service.store.ratings import Kind, Ranked, Rating, Ratings, Rerated, place, ranked


class MemoryRatings(Ratings):
    """Ratings of one process."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._of: dict[str, Rating] = {}
        self._boards: defaultdict[Kind, set[str]] = defaultdict(set)
        self._last_rated: defaultdict[str, int] = defaultdict(int)

    def of(self, players: Iterable[str]) -> dict[str, Rating]:
        with self._lock:
            return {player: self._of[player] for player in players if player in self._of}

    def apply(self, table_id: str, deal: int, changes: tuple[Rerated, ...]) -> bool:
        with self._lock:
            if deal <= self._last_rated[table_id]:
                return True
            if any(self._of.get(change.player) != change.before for change in changes):
                return False
            for change in changes:
                self._of[change.player] = change.after
                self._boards[change.kind].add(change.player)
            self._last_rated[table_id] = deal
        return True

    def rank(self, kind: Kind, points: int) -> int:
        with self._lock:
            return 1 + sum(self._of[player].points > points for player in self._boards[kind])

    def board(self, kind: Kind, after: str | None, limit: int) -> tuple[Ranked, ...]:
        with self._lock:
            rated = {place(self._of[one].points, one): one for one in self._boards[kind]}
            order = sorted(rated, reverse=True)
            ahead = sum(one >= after for one in order) if after else 0
            found = [(rated[one], self._of[rated[one]]) for one in order[ahead : ahead + limit]]
            better = self.rank(kind, found[0][1].points) - 1 if found else 0
        return ranked(found, ahead, better)

    def forget(self, table_id: str) -> None:
        """A process that ends soon forgets all of it."""
