"""Leases in Redis: a sorted set a holder, of the places by when they become free."""

from redis import Redis

from service.store import keys
from service.store.connection import available
from service.store.leases import LEASE_MS, Leases
from service.store.scripts import script


class RedisLeases(Leases):
    """Leases over one Redis; the client may be shared between threads."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._hold = redis.register_script(script("hold"))

    def hold(self, holder: str, place: str, now: int, most: int) -> bool:
        with available():
            key = keys.keys_of(holder).leases(holder)
            return bool(self._hold([key], [place, now, now + LEASE_MS, most, LEASE_MS]))

    def free(self, holder: str, place: str) -> None:
        with available():
            self._redis.zrem(keys.keys_of(holder).leases(holder), place)
