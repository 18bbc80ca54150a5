"""Invitations in memory, for tests and tools."""

import threading
from collections import defaultdict
from collections.abc import Iterable

from service.store.invitations import MOST, OPEN_MS, Invitations
from service.store.watches import Watches
from service.tables.invitations import Invitation
from service.tables.table import Player


class MemoryInvitations(Invitations):
    """Invitations of one process; `watches` are those of the store they belong to."""

    def __init__(self, watches: Watches) -> None:
        self._lock = threading.Lock()
        self._watches = watches
        self._of: defaultdict[str, list[Invitation]] = defaultdict(list)
        self._last: defaultdict[str, int] = defaultdict(int)

    def add(
        self, player_id: str, table_id: str, from_player: Player, code: str | None, at: int
    ) -> Invitation | None:
        with self._lock:
            held = [one for one in self._of[player_id] if one.number > at - OPEN_MS]
            self._of[player_id] = held
            for one in held:
                if (one.table, one.from_player.id) == (table_id, from_player.id):
                    return one
            if len(held) >= MOST:
                return None
            number = self._last[player_id] = max(at, self._last[player_id] + 1)
            made = Invitation(number, table_id, from_player, code, at)
            held.append(made)
        self._watches.wake(player_id)
        return made

    def after(self, player_id: str, number: int) -> tuple[Invitation, ...]:
        return tuple(one for one in self._of[player_id] if one.number > number)

    def drop(self, player_id: str, numbers: Iterable[int]) -> int:
        gone = set(numbers)
        with self._lock:
            held = self._of[player_id]
            self._of[player_id] = [one for one in held if one.number not in gone]
            return len(held) - len(self._of[player_id])
