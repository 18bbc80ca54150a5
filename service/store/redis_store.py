"""Tables in Redis: two round trips a change, one to read and one script to compare and set."""

import heapq
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any, cast

import msgspec
from redis import Redis, RedisError

from service.store import codec, keys
from service.store.base import (
    LOST_AFTER_MS,
    Account,
    Change,
    Due,
    NotFound,
    Store,
    Unavailable,
    listing,
    now_ms,
    seated_at,
)
from service.store.listener import Listener
from service.tables.events import Entry
from service.tables.followups import followup
from service.tables.records import DealRecord
from service.tables.table import Status, Table

logger = logging.getLogger(__name__)


class RedisStore(Store):
    """The store over one Redis, 6.2 or later, or a server that speaks its language.

    Args:
        redis: the client, which may be shared between threads.
        retention_seconds: how long a closed table's keys are kept.
        waiters: how many callers of this process may wait for changes at once.
        clock: the time in milliseconds since 1970.
    """

    def __init__(
        self,
        redis: Redis,
        retention_seconds: int,
        waiters: int,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self._redis = redis
        self._retention = retention_seconds
        self._clock = clock
        self._commit = redis.register_script(_script("commit"))
        self._claim_due = redis.register_script(_script("claim_due"))
        self._listener = Listener(redis, waiters)

    def load(self, table_id: str) -> Table:
        with _available():
            stored = self._redis.hmget(keys.keys_of(table_id).table(table_id), _STATE)
        return _table(table_id, stored)

    def commit(self, expected: int, change: Change) -> bool:
        table, record = change.table, change.record
        of = keys.keys_of(table.id)
        due, now = followup(table), self._clock()
        due_at = (due.at if due.at > now else now + LOST_AFTER_MS) if due else 0
        entries = (part for e in change.entries for part in (e.id, codec.dump_entry(e)))
        with _available():
            written = self._commit(
                [
                    of.table(table.id),
                    of.log(table.id),
                    of.deals(table.id),
                    of.due,
                    of.lobby("open"),
                    of.lobby("full"),
                ],
                [
                    expected,
                    table.version,
                    change.id,
                    codec.dump_table(table),
                    codec.FORMAT,
                    table.id,
                    f"{due.kind}:{table.id}:{table.version}" if due else "",
                    due_at,
                    listing(table) or "",
                    record.number if record else "",
                    codec.dump_record(record) if record else "",
                    self._retention if table.status is Status.CLOSED else "",
                    *entries,
                ],
            )
        return bool(written)

    def entries(self, table_id: str, after: int, limit: int) -> tuple[Entry, ...]:
        with _available():
            found = cast(
                list[tuple[bytes, dict[bytes, bytes]]],
                self._redis.xrange(
                    keys.keys_of(table_id).log(table_id), f"({after}-0", "+", count=limit
                ),
            )
        return tuple(codec.load_entry(fields[b"entry"]) for _, fields in found)

    def record(self, table_id: str, number: int) -> DealRecord:
        with _available():
            stored = self._redis.hget(keys.keys_of(table_id).deals(table_id), str(number))
        if stored is None:
            raise NotFound("This table has no finished deal {number}.", number=number)
        return codec.load_record(cast(bytes, stored))

    def records(self, table_id: str, before: int | None, limit: int) -> tuple[DealRecord, ...]:
        deals = keys.keys_of(table_id).deals(table_id)
        with _available():
            known = sorted(map(int, cast(list[bytes], self._redis.hkeys(deals))), reverse=True)
            older = [str(number) for number in known if before is None or number < before][:limit]
            stored = cast(list[bytes], self._redis.hmget(deals, older)) if older else []
        return tuple(map(codec.load_record, stored))

    def lobby(self, before: str | None, open_only: bool, limit: int) -> tuple[Table, ...]:
        upper = f"({before}" if before else "+"
        listings = ("open",) if open_only else ("open", "full")
        with _available(), self._redis.pipeline(transaction=False) as pipe:
            for of in keys.ALL:
                for name in listings:
                    pipe.zrevrangebylex(of.lobby(name), upper, "-", 0, limit)
            pages = pipe.execute()
        latest = heapq.merge(*pages, reverse=True)
        ids = [member.decode() for member, _ in zip(latest, range(limit), strict=False)]
        return tuple(table for table in self._load_all(ids) if listing(table))

    def wait(self, table_id: str, version: int, seconds: float) -> Table:
        if seconds <= 0:
            return self.load(table_id)
        until = time.monotonic() + seconds
        with self._listener.watching(table_id) as changed:
            while True:
                table = self.load(table_id)
                left = until - time.monotonic()
                if table.version != version or changed is None or left <= 0:
                    return table
                changed.wait(left)
                changed.clear()

    def claim_due(self, now: int, retry_at: int, limit: int) -> tuple[Due, ...]:
        with _available(), self._redis.pipeline(transaction=False) as pipe:
            for of in keys.ALL:
                self._claim_due([of.due], [now, retry_at, limit], client=pipe)
            ready = pipe.execute()
        return tuple(_due(member.decode()) for members in ready for member in members)

    def add_account(self, account: Account) -> None:
        with _available():
            self._redis.set(keys.account(account.player.id), msgspec.json.encode(account))

    def account(self, player_id: str) -> Account:
        with _available():
            stored = self._redis.get(keys.account(player_id))
        if stored is None:
            raise NotFound("There is no player {id}.", id=player_id)
        return msgspec.json.decode(cast(bytes, stored), type=Account)

    def note_table(self, player_id: str, table_id: str) -> None:
        noted = keys.noted_tables(player_id)
        with _available(), self._redis.pipeline() as pipe:
            pipe.sadd(noted, table_id)
            pipe.expire(noted, self._retention)
            pipe.execute()

    def tables_of(self, player_id: str) -> tuple[Table, ...]:
        noted = keys.noted_tables(player_id)
        with _available():
            ids = sorted(
                member.decode() for member in cast(set[bytes], self._redis.smembers(noted))
            )
            tables = tuple(self._load_all(ids))
            closed = [table.id for table in tables if table.status is Status.CLOSED]
            if closed:
                self._redis.srem(noted, *closed)
        return seated_at(tables, player_id)

    def ping(self) -> None:
        with _available():
            self._redis.ping()

    def _load_all(self, ids: Iterable[str]) -> Iterator[Table]:
        """The tables with these ids that exist and can be read, in one round trip."""
        ids = list(ids)
        with _available(), self._redis.pipeline(transaction=False) as pipe:
            for table_id in ids:
                pipe.hmget(keys.keys_of(table_id).table(table_id), _STATE)
            found = pipe.execute() if ids else []
        for table_id, stored in zip(ids, found, strict=True):
            if stored[0] is None:
                continue
            try:
                yield _table(table_id, stored)
            except Unavailable as error:
                logger.warning("passed over table %s: %s", table_id, error)


_STATE = ["state", "format"]


def _table(table_id: str, stored: Any) -> Table:
    state, format_number = stored
    if state is None:
        raise NotFound("There is no table {id}.", id=table_id)
    return codec.load_table(state, int(format_number))


def _due(member: str) -> Due:
    kind, table_id, version = member.split(":")
    return Due(cast(Any, kind), table_id, int(version))


def _script(name: str) -> str:
    return files(__package__).joinpath(f"{name}.lua").read_text()


@contextmanager
def _available() -> Iterator[None]:
    """Turn whatever the client says of a store that is away, or full, into `Unavailable`."""
    try:
        yield
    except RedisError as error:
        raise Unavailable("The store of the tables can't be reached now.") from error
