"""What a store promises, and the one optimistic lock: read, decide, compare and set."""

import random
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from service.engine.errors import PaiuteError
from service.tables.events import Entry
from service.tables.followups import Kind
from service.tables.records import DealRecord
from service.tables.table import Player, Status, Table

QUEUES = ("bots", "settlement", "clock")
"""Each has worker processes of its own: RQ may lose a job of a worker on two queues."""

LOST_AFTER_MS = 1500
"""How long a follow-up that is on a queue may take before the sweep takes it for lost."""

ATTEMPTS = 8
"""How often a caller who named no version is judged again on a table that has moved on."""


def now_ms() -> int:
    """The time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class NotFound(PaiuteError):
    """There is no such thing."""

    code = "not_found"


class StaleVersion(PaiuteError):
    """The table has moved on from the version that the caller named; `table` is the fresh one."""

    code = "stale_version"

    def __init__(self, table: Table) -> None:
        super().__init__(
            "The table has moved on to version {now}; decide again on the view given here.",
            now=table.version,
        )
        self.table = table


class Unavailable(PaiuteError):
    """The store can't be reached or can't take writes now; trying again later may help."""

    code = "unavailable"


@dataclass(frozen=True, slots=True)
class Change:
    """A table after a step, the log entries of the step, and the record of a deal it ended.

    By its `id` a store tells a change that is sent again from another one that looks the same.
    """

    table: Table
    entries: tuple[Entry, ...]
    record: DealRecord | None = None
    id: str = field(default_factory=lambda: secrets.token_hex(8), compare=False)


@dataclass(frozen=True, slots=True)
class Account:
    """A player's account.  Chips are whole; times in milliseconds since 1970."""

    player: Player
    balance: int
    created_at: int


@dataclass(frozen=True, slots=True)
class Due:
    """A follow-up that has come due: what, at which table, decided at which version."""

    kind: Kind
    table_id: str
    version: int


class Store(ABC):
    """Tables, their logs, deal records, the lobby, the due index, and accounts."""

    def change(
        self, table_id: str, decide: Callable[[Table], Change], expected: int | None = None
    ) -> tuple[Table, Change]:
        """Read a table, decide on it, and commit, all or nothing; gives it as read, and the change.

        Where the table moved on in between, a caller who named a version gets `StaleVersion`;
        one who did not is judged again on the fresh table, up to `ATTEMPTS` times.

        Raises:
            NotFound: no such table.
            StaleVersion: the table is not, or not any more, at `expected`.
            PaiuteError: whatever `decide` refuses; nothing has changed.
        """
        for attempt in range(ATTEMPTS):
            table = self.load(table_id)
            if expected is not None and table.version != expected:
                raise StaleVersion(table)
            change = decide(table)
            if not change.entries:
                return table, change
            if self.commit(table.version, change):
                return table, change
            if expected is not None:
                break
            time.sleep(random.random() * 0.004 * attempt)  # noqa: S311 - just to part the callers
        raise StaleVersion(self.load(table_id))

    @abstractmethod
    def load(self, table_id: str) -> Table:
        """A table as it stands; raises `NotFound`."""

    @abstractmethod
    def commit(self, expected: int, change: Change) -> bool:
        """Write table, log entries, record, due entry and lobby entry in one atomic step.

        False, and nothing written, where the table is not at version `expected` (0 is a table
        that does not exist).  Sending the same change twice writes it once and is True twice.
        """

    @abstractmethod
    def entries(self, table_id: str, after: int, limit: int) -> tuple[Entry, ...]:
        """The log entries that follow version `after`, in order, at most `limit`."""

    @abstractmethod
    def record(self, table_id: str, number: int) -> DealRecord:
        """The record of a finished deal; raises `NotFound`."""

    @abstractmethod
    def records(self, table_id: str, before: int | None, limit: int) -> tuple[DealRecord, ...]:
        """Finished deals, latest first, with numbers below `before`, at most `limit`."""

    @abstractmethod
    def lobby(self, before: str | None, open_only: bool, limit: int) -> tuple[Table, ...]:
        """Public tables, latest first, with ids below `before`, at most `limit`."""

    @abstractmethod
    def wait(self, table_id: str, version: int, seconds: float) -> Table:
        """The table once it has left `version`, or as it stands after some seconds.

        A process lets a bounded number of callers wait; beyond it the answer is at once.
        """

    @abstractmethod
    def claim_due(self, now: int, retry_at: int, limit: int) -> tuple[Due, ...]:
        """Follow-ups due by `now`; each comes again at `retry_at` if its table has not moved on."""

    @abstractmethod
    def add_account(self, account: Account) -> None:
        """Keep a new account."""

    @abstractmethod
    def account(self, player_id: str) -> Account:
        """A player's account; raises `NotFound`."""

    @abstractmethod
    def note_table(self, player_id: str, table_id: str) -> None:
        """Remember that a player may have a seat at, or be host of, a table."""

    @abstractmethod
    def tables_of(self, player_id: str) -> tuple[Table, ...]:
        """The tables that a player has a seat at."""

    @abstractmethod
    def ping(self) -> None:
        """Raise `Unavailable` unless the store answers."""


def seated_at(tables: Iterable[Table], player_id: str) -> tuple[Table, ...]:
    """Those of some tables that are not closed and that a player has a seat at."""
    return tuple(
        table
        for table in tables
        if table.status is not Status.CLOSED and table.seat_of(player_id) is not None
    )


def listing(table: Table) -> str | None:
    """Where the lobby lists a table: among the `open` ones, the `full` ones, or nowhere."""
    if table.settings.visibility == "private" or table.status == "closed":
        return None
    return "open" if table.open_seats else "full"
