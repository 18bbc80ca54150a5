"""What holds of an account by itself: the ledger has no gap and adds up to the balance.

It begins with the grant of the sign-up.  Operators may grant more; all else comes from tables or
goes there.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from service.audit.report import Misfit, Value
from service.store.accounts import LedgerEntry, grant_id, refund_id
from service.store.books import AccountBook, Unreadable

_Check = tuple[int | None, str, Value, Value]


@dataclass(frozen=True, slots=True)
class AccountSums:
    """What an account comes to.

    Args:
        id: the player's id.
        balance: what the account says it has.
        granted: what was given to it.
        entries: all movements, by the ids of their postings.
        due: the ids of the buy-ins that are due to arrive.
        misfit: the first thing that does not fit.
    """

    id: str
    balance: int
    granted: int
    entries: dict[str, LedgerEntry]
    due: frozenset[str]
    misfit: Misfit | None


def sums_of(id_: str, book: AccountBook | Unreadable) -> AccountSums:
    """What an account comes to, and whether it obeys the laws of accounts."""
    if isinstance(book, Unreadable):
        wrong = Misfit("account", id_, book.entry, book.what, "something that can be read", None)
        return AccountSums(id_, 0, 0, {}, frozenset(), wrong)
    postings = [line.entry.posting for line in book.lines]
    return AccountSums(
        id_,
        book.balance,
        sum(posting.amount for posting in postings if posting.why == "grant"),
        {line.entry.posting.id: line.entry for line in book.lines},
        frozenset(line.entry.posting.id for line in book.lines if line.due),
        _misfit(book),
    )


def _misfit(book: AccountBook) -> Misfit | None:
    for entry, what, expected, found in _checks(book):
        if expected != found:
            return Misfit("account", book.id, entry, what, expected, found)
    return None


def _checks(book: AccountBook) -> Iterator[_Check]:
    """All that has to be so on an account: of which ledger entry, what, and what there is."""
    balance = 0
    seen: dict[str, LedgerEntry] = {}
    bought_in: dict[str, int] = {}
    """The chips of the buy-ins so far, by the id that would send them back."""
    for number, line in enumerate(book.lines, start=1):
        entry, posting = line.entry, line.entry.posting
        balance += posting.amount
        yield number, "number", number, entry.number
        granted = number == 1 or (posting.id.startswith(grant_id("")) and posting.amount > 0)
        if granted or posting.why == "grant":
            yield number, "why", "grant" if granted else "anything but grant", posting.why
        elif posting.table is None:
            yield number, "table", "a table", None
        yield number, "balance after it", balance, entry.balance
        yield number, "chips below 0", 0, min(balance, 0)
        yield number, f"earlier entry of {posting.id}", None, _number(seen.get(posting.id))
        yield number, f"number of {posting.id} in the index", number, line.known
        if posting.why == "refund":
            sent = bought_in.get(posting.id)
            yield number, "chips of the buy-in that came back", sent, -posting.amount
        if posting.why == "buy_in":
            bought_in[refund_id(posting.id)] = posting.amount
        seen[posting.id] = entry
    yield None, "postings in the index", len(book.lines), book.known
    yield None, "balance", balance, book.balance


def _number(entry: LedgerEntry | None) -> int | None:
    return entry.number if entry else None
