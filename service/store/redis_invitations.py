"""Invitations in Redis: a stream a player, whose ids are the invitations' numbers."""

from collections.abc import Iterable
from typing import Any, cast

import msgspec
from redis import Redis

from service.store import keys
from service.store.connection import available
from service.store.invitations import MOST, OPEN_MS, Invitations
from service.store.scripts import script
from service.tables.invitations import Invitation
from service.tables.table import Player


class RedisInvitations(Invitations):
    """Invitations over one Redis; the client may be shared between threads."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._invite = redis.register_script(script("invite"))

    def add(
        self, player_id: str, table_id: str, from_player: Player, code: str | None, at: int
    ) -> Invitation | None:
        inviter = msgspec.json.encode(from_player)
        bounds = (player_id, MOST, OPEN_MS)
        with available():
            key = keys.keys_of(player_id).invitations(player_id)
            found = self._invite(
                [key], [*bounds, table_id, from_player.id, inviter, code or "", at]
            )
        return _invitation(*found) if found else None

    def after(self, player_id: str, number: int) -> tuple[Invitation, ...]:
        key = keys.keys_of(player_id).invitations(player_id)
        with available():
            found = self._redis.xrange(key, f"({number}-0", "+")
        return tuple(
            _invitation(id_, [part for pair in fields.items() for part in pair])
            for id_, fields in cast(Any, found)
        )

    def drop(self, player_id: str, numbers: Iterable[int]) -> int:
        ids = [f"{number}-0" for number in numbers if number < 2**63]
        key = keys.keys_of(player_id).invitations(player_id)
        with available():
            return self._redis.xdel(key, *ids) if ids else 0


def _invitation(stream_id: bytes, fields: list[bytes]) -> Invitation:
    _, table, _, _, _, inviter, _, code, _, at = fields
    return Invitation(
        int(stream_id.split(b"-")[0]),
        table.decode(),
        msgspec.json.decode(inviter, type=Player),
        code.decode() or None,
        int(at),
    )
