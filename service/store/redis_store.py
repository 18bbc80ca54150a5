"""Tables in Redis: two round trips a change, one to read and one script to compare and set."""

import heapq
import logging
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, cast

import msgspec
from redis import Redis

from service.store import codec, keys
from service.store.accounts import Posting
from service.store.answers import KEPT_MS, NOT_OURS, InProgress
from service.store.base import (
    FOR_WEBHOOKS,
    LOST_AFTER_MS,
    Backlog,
    Census,
    Change,
    Due,
    Listed,
    NewerFormat,
    NoSuchDeal,
    NotFound,
    SentBack,
    Store,
    kept_for,
    listing,
    now_ms,
)
from service.store.budgets import Charge
from service.store.connection import GuardedRedis, available
from service.store.feeds import Feeds
from service.store.listener import Listener
from service.store.redis_accounts import RedisAccounts
from service.store.redis_answers import RedisAnswers
from service.store.redis_budgets import RedisBudgets
from service.store.redis_identities import RedisIdentities
from service.store.redis_invitations import RedisInvitations
from service.store.redis_leases import RedisLeases
from service.store.redis_ratings import RedisRatings
from service.store.redis_tokens import RedisTokens
from service.store.redis_webhooks import RedisWebhooks
from service.store.revocations import Revocations
from service.store.scripts import script
from service.tables.events import Entry
from service.tables.followups import followup
from service.tables.matching import match_rank
from service.tables.notices import is_news
from service.tables.records import DealRecord
from service.tables.sandbox import LOG_KEPT
from service.tables.table import Status, Table

logger = logging.getLogger(__name__)


class RedisStore(Store):
    """The store over one Redis, 6.2 or later, or a server that speaks its language.

    Args:
        redis: the client, as `connect` makes it; it may be shared between threads.
        retention_seconds: how long a closed table is kept.
        waiters: how many callers of this process may wait for a change at once.
        clock: the time in milliseconds since 1970.
        streams: how many streams of this process may be open at once.
    """

    budgets: RedisBudgets

    def __init__(
        self,
        redis: Redis,
        retention_seconds: int,
        waiters: int,
        clock: Callable[[], int] = now_ms,
        *,
        streams: int = 0,
    ) -> None:
        self._redis = redis = cast(GuardedRedis, redis)  # Or a `GuardedCluster`, which is alike.
        self._retention_ms = 1000 * retention_seconds
        self._clock = clock
        self._commit = redis.register_script(script("commit"))
        self._claim_due = redis.register_script(script("claim_due"))
        self._send_back = redis.register_script(script("send_back"))
        self._forget = redis.register_script(script("forget"))
        self._agree = redis.register_script(script("agree"))
        self.watches = Listener(redis, waiters, streams)
        self.feeds = Feeds(self.entries)
        self.leases = RedisLeases(redis)
        self.invitations = RedisInvitations(redis)
        self.accounts = RedisAccounts(redis)
        self.answers = RedisAnswers(redis)
        self.tokens = RedisTokens(redis)
        self.revocations = Revocations(self.tokens)
        self.identities = RedisIdentities(redis)
        self.budgets = RedisBudgets(redis)
        self.webhooks = RedisWebhooks(redis)
        self.ratings = RedisRatings(redis)

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
                    of.heard(table.id),
                    of.matching(table.settings.seats, table.settings.ante),
                    of.tables,
                    of.hooks_due,
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
                    Due("pay_out", table.id, table.version).member,
                    now + LOST_AFTER_MS,
                    answer.claim if answer else "",
                    answer.text if answer else "",
                    KEPT_MS,
                    Due("notify", table.id, 0).member if any(map(is_news, change.entries)) else "",
                    now,
                    change.hears or "",
                    match_rank(table) or "",
                    LOG_KEPT if table.sandbox else "",
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
            kept_ms = kept_for(table, self._retention_ms)
            return Due("forget", table.id, table.version).member, now + kept_ms
        pending = followup(table)
        if pending is None:
            return "", 0
        at = pending.at if pending.at > now else now + LOST_AFTER_MS
        return Due(pending.kind, table.id, table.version).member, at

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
            raise NoSuchDeal(number)
        return codec.load_record(cast(bytes, stored))

    def agree(self, table_id: str, number: int, player_id: str) -> None:
        of = keys.keys_of(table_id)
        with available():
            known = self._agree([of.deals(table_id), of.opened(table_id)], [number, player_id])
        if not known:
            raise NoSuchDeal(number)

    def agreed(self, table_id: str, number: int) -> frozenset[str]:
        with available():
            stored = self._redis.hget(keys.keys_of(table_id).opened(table_id), str(number))
        return frozenset(cast(bytes, stored).decode().split()) if stored else frozenset()

    def records(self, table_id: str, before: int | None, limit: int) -> tuple[DealRecord, ...]:
        deals = keys.keys_of(table_id).deals(table_id)
        with available():
            known = sorted(map(int, cast(list[bytes], self._redis.hkeys(deals))), reverse=True)
            older = [str(number) for number in known if before is None or number < before][:limit]
            stored = cast(list[bytes], self._redis.hmget(deals, older)) if older else []
        return tuple(map(codec.load_record, stored))

    def lobby(self, before: str | None, open_only: bool, limit: int) -> Listed:
        upper = f"({before}" if before else "+"
        listings = ("open",) if open_only else ("open", "full")
        with available(), self._redis.pipeline(transaction=False) as pipe:
            for of in keys.ALL:
                for name in listings:
                    pipe.zrevrangebylex(of.lobby(name), upper, "-", 0, limit)
            listed = self._latest(pipe.execute(), limit)
        return listed._replace(tables=tuple(filter(listing, listed.tables)))

    def matching(self, seats: int, ante: int, limit: int) -> Iterator[Table]:
        with available(), self._redis.pipeline(transaction=False) as pipe:
            for of in keys.ALL:
                pipe.zrange(of.matching(seats, ante), 0, limit - 1, withscores=True)
            found = [(open_seats, id_) for page in pipe.execute() for id_, open_seats in page]
        ids = [id_.decode() for _, id_ in heapq.nsmallest(limit, found)]
        for start in range(0, len(ids), MATCHING_PAGE):
            for table in self.load_all(ids[start : start + MATCHING_PAGE]).values():
                if table and table.status is Status.CLOSED:  # An older release has closed it.
                    with available():
                        self._redis.zrem(keys.keys_of(table.id).matching(seats, ante), table.id)
                if table and match_rank(table):
                    yield table

    def tables(self, before: str | None, limit: int) -> Listed:
        upper = f"({before}" if before else "+"
        with available(), self._redis.pipeline(transaction=False) as pipe:
            for of in keys.ALL:
                pipe.zrevrangebylex(of.tables, upper, "-", 0, limit)
            return self._latest(pipe.execute(), limit)

    def _latest(self, pages: list[list[bytes]], limit: int) -> Listed:
        """The latest tables of several partitions, each of which has its own in that order."""
        latest = heapq.merge(*pages, reverse=True)
        ids = [member.decode() for member in islice(latest, limit)]
        tables = tuple(table for table in self.load_all(ids).values() if table)
        return Listed(tables, ids[-1] if ids else None)

    def backlog(self, now: int) -> Backlog:
        with available(), self._redis.pipeline(transaction=False) as pipe:
            for of in keys.ALL:
                pipe.zcard(of.due)
                pipe.zcount(of.due, "-inf", now)
                pipe.zrange(of.due, 0, 0, withscores=True)
            found = pipe.execute()
        oldest = [int(at) for first in found[2::3] for _, at in first]
        return Backlog(sum(found[0::3]), sum(found[1::3]), min(oldest, default=None))

    def census(self) -> Census:
        with available(), self._redis.pipeline(transaction=False) as pipe:
            for of in keys.ALL:
                for index in (of.lobby("open"), of.lobby("full"), of.tables):
                    pipe.zcard(index)
            found = pipe.execute()
        return Census(*(sum(found[index::3]) for index in range(3)))

    def claim_due(
        self, now: int, retry_at: int, limit: int, *, webhooks: bool = False
    ) -> tuple[Due, ...]:
        indexes = [of.hooks_due if webhooks else of.due for of in keys.ALL]
        looks = [("ZCOUNT", index, "-inf", now) for index in indexes]
        with available():  # A script takes far longer than a look, and mostly nothing is due.
            counts = self._redis.ask(*looks)
            if not any(_those_there_are(counts)):
                return ()
            with self._redis.pipeline(transaction=False) as pipe:
                for index, count in zip(indexes, counts, strict=True):
                    if count and not isinstance(count, Exception):
                        self._claim_due([index], [now, retry_at, limit], client=pipe)
                ready = _those_there_are(pipe.execute(raise_on_error=False))
        return tuple(_due(member.decode()) for members in ready for member in members)

    def done(self, due: Due) -> None:
        with available():
            self._redis.zrem(_index(due), due.member)

    def put_off(self, due: Due, until: int) -> None:
        with available():
            self._redis.zadd(_index(due), {due.member: until}, xx=True)

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
            pipe.zrem(of.due, Due("pay_out", table_id, version).member)
            pipe.execute()

    def forget(self, table: Table) -> bool:
        of, id_ = keys.keys_of(table.id), table.id
        tables_keys = [of.table(id_), of.log(id_), of.deals(id_), of.arrivals(id_), of.owed(id_)]
        with available():
            gone = self._forget(
                [*tables_keys, of.due, of.house, of.opened(id_), of.heard(id_), of.tables],
                [table.version, table.house, id_],
            )
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


MATCHING_PAGE = 10
"""How many tables are read at a time for a quick match: mostly the first will do."""

TOO_LATE = -1
"""What the commit script answers where a buy-in was sent back before it arrived."""

_STATE = ["state", "format"]


def _table(table_id: str, stored: Any) -> Table:
    state, format_number = stored
    if state is None:
        raise NotFound("There is no table {id}.", id=table_id)
    return codec.load_table(state, int(format_number))


def _those_there_are(answers: list[Any]) -> list[Any]:
    """The answers of the partitions that have one; raises where none has.

    On a cluster a server may be away, and what is due on the others must not wait for it.
    """
    answered = [answer for answer in answers if not isinstance(answer, Exception)]
    if not answered:
        raise answers[0]
    return answered


def _index(due: Due) -> str:
    """The due index that something lies in."""
    of = keys.keys_of(due.subject)
    return of.hooks_due if due.kind in FOR_WEBHOOKS else of.due


def _due(member: str) -> Due:
    kind, subject, number = member.split(":")
    return Due(cast(Any, kind), subject, int(number))
