"""Webhooks in Redis: all of a webhook lies in the partition of its player."""

import secrets
from collections.abc import Iterable, Mapping
from typing import Any, cast

import msgspec
from redis import Redis

from service.store import keys
from service.store.base import Due, NotFound
from service.store.connection import available
from service.store.scripts import script
from service.store.webhooks import (
    MOST_WAITING,
    MOST_WEBHOOKS,
    Delivery,
    Standing,
    Taken,
    TooManyWatchers,
    TooManyWebhooks,
    Webhook,
    Webhooks,
    WhyOff,
    latest_first,
)

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Webhook).decode
_decode_delivery = msgspec.json.Decoder(Delivery).decode


class RedisWebhooks(Webhooks):
    """Webhooks over one Redis; the client may be shared between threads."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._add = redis.register_script(script("hook_add"))
        self._on = redis.register_script(script("hook_on"))
        self._tell = redis.register_script(script("hook_tell"))
        self._take = redis.register_script(script("hook_take"))
        self._sent = redis.register_script(script("hook_sent"))
        self._failed = redis.register_script(script("hook_failed"))
        self._hear = redis.register_script(script("hear"))
        self._all_told = redis.register_script(script("all_told"))

    def add(self, webhook: Webhook, told: Mapping[str, int]) -> frozenset[str]:
        of, id_ = keys.keys_of(webhook.player), webhook.id
        named = [of.hooks(webhook.player), of.hook(id_), of.told(id_), of.noted(webhook.player)]
        with available():
            noted = self._add(named, [id_, _encode(webhook), MOST_WEBHOOKS, *_flat(told)])
        if noted is None:
            raise TooManyWebhooks
        return frozenset(table.decode() for table in noted)

    def any_of(self, player_id: str) -> bool:
        with available():
            return bool(self._redis.exists(keys.keys_of(player_id).hooks(player_id)))

    def of(self, player_id: str) -> tuple[Webhook, ...]:
        of = keys.keys_of(player_id)
        with available():
            known = cast(set[bytes], self._redis.smembers(of.hooks(player_id)))
            ids = [id_.decode() for id_ in known]
            if not ids:
                return ()
            with self._redis.pipeline(transaction=False) as pipe:
                for id_ in ids:
                    pipe.hget(of.hook(id_), "webhook")
                found = pipe.execute()
        return latest_first(_decode(stored) for stored in found if stored)

    def load(self, webhook_id: str) -> Webhook:
        with available():
            stored = self._redis.hget(keys.keys_of(webhook_id).hook(webhook_id), "webhook")
        if stored is None:
            raise NotFound("There is no webhook {id}.", id=webhook_id)
        return _decode(cast(bytes, stored))

    def standings(self, webhook_ids: Iterable[str]) -> dict[str, Standing]:
        ids = list(webhook_ids)
        with available(), self._redis.pipeline(transaction=False) as pipe:
            for id_ in ids:
                pipe.hgetall(keys.keys_of(id_).hook(id_))
                pipe.llen(keys.keys_of(id_).outbox(id_))
            found = pipe.execute() if ids else []
        pairs = zip(found[::2], found[1::2], strict=True)
        return {id_: _standing(*read) for id_, read in zip(ids, pairs, strict=True)}

    def remove(self, webhook: Webhook) -> None:
        of, id_ = keys.keys_of(webhook.player), webhook.id
        with available(), self._redis.pipeline() as pipe:
            pipe.srem(of.hooks(webhook.player), id_)
            pipe.delete(of.hook(id_), of.told(id_), of.outbox(id_))
            pipe.zrem(of.hooks_due, _member(id_))
            pipe.execute()

    def turn_on(self, webhook: Webhook, told: Mapping[str, int], now: int) -> None:
        of, id_ = keys.keys_of(webhook.player), webhook.id
        with available():
            named = [of.hook(id_), of.told(id_), of.outbox(id_), of.hooks_due]
            self._on(named, [_member(id_), now, *_flat(told)])

    def hear(self, player_id: str, table_ids: Iterable[str], most: int = 0) -> dict[str, int]:
        ids, mark = list(table_ids), secrets.token_hex(8)
        with available(), self._redis.pipeline(transaction=False) as pipe:
            for id_ in ids:
                of = keys.keys_of(id_)
                self._hear([of.table(id_), of.heard(id_)], [player_id, mark, most], client=pipe)
            found = pipe.execute() if ids else []
        if FULL in found:
            raise TooManyWatchers
        return {id_: int(at) for id_, at in zip(ids, found, strict=True) if at is not None}

    def heard(self, table_id: str) -> dict[str, str]:
        with available():
            found = cast(Any, self._redis.hgetall(keys.keys_of(table_id).heard(table_id)))
        return {player.decode(): mark.decode() for player, mark in found.items()}

    def told(self, table_id: str, webhooks: Iterable[Webhook]) -> dict[str, int]:
        ids = [webhook.id for webhook in webhooks]
        with available(), self._redis.pipeline(transaction=False) as pipe:
            for id_ in ids:
                pipe.hget(keys.keys_of(id_).told(id_), table_id)
            found = pipe.execute() if ids else []
        return {id_: int(at) for id_, at in zip(ids, found, strict=True) if at is not None}

    def tell(
        self,
        webhook: Webhook,
        deliveries: Iterable[Delivery],
        at: int,
        table: tuple[str, int | None, int] | None = None,
    ) -> bool:
        of, id_ = keys.keys_of(webhook.player), webhook.id
        new = list(deliveries)
        about, before, now = table or ("", None, new[0].id)
        with available():
            told = self._tell(
                [of.hook(id_), of.told(id_), of.outbox(id_), of.hooks_due],
                [
                    about,
                    "" if before is None else before,
                    now,
                    _member(id_),
                    at,
                    MOST_WAITING,
                    *map(_encode, new),
                ],
            )
        return bool(told)

    def all_told(
        self,
        table_id: str,
        version: int,
        quiet: Mapping[str, str],
        *,
        again_at: int | None = None,
    ) -> bool:
        of = keys.keys_of(table_id)
        due = Due("notify", table_id, 0).member
        with available():
            still = self._all_told(
                [of.table(table_id), of.heard(table_id), of.hooks_due],
                [version, due, "" if again_at is None else again_at, *_flat(quiet)],
            )
        return bool(still)

    def forget(self, table_id: str, webhooks: Iterable[Webhook]) -> None:
        of = keys.keys_of(table_id)
        with available(), self._redis.pipeline(transaction=False) as pipe:
            for webhook in webhooks:
                pipe.hdel(keys.keys_of(webhook.id).told(webhook.id), table_id)
            pipe.delete(of.heard(table_id))
            pipe.zrem(of.hooks_due, Due("notify", table_id, 0).member)
            pipe.execute()

    def take(self, webhook_id: str, now: int, until: int) -> Taken | None:
        lease, due = secrets.token_hex(8), _member(webhook_id)
        with available():
            found = self._take(_named(webhook_id), [now, until, due, lease])
        if found is None:
            return None
        flat, waiting, delivery = found
        known = dict(zip(flat[::2], flat[1::2], strict=True))
        webhook = _decode(known[b"webhook"])
        return Taken(webhook, _standing(known, waiting), _decode_delivery(delivery), lease)

    def sent(self, taken: Taken, now: int, *, slow: bool) -> None:
        delivery, due = _encode(taken.delivery), _member(taken.webhook.id)
        with available():
            self._sent(_named(taken.webhook.id), [delivery, now, due, int(slow), taken.lease])

    def failed(self, taken: Taken, fault: str, now: int, again_at: int) -> None:
        self._note_failure(taken, [fault, now, again_at, _member(taken.webhook.id), ""])

    def turn_off(self, taken: Taken, fault: str, now: int, why: WhyOff) -> None:
        self._note_failure(taken, [fault, now, 0, _member(taken.webhook.id), why])

    def _note_failure(self, taken: Taken, said: list[str | int]) -> None:
        with available():
            self._failed(_named(taken.webhook.id), [*said, taken.lease])


FULL = -1
"""What the script answers where so many are told of a table already."""


def _named(webhook_id: str) -> list[str]:
    """The keys of the scripts that deliver."""
    of = keys.keys_of(webhook_id)
    return [of.hook(webhook_id), of.outbox(webhook_id), of.hooks_due]


def _member(webhook_id: str) -> str:
    return Due("deliver", webhook_id, 0).member


def _flat(pairs: Mapping[str, Any]) -> list[Any]:
    return [part for pair in pairs.items() for part in pair]


def _standing(known: Mapping[bytes, bytes], waiting: int) -> Standing:
    off, since, fault = (known.get(name) for name in (b"off", b"failing_since", b"fault"))
    return Standing(
        cast(WhyOff, off.decode()) if off else None,
        int(since) if since else None,
        int(known.get(b"failures", 0)),
        fault.decode() if fault else None,
        b"slow" in known,
        waiting,
        int(known.get(b"dropped", 0)),
    )
