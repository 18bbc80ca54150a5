"""The in-memory twin of the Redis store: same contract, one process, nothing kept."""

import threading
from collections import defaultdict

from service.store.base import Account, Change, Due, NotFound, Store, listing, seated_at
from service.tables.events import Entry
from service.tables.followups import followup
from service.tables.records import DealRecord
from service.tables.table import Table


class MemoryStore(Store):
    """A store for tests and tools."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._tables: dict[str, Table] = {}
        self._commits: dict[tuple[str, int], str] = {}
        self._log: dict[str, list[Entry]] = defaultdict(list)
        self._records: dict[str, dict[int, DealRecord]] = defaultdict(dict)
        self._due: dict[str, tuple[int, Due]] = {}
        self._accounts: dict[str, Account] = {}
        self._noted: dict[str, set[str]] = defaultdict(set)

    def load(self, table_id: str) -> Table:
        try:
            return self._tables[table_id]
        except KeyError:
            raise NotFound("There is no table {id}.", id=table_id) from None

    def commit(self, expected: int, change: Change) -> bool:
        table = change.table
        with self._changed:
            current = self._tables.get(table.id)
            if (current.version if current else 0) != expected:
                return self._commits.get((table.id, table.version)) == change.id
            self._tables[table.id] = table
            self._commits[table.id, table.version] = change.id
            self._log[table.id].extend(change.entries)
            if change.record:
                self._records[table.id][change.record.number] = change.record
            self._due.pop(table.id, None)
            if due := followup(table):
                self._due[table.id] = due.at, Due(due.kind, table.id, table.version)
            self._changed.notify_all()
        return True

    def entries(self, table_id: str, after: int, limit: int) -> tuple[Entry, ...]:
        return tuple(self._log[table_id][after : after + limit])

    def record(self, table_id: str, number: int) -> DealRecord:
        try:
            return self._records[table_id][number]
        except KeyError:
            raise NotFound("This table has no finished deal {number}.", number=number) from None

    def records(self, table_id: str, before: int | None, limit: int) -> tuple[DealRecord, ...]:
        numbers = sorted(self._records[table_id], reverse=True)
        older = [number for number in numbers if before is None or number < before]
        return tuple(self._records[table_id][number] for number in older[:limit])

    def lobby(self, before: str | None, open_only: bool, limit: int) -> tuple[Table, ...]:
        wanted = ("open",) if open_only else ("open", "full")
        listed = sorted(
            (table for table in self._tables.values() if listing(table) in wanted),
            key=lambda table: table.id,
            reverse=True,
        )
        return tuple(table for table in listed if before is None or table.id < before)[:limit]

    def wait(self, table_id: str, version: int, seconds: float) -> Table:
        with self._changed:
            self._changed.wait_for(lambda: self.load(table_id).version != version, seconds)
        return self.load(table_id)

    def claim_due(self, now: int, retry_at: int, limit: int) -> tuple[Due, ...]:
        with self._changed:
            ready = sorted((at, due.table_id, due) for at, due in self._due.values() if at <= now)[
                :limit
            ]
            for _, table_id, due in ready:
                self._due[table_id] = retry_at, due
        return tuple(due for _, _, due in ready)

    def add_account(self, account: Account) -> None:
        self._accounts[account.player.id] = account

    def account(self, player_id: str) -> Account:
        try:
            return self._accounts[player_id]
        except KeyError:
            raise NotFound("There is no player {id}.", id=player_id) from None

    def note_table(self, player_id: str, table_id: str) -> None:
        self._noted[player_id].add(table_id)

    def tables_of(self, player_id: str) -> tuple[Table, ...]:
        noted = sorted(self._noted[player_id])
        return seated_at((self._tables[i] for i in noted if i in self._tables), player_id)

    def ping(self) -> None:
        return None
