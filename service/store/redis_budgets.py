"""Budgets in Redis."""

from contextlib import suppress
from typing import Any

from redis import RedisError
from redis.exceptions import NoScriptError

from service.store import keys
from service.store.base import Unavailable
from service.store.budgets import Budgets, Charge, RateLimited
from service.store.cluster import GuardedCluster
from service.store.connection import GuardedRedis, available
from service.store.scripts import script


class RedisBudgets(Budgets):
    """Budgets over one Redis; the client may be shared between threads."""

    def __init__(self, redis: GuardedRedis | GuardedCluster) -> None:
        self._redis = redis
        self._spend = redis.register_script(script("spend"))

    def spend(self, charge: Charge) -> None:
        with available():
            allowed = self._spend(*_bucket(charge))
        if not allowed:
            raise RateLimited(charge)

    def spend_and_read(self, charge: Charge, key: str, fields: list[str]) -> Any:
        """Spend, and give some fields of a hash, in the same round trip.

        A Redis that takes no writes now, since it is full or a replica, can be read all the same.
        On a cluster the two may lie on two servers: then it takes two, and that of the hash is
        enough.
        """
        names, amounts = _bucket(charge)
        with available():
            allowed, found = self._redis.ask(
                ("EVALSHA", self._spend.sha, len(names), *names, *amounts),
                ("HMGET", key, *fields),
            )
        if isinstance(allowed, NoScriptError):
            with suppress(Unavailable):
                self.spend(charge)
        elif not allowed:
            raise RateLimited(charge)
        if isinstance(found, RedisError):
            with available():
                raise found
        return found


def _bucket(charge: Charge) -> tuple[list[str], list[int]]:
    """The key of a bucket, and the arguments of the script."""
    key = keys.keys_of(charge.payer).bucket(charge.budget, charge.payer)
    return [key], [charge.cost_us, charge.full_us]
