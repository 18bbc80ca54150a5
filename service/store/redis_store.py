"""Tables in Redis: two round trips a change, one to read and one script to compare and set."""

import heapq
import logging
import time
from collections.abc import Callable
from typing import Any, cast

import msgspec
from redis import Redis

from service.store import codec, keys
from service.store.accounts import Posting
from service.store.answers import KEPT_MS, NOT_OURS, InProgress
from service.store.base import (
    LOST_AFTER_MS,
    Change,
    Due,
    NewerFormat,
    NotFound,
    SentBack,
    Store,
    listing,
    now_ms,
)
from service.store.budgets import Charge
from service.store.connection import available
from service.store.listener import Listener
from service.store.redis_accounts import RedisAccounts
from service.store.redis_answers import RedisAnswers
from service.store.redis_budgets import RedisBudgets
from service.store.scripts import script
from service.tables.events import Entry
from service.tables.followups import followup
from service.tables.records import DealRecord
from service.tables.table import Status, Table

logger = logging.getLogger(__name__)


class RedisStore(Store):
    """The store over one Redis, 6.2 or later, or a server that speaks its language.

    Args:
        redis: the client, which may be shared between threads.
        retention_seconds: how long a closed table is kept.
        waiters: how many callers of this process may wait for changes at once.
        clock: the time in milliseconds since 1970.
    """

    budgets: RedisBudgets

    def __init__(
        self,
        redis: Redis,
        retention_seconds: int,
        waiters: int,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self._redis = redis
        self._retention_ms = 1000 * retention_seconds
        self._clock = clock
        self._commit = redis.register_script(script("commit"))
        self._claim_due = redis.register_script(script("claim_due"))
        self._send_back = redis.register_script(script("send_back"))
        self._forget = redis.register_script(script("forget"))
        self._listener = Listener(redis, waiters)
        self.accounts = RedisAccounts(redis)
        self.answers = RedisAnswers(redis)
        self.budgets = RedisBudgets(redis)

    def load(self, table_id: str, charge: Charge | None = None) -> Table:
        key = keys.keys_of(table_id).table(table_id)
        if charge:
            return _table(table_id, self.budgets.spend_and_read(charge, key, _STATE))
        with available():
            return _table(table_id, self._redis.hmget(key, _STATE))

    def commit(self, expected: int, change: Change) -> bool:
        table, record, answer = change.table, change.record, change.answer
        of, now = keys.keys_of(table.id), self._clock()
        due, due_at = self._due(table, now)
        entries = (part for e in change.entries for part in (e.id, codec.dump_entry(e)))
        with available():
            written = self._commit(
                [
                    of.table(table.id),
                    of.log(table.id),
                    of.deals(table.id),
                    of.due,
                    of.lobby("open"),
                    of.lobby("full"),
                    of.arrivals(table.id),
                    of.owed(table.id),
                    of.answer(answer.key) if answer else of.table(table.id),
                ],
                [
                    expected,
                    table.version,
                    change.id,
                    codec.dump_table(table),
                    codec.FORMAT,
                    table.id,
                    due,
                    due_at,
                    listing(table) or "",
                    record.number if record else "",
                    codec.dump_record(record) if record else "",
                    change.arrival or "",
                    msgspec.json.encode(change.owed) if change.owed else "",
                    _member(Due("pay_out", table.id, table.version)),
                    now + LOST_AFTER_MS,
                    answer.claim if answer else "",
                    answer.text if answer else "",
                    KEPT_MS,
                    *entries,
                ],
            )
        if written == TOO_LATE:
            raise SentBack("This took too long, and your chips went back; try again.")
        if written == NOT_OURS:
            raise InProgress
        return bool(written)

    def _due(self, table: Table, now: int) -> tuple[str, int]:
        """The member of the due index that stands for a table, and when it comes due."""
        if table.status is Status.CLOSED:
            return _member(Due("forget", table.id, table.version)), now + self._retention_ms
        pending = followup(table)
        if pending is None:
            return "", 0
        at = pending.at if pending.at > now else now + LOST_AFTER_MS
        return _member(Due(pending.kind, table.id, table.version)), at

    def entries(self, table_id: str, after: int, limit: int) -> tuple[Entry, ...]:
        with available():
            found = cast(
                list[tuple[bytes, dict[bytes, bytes]]],
                self._redis.xrange(
                    keys.keys_of(table_id).log(table_id), f"({after}-0", "+", count=limit
                ),
            )
        return tuple(codec.load_entry(fields[b"entry"]) for _, fields in found)

    def record(self, table_id: str, number: int) -> DealRecord:
        with available():
            stored = self._redis.hget(keys.keys_of(table_id).deals(table_id), str(number))
        if stored is None:
            raise NotFound("This table has no finished deal {number}.", number=number)
        return codec.load_record(cast(bytes, stored))

    def records(self, table_id: str, before: int | None, limit: int) -> tuple[DealRecord, ...]:
        deals = keys.keys_of(table_id).deals(table_id)
        with available():
            known = sorted(map(int, cast(list[bytes], self._redis.hkeys(deals))), reverse=True)
            older = [str(number) for number in known if before is None or number < before][:limit]
            stored = cast(list[bytes], self._redis.hmget(deals, older)) if older else []
        return tuple(map(codec.load_record, stored))

    def lobby(self, before: str | None, open_only: bool, limit: int) -> tuple[Table, ...]:
        upper = f"({before}" if before else "+"
        listings = ("open",) if open_only else ("open", "full")
        with available(), self._redis.pipeline(transaction=False) as pipe:
            for of in keys.ALL:
                for name in listings:
                    pipe.zrevrangebylex(of.lobby(name), upper, "-", 0, limit)
            pages = pipe.execute()
        latest = heapq.merge(*pages, reverse=True)
        ids = [member.decode() for member, _ in zip(latest, range(limit), strict=False)]
        return tuple(table for table in self.load_all(ids).values() if table and listing(table))

    def wait(self, table_id: str, version: int, seconds: float) -> Table:
        if seconds <= 0:
            return self.load(table_id)
        until = time.monotonic() + seconds
        with self._listener.watching(table_id) as changed:
            while True:
                table = self.load(table_id)
                left = 0 if self._listener.closing else until - time.monotonic()
                if table.version != version or changed is None or left <= 0:
                    return table
                changed.wait(left)
                changed.clear()

    def claim_due(self, now: int, retry_at: int, limit: int) -> tuple[Due, ...]:
        with available(), self._redis.pipeline(transaction=False) as pipe:
            for of in keys.ALL:
                self._claim_due([of.due], [now, retry_at, limit], client=pipe)
            ready = pipe.execute()
        return tuple(_due(member.decode()) for members in ready for member in members)

    def done(self, due: Due) -> None:
        with available():
            self._redis.zrem(keys.keys_of(due.subject).due, _member(due))

    def put_off(self, due: Due, until: int) -> None:
        with available():
            self._redis.zadd(keys.keys_of(due.subject).due, {_member(due): until}, xx=True)

    def send_back(self, buy_in: Posting) -> bool:
        assert buy_in.table is not None
        of = keys.keys_of(buy_in.table)
        with available():
            arrived = self._send_back(
                [of.arrivals(buy_in.table), of.table(buy_in.table)],
                [buy_in.id, self._retention_ms // 1000],
            )
        return not arrived

    def owed(self, table_id: str, version: int) -> tuple[Posting, ...]:
        with available():
            stored = self._redis.hget(keys.keys_of(table_id).owed(table_id), str(version))
        return msgspec.json.decode(stored, type=tuple[Posting, ...]) if stored else ()

    def paid(self, table_id: str, version: int) -> None:
        of = keys.keys_of(table_id)
        with available(), self._redis.pipeline() as pipe:
            pipe.hdel(of.owed(table_id), str(version))
            pipe.zrem(of.due, _member(Due("pay_out", table_id, version)))
            pipe.execute()

    def forget(self, table: Table) -> bool:
        of, id_ = keys.keys_of(table.id), table.id
        tables_keys = [of.table(id_), of.log(id_), of.deals(id_), of.arrivals(id_), of.owed(id_)]
        with available():
            gone = self._forget([*tables_keys, of.due, of.house], [table.version, table.house])
        return bool(gone)

    def ping(self) -> None:
        with available():
            self._redis.ping()

    def load_all(self, ids: list[str]) -> dict[str, Table | None]:
        with available(), self._redis.pipeline(transaction=False) as pipe:
            for table_id in ids:
                pipe.hmget(keys.keys_of(table_id).table(table_id), _STATE)
            found = pipe.execute() if ids else []
        tables: dict[str, Table | None] = {}
        for table_id, stored in zip(ids, found, strict=True):
            if stored[0] is None:
                continue
            try:
                tables[table_id] = _table(table_id, stored)
            except NewerFormat as error:
                tables[table_id] = None
                logger.warning("passed over table %s: %s", table_id, error)
        return tables


TOO_LATE = -1
"""What the commit script answers where a buy-in was sent back before it arrived."""

_STATE = ["state", "format"]


def _table(table_id: str, stored: Any) -> Table:
    state, format_number = stored
    if state is None:
        raise NotFound("There is no table {id}.", id=table_id)
    return codec.load_table(state, int(format_number))


def _member(due: Due) -> str:
    return f"{due.kind}:{due.subject}:{due.number}"


def _due(member: str) -> Due:
    kind, subject, number = member.split(":")
    return Due(cast(Any, kind), subject, int(number))
