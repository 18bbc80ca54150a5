"""What a store promises, and the one optimistic lock: read, decide, compare and set."""

import random
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from service.engine.errors import PaiuteError
from service.observe import metrics
from service.store.accounts import Accounts, Posting
from service.store.answers import Answer, Answers
from service.store.budgets import Budgets, Charge
from service.store.feeds import Feeds
from service.store.identities import Identities
from service.store.invitations import Invitations
from service.store.leases import Leases
from service.store.ratings import Ratings
from service.store.revocations import Revocations
from service.store.tokens import Tokens
from service.store.watches import Guard, Watches
from service.store.webhooks import Webhooks
from service.tables.events import Entry
from service.tables.followups import Kind
from service.tables.records import DealRecord
from service.tables.sandbox import KEPT_MS
from service.tables.table import Status, Table

LOST_AFTER_MS = 1500
"""How long a follow-up that is on a queue may take before the sweep takes it for lost."""

ARRIVE_MS = 5000
"""How long a buy-in may take from its account to its table before it is sent back."""

NOTED_MS = 60_000
"""How long a table is noted for a player at least: a seat is noted before it is taken."""

ATTEMPTS = 8
"""How often a caller who named no version is judged again on a table that has moved on."""


def now_ms() -> int:
    """The time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class NotFound(PaiuteError):
    """There is no such thing."""

    code = "not_found"


def anybody(_: Table) -> None:
    """Admit everybody to a table."""


def check_seen(table: Table, viewer: str | None) -> None:
    """Refuse to let others than its player know of the table of a sandbox match.

    Raises:
        NotFound: the viewer may not see that there is such a table.
    """
    if table.sandbox and table.host != viewer:
        raise NotFound("There is no table {id}.", id=table.id)


class NoSuchDeal(NotFound):
    """The table has no finished deal of this number, not yet or not at all."""

    def __init__(self, number: int) -> None:
        super().__init__(
            "This table has no finished deal {number}; one that is played is here once it is "
            "settled.",
            number=number,
        )


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


class Crowded(Unavailable):
    """A table has moved on again and again while somebody wanted to change it."""


class NewerFormat(Unavailable):
    """Something was written by a newer release of the service."""


class SentBack(Unavailable):
    """A buy-in took so long that it was sent back to its account before it arrived."""


@dataclass(frozen=True, slots=True)
class Change:
    """A table after a step, the log entries of the step, and what is written along with them.

    Args:
        table: the table after the step.
        entries: the log entries; where there are none, nothing has changed.
        record: the record of a deal that the step ended.
        arrival: the id of the posting that paid for a seat.
        owed: the chips that players take home with it, as postings to their accounts.
        answer: what to answer to an idempotency key.
        hears: the player who takes a seat with it and has webhooks, to be told of the table.
        id: tells a change that is sent again from another one that looks the same.
    """

    table: Table
    entries: tuple[Entry, ...]
    record: DealRecord | None = None
    arrival: str | None = None
    owed: tuple[Posting, ...] = ()
    answer: Answer | None = None
    hears: str | None = None
    id: str = field(default_factory=lambda: secrets.token_hex(8), compare=False)


DueKind = Kind | Literal["arrive", "pay_out", "forget", "notify", "deliver"]
"""What can be due: at a table, to its chips and keys, and to the webhooks that hear of it."""


FOR_WEBHOOKS = ("notify", "deliver")
"""What webhooks wait for: it lies in a due index of its own, so that the game's is short."""


@dataclass(frozen=True, slots=True)
class Due:
    """A follow-up that has come due.

    Args:
        kind: what is to be done.
        subject: the id of the table, of the player whose buy-in has to arrive, or of the webhook.
        number: the version of the table, or the number of the ledger entry; 0 for webhooks.
    """

    kind: DueKind
    subject: str
    number: int

    @property
    def member(self) -> str:
        """What stands for it in the due index."""
        return f"{self.kind}:{self.subject}:{self.number}"


@dataclass(frozen=True, slots=True)
class Census:
    """How many tables there are.

    Args:
        open: public ones with free seats.
        full: public ones without.
        all: all that are kept, private and closed ones too.
    """

    open: int
    full: int
    all: int


@dataclass(frozen=True, slots=True)
class Backlog:
    """What is in the due index of the game.

    Args:
        entries: how many entries there are.
        late: how many of them are due by now.
        oldest_at: when the first is due, in milliseconds since 1970; None where there is none.
    """

    entries: int
    late: int
    oldest_at: int | None

    def late_ms(self, now: int) -> int:
        """How late the latest is, at a time in milliseconds since 1970."""
        return max(0, now - self.oldest_at) if self.oldest_at is not None else 0


class Listed(NamedTuple):
    """Some tables of a list, one after the other.

    Args:
        tables: those that can be read, and are still what is listed there.
        last: the id of the last one looked at, whichever that was; None at the end of the list.
    """

    tables: tuple[Table, ...]
    last: str | None


class Store(ABC):
    """Tables, their logs, deal records, the lobby, the due index; accounts, answers, budgets."""

    accounts: Accounts
    answers: Answers
    budgets: Budgets
    leases: Leases
    tokens: Tokens
    revocations: Revocations
    identities: Identities
    watches: Watches
    feeds: Feeds
    invitations: Invitations
    webhooks: Webhooks
    ratings: Ratings

    def change(
        self,
        table_id: str,
        decide: Callable[[Table], Change],
        expected: int | None = None,
        charge: Charge | None = None,
        admit: Callable[[Table], None] = anybody,
    ) -> tuple[Table, Change]:
        """Read a table, decide on it, and commit, all or nothing; gives it as read, and the change.

        Where the table moved on in between, a caller who named a version gets `StaleVersion`;
        one who did not is judged again on the fresh table, up to `ATTEMPTS` times, for one charge,
        and gets `Crowded` in the end.  `admit` is asked once, before anything is said of the table.

        Raises:
            RateLimited: the charge is not covered.
            NotFound: no such table.
            StaleVersion: the table is not, or not any more, at `expected`.
            Crowded: others were quicker each time; nothing has changed.
            SentBack: the change's buy-in came too late.
            InProgress: the change's answer is somebody else's to give.
            PaiuteError: whatever `admit` or `decide` refuses; nothing has changed.
        """
        for attempt in range(ATTEMPTS):
            table = self.load(table_id, charge if attempt == 0 else None)
            if attempt == 0:
                admit(table)
            if expected is not None and table.version != expected:
                metrics.STALE.inc()
                raise StaleVersion(table)
            change = decide(table)
            if not change.entries:
                return table, change
            if self.commit(table.version, change):
                return table, change
            metrics.LOST.inc()
            if expected is not None:
                raise StaleVersion(self.load(table_id))
            time.sleep(random.random() * 0.004 * attempt)  # noqa: S311 - just to part the callers
        metrics.CROWDED.inc()
        raise Crowded("Too many others are at this table at once; nothing has happened.")

    @abstractmethod
    def load(self, table_id: str, charge: Charge | None = None) -> Table:
        """A table as it stands, for a charge if one is given.

        Raises:
            RateLimited: the charge is not covered.
            NotFound: no such table.
        """

    @abstractmethod
    def commit(self, expected: int, change: Change) -> bool:
        """Write all of a change, and its due and lobby entries, in one atomic step.

        False, and nothing written, where the table is not at version `expected` (0 is a table
        that does not exist).  Sending the same change twice writes it once and is True twice.
        Chips that the change owes to leavers are due to be paid out from then on.

        Raises:
            SentBack: the change's buy-in was sent back before it arrived; nothing is written.
            InProgress: the change's answer is somebody else's to give; nothing is written.
        """

    @abstractmethod
    def entries(self, table_id: str, after: int, limit: int) -> tuple[Entry, ...]:
        """The log entries that follow version `after`, in order, at most `limit`.

        The log of a sandbox match has lost its first ones, beyond `LOG_KEPT`.
        """

    @abstractmethod
    def record(self, table_id: str, number: int) -> DealRecord:
        """The record of a finished deal; raises `NotFound`."""

    @abstractmethod
    def agree(self, table_id: str, number: int, player_id: str) -> None:
        """Note that a player agrees to open a finished deal; raises `NotFound`.

        Doing so twice is the same as once.
        """

    @abstractmethod
    def agreed(self, table_id: str, number: int) -> frozenset[str]:
        """The ids of the players who agree to open a finished deal."""

    @abstractmethod
    def records(self, table_id: str, before: int | None, limit: int) -> tuple[DealRecord, ...]:
        """Finished deals, latest first, with numbers below `before`, at most `limit`."""

    @abstractmethod
    def lobby(self, before: str | None, open_only: bool, limit: int) -> Listed:
        """Public tables, latest first, with ids below `before`, at most `limit`."""

    @abstractmethod
    def matching(self, seats: int, ante: int, limit: int) -> Iterator[Table]:
        """Tables of these stakes for whoever wants any, at most `limit`, read as they are taken.

        The first has the fewest open seats; of those with as many, it is the oldest.
        """

    @abstractmethod
    def tables(self, before: str | None, limit: int) -> Listed:
        """All tables, latest first, with ids below `before`, at most `limit`.

        One that a newer release has written is passed over, and one that closed before there was
        this list is not in it.
        """

    @abstractmethod
    def backlog(self, now: int) -> Backlog:
        """What the due index of the game has."""

    @abstractmethod
    def census(self) -> Census:
        """How many tables there are; it takes no longer where there are many."""

    def wait(
        self, table_id: str, version: int, seconds: float, guard: Guard | None = None
    ) -> Table:
        """The table once it has left `version`, or as it stands after some seconds.

        A process lets a bounded number of callers wait; beyond it the answer is at once.

        Raises:
            NotFound: no such table.
            PaiuteError: whatever the guard refuses, if there is one.
        """
        if seconds <= 0:
            return self.load(table_id)
        until = time.monotonic() + seconds
        names = (table_id, guard.woken_by) if guard else (table_id,)
        with self.watches.watching("poll", *names) as watch:
            while True:
                table = self.load(table_id)
                left = 0 if self.watches.closing else until - time.monotonic()
                if table.version != version or watch is None or left <= 0:
                    return table
                woken_by = watch.wait(left)
                if guard:
                    guard.check(woken_by)

    @abstractmethod
    def claim_due(
        self, now: int, retry_at: int, limit: int, *, webhooks: bool = False
    ) -> tuple[Due, ...]:
        """Follow-ups due by `now`; each comes again at `retry_at` if its table has not moved on.

        Args:
            now: the time, in milliseconds since 1970.
            retry_at: when they come again.
            limit: how many there may be of a partition.
            webhooks: whether it is those of webhooks, instead of the game's.
        """

    @abstractmethod
    def done(self, due: Due) -> None:
        """Take something off the due index that no commit takes off."""

    @abstractmethod
    def put_off(self, due: Due, until: int) -> None:
        """Have something come due again at a later time, unless it is not due any more."""

    @abstractmethod
    def send_back(self, buy_in: Posting) -> bool:
        """Make sure that a buy-in never arrives at its table; False where it has arrived."""

    @abstractmethod
    def owed(self, table_id: str, version: int) -> tuple[Posting, ...]:
        """The chips that a commit at this version owes, as postings, until they are paid."""

    @abstractmethod
    def paid(self, table_id: str, version: int) -> None:
        """Note that what a commit owed is on the accounts."""

    @abstractmethod
    def forget(self, table: Table) -> bool:
        """Delete all that is kept of a closed table; False while it owes chips."""

    def tables_of(self, player_id: str, now: int) -> tuple[Table, ...]:
        """The tables that a player has a seat at."""
        noted = self.accounts.noted(player_id)
        found = self.load_all(sorted(noted))
        unread = {id_ for id_, table in found.items() if table is None}
        gone = {
            id_: at
            for id_, at in noted.items()
            if id_ not in unread
            and _is_over(found.get(id_), player_id, noted_long_ago=now - at > NOTED_MS)
        }
        if gone:
            self.accounts.unnote(player_id, gone, now)
        return tuple(
            table
            for table in found.values()
            if table and table.status is not Status.CLOSED and table.seat_of(player_id) is not None
        )

    @abstractmethod
    def load_all(self, ids: list[str]) -> dict[str, Table | None]:
        """The tables with these ids that exist; None for one that a newer release has written."""

    @abstractmethod
    def ping(self) -> None:
        """Raise `Unavailable` unless the store answers."""


def _is_over(table: Table | None, player_id: str, *, noted_long_ago: bool) -> bool:
    """Whether a noted table has no part for a player, and never will have by that note."""
    if table is not None and table.status is Status.CLOSED:
        return True
    has_part = table and (table.host == player_id or table.seat_of(player_id) is not None)
    return noted_long_ago and not has_part


def kept_for(table: Table, usual: int) -> int:
    """How many milliseconds a closed table is kept for; a sandbox match goes soon."""
    return min(usual, KEPT_MS) if table.sandbox else usual


def listing(table: Table) -> str | None:
    """Where the lobby lists a table: among the `open` ones, the `full` ones, or nowhere."""
    if table.settings.visibility == "private" or table.status == "closed":
        return None
    return "open" if table.open_seats else "full"
