"""Tokens in Redis: those of an account in its partition, the list of the revoked in one of its own.

The list comes first: a token that is on it is worthless, whether its account still lists it or not.
"""

from typing import Any, cast

import msgspec
from redis import Redis

from service.store import keys
from service.store.connection import available
from service.store.scripts import script
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


class RedisTokens(Tokens):
    """Tokens over one Redis; the client may be shared between threads."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._note = redis.register_script(script("note_token"))
        self._revoke = redis.register_script(script("revoke"))

    def note(self, player_id: str, note: TokenNote) -> None:
        of = keys.keys_of(player_id)
        counts_until = "+inf" if note.expires_at is None else str(note.expires_at)
        with available():
            noted = self._note(
                [of.tokens(player_id), of.token_places(player_id)],
                [note.id, msgspec.json.encode(note), counts_until, note.created_at, MOST_TOKENS],
            )
        if not noted:
            raise TooManyTokens

    def noted(self, player_id: str, now: int) -> tuple[TokenNote, ...]:
        with available():
            found = self._redis.hvals(keys.keys_of(player_id).tokens(player_id))
        notes = [msgspec.json.decode(one, type=TokenNote) for one in cast(list[bytes], found)]
        alive = (note for note in notes if not note.expired(now))
        return tuple(sorted(alive, key=lambda note: (note.created_at, note.id), reverse=True))

    def revoke(self, player_id: str, revoked: Revoked, now: int) -> None:
        of, token = keys.keys_of(player_id), revoked.token
        all_of = keys.REVOKED
        named = [all_of.revoked, all_of.revoked_entries, all_of.revoked_until]
        with available():
            channel = keys.CHANGED + woken_by(token)
            self._revoke(named, [token, revoked.until or "", now, channel])
            with self._redis.pipeline() as pipe:
                pipe.hdel(of.tokens(player_id), token)
                pipe.zadd(
                    of.token_places(player_id), {token: now + REVOKED_SECONDS}, xx=True, lt=True
                )
                pipe.execute()

    def revoked_after(self, place: str) -> tuple[tuple[Revoked, ...], str]:
        with available():
            page = cast(
                list[tuple[bytes, dict[bytes, bytes]]],
                self._redis.xrange(keys.REVOKED.revoked, f"({place}", "+", count=PAGE),
            )
        reached = page[-1][0].decode() if page else place
        return tuple(_revoked(fields) for _, fields in page), reached

    def revoked(self, token_id: str) -> bool:
        with available():
            return bool(self._redis.hexists(keys.REVOKED.revoked_entries, token_id))


def _revoked(fields: dict[Any, bytes]) -> Revoked:
    until = fields[b"until"]
    return Revoked(fields[b"token"].decode(), int(until) if until else None)
