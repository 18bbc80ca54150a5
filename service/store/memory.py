"""The in-memory twin of the Redis store: same contract, one process, nothing kept."""

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from service.store.accounts import Account, Accounts, LedgerEntry, Posting
from service.store.answers import Answer, Answers, InProgress
from service.store.base import (
    ARRIVE_MS,
    FOR_WEBHOOKS,
    LOST_AFTER_MS,
    Backlog,
    Census,
    Change,
    Due,
    Listed,
    NoSuchDeal,
    NotFound,
    SentBack,
    Store,
    kept_for,
    listing,
)
from service.store.budgets import Budgets, Charge, RateLimited
from service.store.feeds import Feeds
from service.store.memory_invitations import MemoryInvitations
from service.store.memory_leases import MemoryLeases
from service.store.memory_ratings import MemoryRatings
from service.store.memory_tokens import MemoryIdentities, MemoryTokens
from service.store.memory_webhooks import MemoryWebhooks
from service.store.revocations import Revocations
from service.store.watches import Watches
from service.tables.errors import InsufficientChips
from service.tables.events import Entry
from service.tables.followups import followup
from service.tables.matching import match_rank
from service.tables.notices import is_news
from service.tables.records import DealRecord
from service.tables.sandbox import LOG_KEPT
from service.tables.table import Player, Status, Table


class MemoryAnswers(Answers):
    """Answers for tests and tools; they are kept for good."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[tuple[str, str], str] = {}

    def claim(self, place: str, key: str, claim: str) -> str | None:
        with self._lock:
            held = self._held.setdefault((place, key), claim)
        return None if held == claim else held

    def may_keep(self, answer: Answer) -> bool:
        """Whether the key is free, or claimed by this answer's request."""
        return self._held.get((answer.place, answer.key), answer.claim) == answer.claim

    def keep(self, answer: Answer) -> bool:
        with self._lock:
            if not self.may_keep(answer):
                return self._held[answer.place, answer.key] == answer.text
            self._held[answer.place, answer.key] = answer.text
        return True

    def release(self, answer: Answer) -> None:
        with self._lock:
            if self.may_keep(answer):
                self._held.pop((answer.place, answer.key), None)


class MemoryAccounts(Accounts):
    """Accounts for tests and tools; `due` is the due index of the store they belong to."""

    def __init__(self, due: dict[Due, int], answers: MemoryAnswers, watches: Watches) -> None:
        self._lock = threading.Lock()
        self._watches = watches
        self._due = due
        self._answers = answers
        self._accounts: dict[str, Account] = {}
        self._ledgers: dict[str, list[LedgerEntry]] = defaultdict(list)
        self._noted: dict[str, dict[str, int]] = defaultdict(dict)
        self._left: dict[str, dict[str, int]] = defaultdict(dict)

    def open(self, account: Account, answer: Answer | None = None) -> None:
        player = account.player.id
        with self._lock:
            if player in self._accounts:
                return
            if answer and not self._answers.keep(answer):
                raise InProgress
            grant = Posting("grant", player, account.balance, "grant", account.created_at)
            self._accounts[player] = account
            self._ledgers[player].append(LedgerEntry(1, grant, account.balance))

    def account(self, player_id: str) -> Account:
        try:
            return self._accounts[player_id]
        except KeyError:
            raise NotFound("There is no player {id}.", id=player_id) from None

    def players(self, player_ids: Sequence[str]) -> dict[str, Player]:
        return {id_: self._accounts[id_].player for id_ in player_ids if id_ in self._accounts}

    def post(self, posting: Posting) -> LedgerEntry:
        with self._lock:
            account, ledger = self.account(posting.player), self._ledgers[posting.player]
            for entry in ledger:
                if entry.posting.id == posting.id:
                    return entry
            after = account.balance + posting.amount
            if after < 0:
                raise InsufficientChips(
                    "This takes more chips than you have. Needed: {needed}; you have: {balance}.",
                    needed=-posting.amount,
                    balance=account.balance,
                )
            entry = LedgerEntry(len(ledger) + 1, posting, after)
            ledger.append(entry)
            self._accounts[posting.player] = replace(account, balance=after)
            if posting.why == "buy_in":
                self._due[Due("arrive", posting.player, entry.number)] = posting.at + ARRIVE_MS
            return entry

    def ledger(self, player_id: str, before: int | None, limit: int) -> tuple[LedgerEntry, ...]:
        known = reversed(self._ledgers[player_id])
        older = [entry for entry in known if before is None or entry.number < before]
        return tuple(older[:limit])

    def note(self, player_id: str, table_id: str, at: int, most: int = 0) -> bool:
        with self._lock:
            noted = self._noted[player_id]
            if most and table_id not in noted and len(noted) >= most:
                return False
            noted[table_id] = at
        self._watches.wake(player_id)
        return True

    def noted(self, player_id: str) -> dict[str, int]:
        return dict(self._noted[player_id])

    def unnote(self, player_id: str, tables: dict[str, int], now: int) -> None:
        with self._lock:
            noted, left = self._noted[player_id], self._left[player_id]
            for table_id, at in tables.items():
                if noted.get(table_id) == at:
                    del noted[table_id]
                    left[table_id] = now

    def left(self, player_id: str, since: int) -> frozenset[str]:
        with self._lock:
            left = self._left[player_id]
            return frozenset(table_id for table_id, at in left.items() if at >= since)


class MemoryBudgets(Budgets):
    """Budgets for tests and tools."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._full_at: dict[tuple[str, str], int] = {}

    def spend(self, charge: Charge) -> None:
        now, bucket = time.monotonic_ns() // 1000, (charge.budget, charge.payer)
        with self._lock:
            full_at = self._full_at.get(bucket, 0)
            if full_at > now + charge.full_us:  # It was larger before.
                full_at = now
            full_at = max(full_at, now) + charge.cost_us
            if full_at > now + charge.full_us:
                raise RateLimited(charge)
            self._full_at[bucket] = full_at


class MemoryStore(Store):
    """A store for tests and tools."""

    accounts: MemoryAccounts
    answers: MemoryAnswers
    budgets: MemoryBudgets
    webhooks: MemoryWebhooks

    def __init__(self, retention_seconds: int = 3600) -> None:
        self._retention_ms = 1000 * retention_seconds
        self._lock = threading.RLock()
        self._tables: dict[str, Table] = {}
        self._commits: dict[tuple[str, int], str] = {}
        self._log: dict[str, list[Entry]] = defaultdict(list)
        self._records: dict[str, dict[int, DealRecord]] = defaultdict(dict)
        self._opened: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._due: dict[Due, int] = {}
        self._arrivals: dict[str, dict[str, int | None]] = defaultdict(dict)
        self._owed: dict[tuple[str, int], tuple[Posting, ...]] = {}
        self.answers = MemoryAnswers()
        self.watches = Watches(polls=1000, streams=1000)
        self.feeds = Feeds(self.entries)
        self.leases = MemoryLeases()
        self.invitations = MemoryInvitations(self.watches)
        self.tokens = MemoryTokens(self.watches)
        self.revocations = Revocations(self.tokens)
        self.identities = MemoryIdentities()
        self.accounts = MemoryAccounts(self._due, self.answers, self.watches)
        self.budgets = MemoryBudgets()
        self.webhooks = MemoryWebhooks(self._due, self._tables, self.accounts.noted, self._lock)
        self.ratings = MemoryRatings()

    def load(self, table_id: str, charge: Charge | None = None) -> Table:
        if charge:
            self.budgets.spend(charge)
        with self._lock:  # Whoever sees a version sees its log entries, too.
            table = self._tables.get(table_id)
        if table is None:
            raise NotFound("There is no table {id}.", id=table_id)
        return table

    def commit(self, expected: int, change: Change) -> bool:
        table = change.table
        with self._lock:
            current = self._tables.get(table.id)
            if (current.version if current else 0) != expected:
                return self._commits.get((table.id, table.version)) == change.id
            if change.arrival in self._arrivals[table.id]:
                raise SentBack("This took too long, and your chips went back; try again.")
            if change.answer and not self.answers.may_keep(change.answer):
                raise InProgress
            self._write(current, change)
        self.watches.wake(table.id)
        return True

    def _write(self, before: Table | None, change: Change) -> None:
        table = change.table
        self._tables[table.id] = table
        self._commits[table.id, table.version] = change.id
        self._log[table.id].extend(change.entries)
        del self._log[table.id][: -LOG_KEPT if table.sandbox else 0]
        if change.record:
            self._records[table.id][change.record.number] = change.record
        if change.arrival:
            self._arrivals[table.id][change.arrival] = table.version
        if change.owed:
            self._owed[table.id, table.version] = change.owed
            due = Due("pay_out", table.id, table.version)
            self._due[due] = change.entries[-1].at + LOST_AFTER_MS
        if change.answer:
            self.answers.keep(change.answer)
        if change.hears:
            self.webhooks.mark(table.id, change.hears, change.entries[0].id - 1)
        if self.webhooks.heard(table.id) and any(map(is_news, change.entries)):
            self._due[Due("notify", table.id, 0)] = change.entries[-1].at
        if before and (was := followup(before)):
            self._due.pop(Due(was.kind, before.id, before.version), None)
        if pending := followup(table):
            self._due[Due(pending.kind, table.id, table.version)] = pending.at
        elif table.status is Status.CLOSED:
            forget_at = change.entries[-1].at + kept_for(table, self._retention_ms)
            self._due[Due("forget", table.id, table.version)] = forget_at

    def entries(self, table_id: str, after: int, limit: int) -> tuple[Entry, ...]:
        log = self._log[table_id]
        first = max(0, after + 1 - log[0].id) if log else 0
        return tuple(log[first : first + limit])

    def record(self, table_id: str, number: int) -> DealRecord:
        try:
            return self._records[table_id][number]
        except KeyError:
            raise NoSuchDeal(number) from None

    def agree(self, table_id: str, number: int, player_id: str) -> None:
        with self._lock:
            self.record(table_id, number)
            self._opened[table_id][number].add(player_id)

    def agreed(self, table_id: str, number: int) -> frozenset[str]:
        with self._lock:
            return frozenset(self._opened.get(table_id, {}).get(number, ()))

    def records(self, table_id: str, before: int | None, limit: int) -> tuple[DealRecord, ...]:
        numbers = sorted(self._records[table_id], reverse=True)
        older = [number for number in numbers if before is None or number < before]
        return tuple(self._records[table_id][number] for number in older[:limit])

    def lobby(self, before: str | None, open_only: bool, limit: int) -> Listed:
        wanted = ("open",) if open_only else ("open", "full")
        listed = (id_ for id_, table in self._tables.items() if listing(table) in wanted)
        return self._latest(listed, before, limit)

    def matching(self, seats: int, ante: int, limit: int) -> Iterator[Table]:
        found = sorted(
            (rank, table.id)
            for table in self._tables.values()
            if (table.settings.seats, table.settings.ante) == (seats, ante)
            and (rank := match_rank(table))
        )
        return (self._tables[id_] for _, id_ in found[:limit])

    def tables(self, before: str | None, limit: int) -> Listed:
        return self._latest(self._tables, before, limit)

    def _latest(self, ids: Iterable[str], before: str | None, limit: int) -> Listed:
        older = sorted((id_ for id_ in ids if before is None or id_ < before), reverse=True)[:limit]
        return Listed(tuple(self._tables[id_] for id_ in older), older[-1] if older else None)

    def backlog(self, now: int) -> Backlog:
        times = sorted(at for due, at in self._due.items() if due.kind not in FOR_WEBHOOKS)
        late = sum(at <= now for at in times)
        return Backlog(len(times), late, times[0] if times else None)

    def census(self) -> Census:
        listed = Counter(map(listing, self._tables.values()))
        return Census(listed["open"], listed["full"], len(self._tables))

    def load_all(self, ids: list[str]) -> dict[str, Table | None]:
        return {id_: self._tables[id_] for id_ in ids if id_ in self._tables}

    def claim_due(
        self, now: int, retry_at: int, limit: int, *, webhooks: bool = False
    ) -> tuple[Due, ...]:
        with self._lock:
            ready = sorted(
                (at, due.member, due)
                for due, at in self._due.items()
                if at <= now and (due.kind in FOR_WEBHOOKS) is webhooks
            )
            claimed = tuple(due for _, _, due in ready[:limit])
            self._due |= dict.fromkeys(claimed, retry_at)
        return claimed

    def done(self, due: Due) -> None:
        self._due.pop(due, None)

    def put_off(self, due: Due, until: int) -> None:
        with self._lock:
            if due in self._due:
                self._due[due] = until

    def send_back(self, buy_in: Posting) -> bool:
        assert buy_in.table is not None
        with self._lock:
            return self._arrivals[buy_in.table].setdefault(buy_in.id, None) is None

    def owed(self, table_id: str, version: int) -> tuple[Posting, ...]:
        return self._owed.get((table_id, version), ())

    def paid(self, table_id: str, version: int) -> None:
        with self._lock:
            self._owed.pop((table_id, version), None)
            self._due.pop(Due("pay_out", table_id, version), None)

    def forget(self, table: Table) -> bool:
        with self._lock:
            if any(table_id == table.id for table_id, _ in self._owed):
                return False
            for kept in (self._tables, self._log, self._records, self._opened, self._arrivals):
                kept.pop(table.id, None)
            self.webhooks.forget(table.id)
            self._due.pop(Due("forget", table.id, table.version), None)
        return True

    def ping(self) -> None:
        return None
