"""Identities in Redis: each in its own partition, and listed in its account's."""

from typing import cast

import msgspec
from redis import Redis

from service.store import keys
from service.store.connection import available
from service.store.identities import Bound, Identities


class RedisIdentities(Identities):
    """Identities over one Redis; the client may be shared between threads."""

    def __init__(self, redis: Redis) -> None:
        super().__init__()
        self._redis = redis

    def bind(self, wanted: Bound) -> Bound:
        key = wanted.identity.key
        name = keys.keys_of(key).identity(key)
        with available(), self._redis.pipeline(transaction=False) as pipe:
            pipe.set(name, msgspec.json.encode(wanted), nx=True)
            pipe.get(name)
            _, stored = pipe.execute()
        bound = msgspec.json.decode(cast(bytes, stored), type=Bound)
        # The list may have been lost with the process that has bound it, so all make sure of it.
        with available():
            listed = keys.keys_of(bound.player).identities(bound.player)
            self._redis.hset(listed, key, cast(bytes, stored))
        return bound

    def of(self, player_id: str) -> tuple[Bound, ...]:
        with available():
            found = self._redis.hvals(keys.keys_of(player_id).identities(player_id))
        bound = [msgspec.json.decode(one, type=Bound) for one in cast(list[bytes], found)]
        return tuple(sorted(bound, key=lambda one: (one.at, one.identity.key)))
