"""Counting all chips of a live system; the method is told in the package's docstring."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from service.audit import account_law, table_law
from service.audit.account_law import AccountSums
from service.audit.report import Figures, Misfit, Value
from service.audit.table_law import Arrival, Departure, TableSums
from service.store import keys
from service.store.accounts import LedgerEntry, refund_id
from service.store.base import Unavailable
from service.store.books import Books

T = TypeVar("T")

Watch = Callable[[str, int], AbstractContextManager[Callable[[int], object]]]
"""Told what is counted now and how much of it there is; gives what to tell of each part done."""

MOST = 100
"""How many misfits are named; a fault of the service may have made very many."""

TABLES_AT_ONCE = 20
ACCOUNTS_AT_ONCE = 100


@dataclass(slots=True)
class Report:
    """What was counted, and what does not fit, as it was found; at most `MOST`."""

    figures: Figures = field(default_factory=Figures)
    misfits: list[Misfit] = field(default_factory=list)

    @property
    def fits(self) -> bool:
        """Whether all chips are accounted for."""
        return not self.misfits


def audit(books: Books, watch: Watch | None = None) -> Report:
    """Count everything once.

    Raises:
        Unavailable: the store is away, or it was restarted meanwhile.
    """
    return _Count(books, watch or (lambda _what, _length: nullcontext(lambda _done: None))).run()


@dataclass(frozen=True, slots=True)
class _Doubt:
    """A movement that an account tells of, and its table, when it was counted, did not."""

    account: AccountSums
    entry: LedgerEntry
    table: str


class _Count:
    def __init__(self, books: Books, watch: Watch) -> None:
        self._books = books
        self._watch = watch
        self._report = Report()
        self._figures = self._report.figures
        self._tables: dict[str, TableSums] = {}
        """The tables that are counted; what accounts tell of too is taken out of them."""
        self._broken: set[str] = set()
        """Accounts and tables that do not fit by themselves; more of them would say the same."""
        self._new: set[str] = set()
        """Tables that were made meanwhile."""
        self._house: dict[keys.Keys, int] = {}
        self._at_forgotten: dict[keys.Keys, int] = defaultdict(int)
        """By partition, what accounts have won at tables that are forgotten."""

    def run(self) -> Report:
        """Tables, accounts, and what is left over."""
        server = self._books.server()
        self._count_tables()
        self._count_accounts()
        self._check_leftovers()
        self._check_sum()
        if self._books.server() != server:
            raise Unavailable("The store was restarted while it was counted; try again.")
        return self._report

    def _off(self, misfit: Misfit, *of: str) -> None:
        """Note a misfit, unless what it is about does not fit by itself."""
        if not self._broken & set(of) and len(self._report.misfits) < MOST:
            self._report.misfits.append(misfit)

    def _count_tables(self) -> None:
        partitions: dict[keys.Keys, list[str]] = {of: [] for of in keys.ALL}
        ids = self._books.table_ids()
        for id_ in ids:
            partitions[keys.keys_of(id_)].append(id_)
        with self._watch("Tables", len(ids)) as done:
            for of, there in partitions.items():
                read: dict[str, TableSums] = {}
                for some in _batches(there, TABLES_AT_ONCE):
                    read |= self._read_tables(some)
                    done(len(some))
                house = self._books.house(of, there)
                self._house[of] = house.chips
                self._figures.house_before += house.chips
                for id_ in there:
                    if id_ not in house.gone:
                        self._count_table(read[id_])

    def _count_table(self, table: TableSums) -> None:
        self._tables[table.id] = table
        self._figures.tables += 1
        self._figures.on_tables += table.chips
        self._figures.pots += table.pot
        self._figures.house += table.house
        if table.misfit:
            self._off(table.misfit)
            self._broken.add(table.id)

    def _read_tables(self, ids: Iterable[str]) -> dict[str, TableSums]:
        return {id_: table_law.sums_of(id_, book) for id_, book in self._books.tables(ids).items()}

    def _read_accounts(self, ids: Iterable[str]) -> dict[str, AccountSums]:
        return {
            id_: account_law.sums_of(id_, book)
            for id_, book in self._books.accounts(ids).items()
            if book is not None
        }

    def _count_accounts(self) -> None:
        ids = self._books.account_ids()
        with self._watch("Accounts", len(ids)) as done:
            for some in _batches(ids, ACCOUNTS_AT_ONCE):
                doubts = [
                    doubt
                    for account in self._read_accounts(some).values()
                    for doubt in self._count_account(account)
                ]
                self._settle_doubts(doubts)
                done(len(some))

    def _count_account(self, account: AccountSums) -> Iterator[_Doubt]:
        self._figures.accounts += 1
        self._figures.balances += account.balance
        self._figures.granted += account.granted
        if account.misfit:
            self._off(account.misfit)
            self._broken.add(account.id)
        for entry in account.entries.values():
            table = entry.posting.table
            if table is not None and not self._agrees(account, entry, self._tables.get(table)):
                yield _Doubt(account, entry, table)

    def _agrees(self, account: AccountSums, entry: LedgerEntry, table: TableSums | None) -> bool:
        """Whether a table, when it was counted, told of a movement what an account tells."""
        posting = entry.posting
        if posting.why == "refund":
            return True  # It goes with its buy-in.
        if table is None:
            return False
        if _came_back(account, entry):
            return posting.id in table.back
        there = table.departures if posting.why == "cash_out" else table.arrivals
        moved = there.get(posting.id)
        if moved is None or (moved.player, moved.amount) != (account.id, abs(posting.amount)):
            return False
        del there[posting.id]
        return True

    def _settle_doubts(self, doubts: list[_Doubt]) -> None:
        """Read the tables again: by now they have to tell what the accounts tell."""
        by_table: dict[str, list[_Doubt]] = defaultdict(list)
        for doubt in doubts:
            by_table[doubt.table].append(doubt)
        for some in _batches(sorted(by_table), TABLES_AT_ONCE):
            for id_, now in self._read_tables(some).items():
                self._read_again(now)
                for doubt in by_table[id_]:
                    self._settle(doubt, now)

    def _read_again(self, now: TableSums) -> None:
        if now.there and now.id not in self._tables:
            self._new.add(now.id)
        if now.misfit:
            self._off(now.misfit, now.id)
            self._broken.add(now.id)

    def _settle(self, doubt: _Doubt, now: TableSums) -> None:
        """Judge a movement that a table did not tell of when it was counted."""
        account, entry, posting = doubt.account, doubt.entry, doubt.entry.posting
        if wrong := _misfit(doubt, now):
            self._off(wrong, account.id, doubt.table)
            if counted := self._tables.get(doubt.table):
                counted.forget(posting.id, account.id)
        elif _came_back(account, entry):
            pass
        elif posting.id in account.due:
            self._figures.on_their_way -= posting.amount
        elif doubt.table in self._tables or doubt.table in self._new:
            self._figures.moved_meanwhile -= posting.amount
        else:
            self._at_forgotten[keys.keys_of(doubt.table)] += posting.amount

    def _check_leftovers(self) -> None:
        """What tables tell of and no account does: it is owed, or has been paid since."""
        left = [table for table in self._tables.values() if table.arrivals or table.departures]
        with self._watch("Payouts", len(left)) as done:
            for some in _batches(left, TABLES_AT_ONCE):
                now = self._read_tables(table.id for table in some)
                accounts = self._read_accounts(
                    {out.player for table in some for out in table.departures.values()}
                )
                for table in some:
                    self._read_again(now[table.id])
                    self._check_left(table, now[table.id], accounts)
                done(len(some))

    def _check_left(
        self, table: TableSums, now: TableSums, accounts: dict[str, AccountSums]
    ) -> None:
        for id_, arrival in table.arrivals.items():
            what = f"buy-in {id_} on account {arrival.player}"
            wrong = Misfit("table", table.id, arrival.version, what, -arrival.amount, None)
            self._off(wrong, table.id, arrival.player)
        for id_, out in table.departures.items():
            account = accounts.get(out.player)
            paid = account.entries.get(id_) if account else None
            if id_ in now.owed or (paid and paid.posting.amount == out.amount):
                self._figures.on_their_way += out.amount
            else:
                what = f"payout {id_} on account {out.player}, or owed"
                found = paid.posting.amount if paid else None
                wrong = Misfit("table", table.id, out.event, what, out.amount, found)
                self._off(wrong, table.id, out.player)

    def _check_sum(self) -> None:
        """What is left to be wrong where everything else fits: what forgotten tables left."""
        if self._report.misfits:
            return
        for of, chips in self._house.items():
            if chips != self._at_forgotten[of]:
                what = "chips that the house lost at forgotten tables"
                self._off(Misfit("house", of.house, None, what, self._at_forgotten[of], chips))
        if self._report.fits and self._figures.difference:
            there, issued = self._figures.there, self._figures.issued
            self._off(Misfit("all", "chips", None, "sum", issued, there))


def _came_back(account: AccountSums, entry: LedgerEntry) -> bool:
    """Whether a buy-in went back to its account."""
    return refund_id(entry.posting.id) in account.entries


def _misfit(doubt: _Doubt, now: TableSums) -> Misfit | None:
    """What does not fit where a movement on an account is compared with its table, read later."""
    posting = doubt.entry.posting
    moved: Arrival | Departure | None
    if posting.why == "cash_out":
        moved = now.departures.get(posting.id)
        if moved is None and now.there:
            return _off(doubt, f"event that pays {posting.id} out", "there", None)
    else:
        moved = now.arrivals.get(posting.id)
        if _came_back(doubt.account, doubt.entry):
            return _misfit_of_return(doubt, now)
        if moved is None and posting.id not in doubt.account.due:
            if posting.id in now.back:
                return _off(doubt, f"refund back-{posting.id}", -posting.amount, None)
            if now.there:
                return _off(doubt, f"{posting.id} at the table, on its way, or back", "there", None)
    if moved and moved.player != doubt.account.id:
        return _off(doubt, f"player of {posting.id}", moved.player, doubt.account.id)
    if moved and moved.amount != abs(posting.amount):
        return _off(doubt, f"chips of {posting.id}", moved.amount, abs(posting.amount))
    return None


def _misfit_of_return(doubt: _Doubt, now: TableSums) -> Misfit | None:
    """A buy-in that is on its account again has not arrived, and never will."""
    id_ = doubt.entry.posting.id
    if id_ in now.arrivals:
        return _off(doubt, f"arrival of {id_}, which came back", None, "there")
    if now.there and id_ not in now.back:
        return _off(doubt, f"note that {id_} came back", "there", None)
    return None


def _off(doubt: _Doubt, what: str, expected: Value, found: Value) -> Misfit:
    what = f"table {doubt.table}: {what}"
    return Misfit("account", doubt.account.id, doubt.entry.number, what, expected, found)


def _batches(all_of_them: Iterable[T], size: int) -> Iterator[list[T]]:
    left = iter(all_of_them)
    while some := list(islice(left, size)):
        yield some
