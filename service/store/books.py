"""The books: accounts and tables with all that tells of their chips, read for the audit.

Each account and each table is read as it is at one moment, by a script.  What is longer than a page
is read on in further pages, which can't disagree with it: ledgers and logs grow at their end alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import msgspec
from redis import Redis, ResponseError

from service.store import codec, keys
from service.store.accounts import LedgerEntry, Posting
from service.store.base import Unavailable
from service.store.cluster import GuardedCluster
from service.store.connection import available
from service.store.redis_accounts import ledger_entry
from service.store.scripts import script
from service.tables.events import Entry
from service.tables.table import Table

PAGE = 500
"""Entries of a ledger or log that are read at once; a script holds all others up meanwhile."""

SCANNED = 1000
"""How many keys Redis looks at for one page of a scan."""

_WRONG = (msgspec.MsgspecError, KeyError, ValueError, TypeError)
"""What reading something raises that the service has not written."""


class Unreadable(Exception):
    """Something in the books can't be read: in which entry, and what."""

    def __init__(self, entry: int | None, what: str) -> None:
        super().__init__(what)
        self.entry = entry
        self.what = what


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """An entry of a ledger.

    Args:
        entry: the entry.
        known: the number that the index of postings has for it.
        due: whether its buy-in is due to arrive.
    """

    entry: LedgerEntry
    known: int | None
    due: bool


@dataclass(frozen=True, slots=True)
class AccountBook:
    """An account: its balance, how many postings its index has, and its ledger."""

    id: str
    balance: int
    known: int
    lines: tuple[LedgerLine, ...]


@dataclass(frozen=True, slots=True)
class LogLine:
    """An entry of a table's log, and the id of the commit that wrote it."""

    commit: str
    entry: Entry


@dataclass(frozen=True, slots=True)
class TableBook:
    """A table and what is kept beside it.

    Args:
        id: its id.
        table: its state; None where it is not there.
        format: the format of its state.
        arrivals: the versions at which buy-ins arrived, by id; None is a buy-in that went back.
        owed: by version, what was owed to leavers and is not noted as paid.
        due: the versions of which it is due to be paid out.
        last: the id of the last entry of the log.
        log: the log up to the version of the state.
    """

    id: str
    table: Table | None
    format: int
    arrivals: dict[str, int | None]
    owed: dict[int, tuple[Posting, ...]]
    due: frozenset[int]
    last: int
    log: tuple[LogLine, ...]


@dataclass(frozen=True, slots=True)
class House:
    """What a partition has of the house: its `chips` lost at tables that are forgotten.

    `gone` are the tables, of those that were asked for, that were forgotten by the same moment.
    """

    chips: int
    gone: frozenset[str]


class Books:
    """The books in one Redis, which are only read."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._read_account = redis.register_script(script("read_account"))
        self._read_table = redis.register_script(script("read_table"))

    def server(self) -> str:
        """What tells the server from every other, and from itself after a restart.

        On a cluster it tells, too, where everything is: what moves might be missed.
        """
        with available():
            try:
                if isinstance(self._redis, GuardedCluster):
                    return self._redis.state()
                return str(self._redis.info("server")["run_id"])
            except (ResponseError, KeyError):
                return ""  # Not everybody may ask.

    def table_ids(self) -> list[str]:
        """The ids of all tables, but those made meanwhile."""
        return self._ids("table")

    def account_ids(self) -> list[str]:
        """The ids of all accounts, but those made meanwhile."""
        return self._ids("account")

    def _ids(self, kind: str) -> list[str]:
        pattern = f"paiute:{{p[0-9][0-9]}}:{kind}:*"
        with available():
            found = {
                cast(bytes, key).decode().split(":", 3)[3]
                for key in self._redis.scan_iter(pattern, count=SCANNED)
            }
        return sorted(found)

    def house(self, of: keys.Keys, table_ids: Iterable[str]) -> House:
        """What the house lost in a partition, and which tables are among it, at one moment."""
        ids = list(table_ids)
        with available(), self._redis.pipeline(transaction=True) as pipe:
            pipe.hget(of.house, "chips")
            for table_id in ids:
                pipe.exists(of.table(table_id))
            chips, *there = pipe.execute()
        gone = frozenset(id_ for id_, is_there in zip(ids, there, strict=True) if not is_there)
        return House(int(chips or 0), gone)

    def tables(self, table_ids: Iterable[str]) -> dict[str, TableBook | Unreadable]:
        """Tables by id, each as it is at one moment; also those that are not there."""
        ids = list(table_ids)
        with available(), self._redis.pipeline(transaction=False) as pipe:
            for id_ in ids:
                of = keys.keys_of(id_)
                names = [of.table(id_), of.log(id_), of.arrivals(id_), of.owed(id_), of.due]
                self._read_table(names, [id_, PAGE], client=pipe)
            found = pipe.execute() if ids else []
        return {id_: self._table(id_, *read) for id_, read in zip(ids, found, strict=True)}

    def _table(self, id_: str, *read: Any) -> TableBook | Unreadable:
        (version, format_number, state), arrivals, owed, due, log, last = read
        try:
            if version is None or state is None:
                return _no_table(id_, _arrivals(arrivals))
            table = _state(state, format_number)
            log += self._rest_of_log(id_, log, int(version))
            if len(log) != int(version) and self._is_gone(id_):
                return _no_table(id_, _arrivals(arrivals))
            lines = tuple(_log_line(*one) for one in log if _number(one[0]) <= int(version))
            owing = _owed(owed)
            return TableBook(
                id_,
                table,
                int(format_number),
                _arrivals(arrivals),
                owing,
                frozenset(at for at, is_due in zip(owing, due, strict=True) if is_due),
                _number(last[0][0]) if last else 0,
                lines,
            )
        except Unreadable as wrong:
            return wrong

    def _rest_of_log(self, id_: str, page: list[Any], version: int) -> list[Any]:
        """The log up to a version from where its first page ends."""
        rest: list[Any] = []
        while len(page) == PAGE:
            with available():
                log, after = keys.keys_of(id_).log(id_), cast(bytes, page[-1][0]).decode()
                found = self._redis.xrange(log, f"({after}", f"{version}-0", count=PAGE)
            page = [(at, [part for pair in said.items() for part in pair]) for at, said in found]  # type: ignore[union-attr]
            rest += page
        return rest

    def _is_gone(self, table_id: str) -> bool:
        with available():
            return not self._redis.exists(keys.keys_of(table_id).table(table_id))

    def accounts(self, ids: Iterable[str]) -> dict[str, AccountBook | Unreadable | None]:
        """Accounts by id, each as it is at one moment; None where there is none."""
        pages: dict[str, list[Any]] = {id_: [] for id_ in ids}
        more = list(pages)
        while more:
            with available(), self._redis.pipeline(transaction=False) as pipe:
                for id_ in more:
                    of = keys.keys_of(id_)
                    names = [of.account(id_), of.ledger(id_), of.postings(id_), of.due]
                    after = _number(pages[id_][-1][2][-1][0]) if pages[id_] else 0
                    self._read_account(names, [id_, after, PAGE], client=pipe)
                found = pipe.execute()
            for id_, page in zip(more, found, strict=True):
                pages[id_].append(page)
            more = [id_ for id_ in more if pages[id_][-1] and len(pages[id_][-1][2]) == PAGE]
        return {id_: _account(id_, found) for id_, found in pages.items()}


def _account(id_: str, pages: list[Any]) -> AccountBook | Unreadable | None:
    """An account from its pages; the last one has its balance as it is after the last entry."""
    if pages[-1] is None:
        return None
    try:
        lines = tuple(
            LedgerLine(_ledger_entry(id_, *entry), int(known) if known else None, bool(due))
            for _, _, entries, numbers, is_due in pages
            for entry, known, due in zip(entries, numbers, is_due, strict=True)
        )
        balance, known = pages[-1][:2]
        return AccountBook(id_, _whole(balance or 0), int(known), lines)
    except Unreadable as wrong:
        return wrong


def _no_table(id_: str, arrivals: dict[str, int | None]) -> TableBook:
    return TableBook(id_, None, codec.FORMAT, arrivals, {}, frozenset(), 0, ())


def _state(state: bytes, format_number: bytes | None) -> Table:
    try:
        return codec.load_table(state, int(format_number or 0))
    except Unavailable:
        raise
    except _WRONG:
        raise Unreadable(None, "the state of the table") from None


def _log_line(at: bytes, fields: list[bytes]) -> LogLine:
    try:
        _, commit, _, entry = fields
        return LogLine(commit.decode(), codec.load_entry(entry))
    except _WRONG:
        raise Unreadable(_number(at), "an event") from None


def _ledger_entry(player: str, at: bytes, fields: list[bytes]) -> LedgerEntry:
    try:
        return ledger_entry(player, at, _pairs(fields))
    except _WRONG:
        raise Unreadable(_number(at), "a ledger entry") from None


def _arrivals(flat: list[bytes]) -> dict[str, int | None]:
    found: dict[str, int | None] = {}
    for id_, at in _pairs(flat).items():
        found[id_.decode()] = None if at == b"back" else _whole(at)
    return found


def _owed(flat: list[bytes]) -> dict[int, tuple[Posting, ...]]:
    try:
        return {
            int(at): msgspec.json.decode(postings, type=tuple[Posting, ...])
            for at, postings in _pairs(flat).items()
        }
    except _WRONG:
        raise Unreadable(None, "what the table owes") from None


def _whole(text: bytes | int) -> int:
    try:
        return int(text)
    except ValueError:
        raise Unreadable(None, "a number of chips, or a version") from None


def _number(stream_id: bytes) -> int:
    return int(stream_id.split(b"-")[0])


def _pairs(flat: list[bytes]) -> dict[bytes, bytes]:
    return dict(list(pairwise(flat))[::2])
