"""The in-memory twins of tokens and identities."""

import threading
from collections import defaultdict

from service.store.identities import Bound, Identities, Identity
from service.store.tokens import (
    MOST_TOKENS,
    PAGE,
    REVOKED_SECONDS,
    Revoked,
    TokenNote,
    Tokens,
    TooManyTokens,
    woken_by,
)
from service.store.watches import Watches


class MemoryTokens(Tokens):
    """Tokens for tests and tools; who waits for one to end is in `watches`."""

    def __init__(self, watches: Watches) -> None:
        self._lock = threading.Lock()
        self._watches = watches
        self._notes: dict[str, dict[str, TokenNote]] = defaultdict(dict)
        self._counts_until: dict[str, dict[str, float]] = defaultdict(dict)
        self._revoked: list[Revoked] = []

    def note(self, player_id: str, note: TokenNote) -> None:
        with self._lock:
            places = self._counts_until[player_id]
            counting = [one for one in places.values() if one > note.created_at]
            if len(counting) >= MOST_TOKENS:
                raise TooManyTokens
            places[note.id] = float("inf") if note.expires_at is None else note.expires_at
            self._notes[player_id][note.id] = note

    def noted(self, player_id: str, now: int) -> tuple[TokenNote, ...]:
        alive = [note for note in self._notes[player_id].values() if not note.expired(now)]
        return tuple(sorted(alive, key=lambda note: (note.created_at, note.id), reverse=True))

    def revoke(self, player_id: str, revoked: Revoked, now: int) -> None:
        with self._lock:
            if not self.revoked(revoked.token):
                self._revoked.append(revoked)
            self._notes[player_id].pop(revoked.token, None)
            places = self._counts_until[player_id]
            if revoked.token in places:
                places[revoked.token] = min(places[revoked.token], now + REVOKED_SECONDS)
        self._watches.wake(woken_by(revoked.token))

    def revoked_after(self, place: str) -> tuple[tuple[Revoked, ...], str]:
        known = int(place.partition("-")[0])
        more = tuple(self._revoked[known : known + PAGE])
        return more, f"{known + len(more)}-0"

    def revoked(self, token_id: str) -> bool:
        return any(one.token == token_id for one in self._revoked)


class MemoryIdentities(Identities):
    """Identities for tests and tools."""

    def __init__(self) -> None:
        super().__init__()
        self._bound: dict[Identity, Bound] = {}

    def bind(self, wanted: Bound) -> Bound:
        return self._bound.setdefault(wanted.identity, wanted)

    def of(self, player_id: str) -> tuple[Bound, ...]:
        return tuple(one for one in self._bound.values() if one.player == player_id)
