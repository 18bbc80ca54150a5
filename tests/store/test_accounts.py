"""What both stores promise of accounts, and of chips on their way (service/store/accounts.py)."""

import threading
from dataclasses import replace
from itertools import pairwise

import pytest

from service.store.accounts import Account, LedgerEntry, Posting
from service.store.base import ARRIVE_MS, Due, NotFound, SentBack, Store
from service.tables import Player
from service.tables.errors import InsufficientChips
from tests.support.tables import GUEST, HOST, START, changed_by, created, open_account, put, seated

ME = Player("me", "Keola ♠", "bot")
THIRD = Player("third", "Nalu", "human")


def posting(id_: str, amount: int, **more: object) -> Posting:
    """A movement of chips on my account."""
    return Posting(id_, ME.id, amount, "cash_out", START, **more)  # type: ignore[arg-type]


@pytest.fixture
def mine(store: Store) -> Store:
    """A store in which I have a hundred chips."""
    open_account(store, ME, 100)
    return store


def balance(store: Store) -> int:
    """What I have."""
    return store.accounts.account(ME.id).balance


def test_an_account_is_read_as_it_was_made(mine: Store) -> None:
    """An account has its player, the grant, and when it was made; made twice it is one."""
    for _ in range(2):
        assert Account(ME, 100, START) == mine.accounts.account(ME.id)
        open_account(mine, ME, 100)


def test_the_first_entry_is_the_grant(mine: Store) -> None:
    """The ledger begins with what the house has given."""
    grant = Posting("grant", ME.id, 100, "grant", START)
    assert (LedgerEntry(1, grant, 100),) == mine.accounts.ledger(ME.id, None, 9)


def test_a_posting_moves_chips_once(mine: Store) -> None:
    """The same id again moves nothing, and gives the first entry."""
    first = mine.accounts.post(posting("out-1", 40, table="table-1", deal=3))
    assert LedgerEntry(2, posting("out-1", 40, table="table-1", deal=3), 140) == first
    mine.accounts.post(posting("out-2", -15))
    again = mine.accounts.post(posting("out-1", 40, table="table-1", deal=3))
    assert (first, 125) == (again, balance(mine))
    assert 3 == len(mine.accounts.ledger(ME.id, None, 9))


def test_a_posting_is_what_it_was_first(mine: Store) -> None:
    """An id that comes again with other chips, of another time, gives the entry of the ledger."""
    first = mine.accounts.post(posting("out-1", 40, table="table-1", deal=3))
    other = Posting("out-1", ME.id, 4000, "grant", START + 1)
    assert (first, 140) == (mine.accounts.post(other), balance(mine))
    assert first == mine.accounts.ledger(ME.id, None, 1)[0]


def test_a_balance_is_never_below_nothing(mine: Store) -> None:
    """The last chip may go, no more; a refused posting may succeed later."""
    mine.accounts.post(posting("all-but-one", -99))
    with pytest.raises(InsufficientChips, match="Needed: 2; you have: 1"):
        mine.accounts.post(posting("two", -2))
    assert 1 == balance(mine)
    mine.accounts.post(posting("gift", 1))
    assert 0 == mine.accounts.post(posting("two", -2)).balance


def test_nobodys_account(store: Store) -> None:
    """Nobody has neither an account nor a ledger, and nothing can be posted."""
    with pytest.raises(NotFound):
        store.accounts.account(ME.id)
    with pytest.raises(NotFound):
        store.accounts.post(posting("out-1", 40))
    assert () == store.accounts.ledger(ME.id, None, 9)


def test_a_ledger_by_pages(mine: Store) -> None:
    """Pages go from the latest entry to the grant, without a gap."""
    for number in range(2, 12):
        mine.accounts.post(posting(f"out-{number}", number))
    seen: list[LedgerEntry] = []
    while page := mine.accounts.ledger(ME.id, seen[-1].number if seen else None, 4):
        seen += page
    assert list(range(11, 0, -1)) == [entry.number for entry in seen]
    for newer, older in pairwise(seen):
        assert newer.balance == older.balance + newer.posting.amount


@pytest.mark.parametrize("before", [0, 1])
def test_nothing_is_before_the_first_entry(mine: Store, before: int) -> None:
    """A page before the grant is empty."""
    assert () == mine.accounts.ledger(ME.id, before, 9)


def test_two_tables_cannot_take_the_same_chips(mine: Store) -> None:
    """Of many postings at once as many succeed as there are chips for."""
    taken: list[str] = []

    def take(name: str) -> None:
        try:
            mine.accounts.post(posting(name, -30))
        except InsufficientChips:
            return
        taken.append(name)

    threads = [threading.Thread(target=take, args=(f"join-{n}",)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (3, 10) == (len(taken), balance(mine))


def test_a_buy_in_is_due_to_arrive(mine: Store) -> None:
    """A buy-in that nobody sees to comes due; one that has arrived does not."""
    buy_in = Posting("join-1", ME.id, -20, "buy_in", START, "table-1")
    entry = mine.accounts.post(buy_in)
    due = Due("arrive", ME.id, entry.number)
    assert () == mine.claim_due(START + ARRIVE_MS - 1, START + ARRIVE_MS, 9)
    assert (due,) == mine.claim_due(START + ARRIVE_MS, START + ARRIVE_MS, 9)
    mine.done(due)
    assert () == mine.claim_due(START * 2, START * 2, 9)


def arriving(store: Store) -> Posting:
    """A buy-in on its way to a table that the host sits at."""
    open_account(store, GUEST, 100)
    put(store, created("table-1", seats=3))
    buy_in = Posting("join-1", GUEST.id, -20, "buy_in", START, "table-1")
    store.accounts.post(buy_in)
    return buy_in


def test_a_buy_in_that_arrived_is_not_sent_back(store: Store) -> None:
    """Once a commit has taken it, it stays, and no second commit takes it."""
    buy_in = arriving(store)
    change = changed_by(store.load("table-1"), seated(GUEST))
    table = put(store, replace(change, arrival=buy_in.id))
    assert store.send_back(buy_in) is False
    other = changed_by(table, seated(THIRD))
    with pytest.raises(SentBack):
        store.commit(table.version, replace(other, arrival=buy_in.id))
    assert table == store.load("table-1")


def test_a_buy_in_that_was_sent_back_never_arrives(store: Store) -> None:
    """However late a slow process comes with its commit, it writes nothing."""
    buy_in = arriving(store)
    before = store.load("table-1")
    for _ in range(2):
        assert store.send_back(buy_in) is True
    change = changed_by(before, seated(GUEST))
    with pytest.raises(SentBack):
        store.commit(1, replace(change, arrival=buy_in.id))
    assert before == store.load("table-1")
    assert 1 == len(store.entries("table-1", 0, 9))


def test_what_a_table_owes(store: Store) -> None:
    """What a commit owes is kept and due until it is paid."""
    table = put(store, created("table-1", (HOST, GUEST), seats=3))
    owes = (Posting("out-1", ME.id, 20, "cash_out", START, "table-1", 4),)
    table = put(store, replace(changed_by(table, seated(THIRD)), owed=owes))
    due = Due("pay_out", table.id, table.version)
    assert owes == store.owed(table.id, table.version)
    assert due in store.claim_due(START + 2000, START + 2000, 9)
    store.paid(table.id, table.version)
    assert () == store.owed(table.id, table.version)
    assert due not in store.claim_due(START * 2, START * 2, 9)


def test_putting_off(mine: Store) -> None:
    """What is put off comes due later; what is not due any more stays away."""
    mine.accounts.post(Posting("join-1", ME.id, -20, "buy_in", START, "table-1"))
    due = Due("arrive", ME.id, 2)
    mine.put_off(due, START * 2)
    assert () == mine.claim_due(START * 2 - 1, START, 9)
    assert (due,) == mine.claim_due(START * 2, START, 9)
    mine.done(due)
    mine.put_off(due, START)
    assert () == mine.claim_due(START * 3, START, 9)
