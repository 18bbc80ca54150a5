"""Chips between accounts and tables: each movement once, whatever is killed in between.

A buy-in leaves its account first, and is due to arrive: either the commit that seats the player
says that it has, or it is sent back, never both.  What a table owes to leavers is written in the
commit that lets them go, and is due to be paid out (docs/design.md, "Chips").
"""

import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from service.engine.errors import PaiuteError
from service.store.accounts import LedgerEntry, Posting, buy_in_id, cash_out_id, refund_id
from service.store.base import Crowded, Due, SentBack, Store, Unavailable
from service.tables.errors import InsufficientChips
from service.tables.events import Entry, PlayerJoined, PlayerLeft, Settled, TableClosed
from service.tables.table import Player, Table

STRANDED_MS = 1000
"""How long a live request's buy-in is on its way at the most; an older one may have lost its."""

LAST_ENTRIES = 20
"""How far back in a ledger stranded buy-ins are looked for."""


@dataclass(frozen=True, slots=True)
class BuyIn:
    """A buy-in on its way to a table, and what is due until it is there or back."""

    posting: Posting
    due: Due


class Cashier:
    """Moves chips between the accounts and the tables of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @contextmanager
    def buying_in(self, player: str, now: int) -> Iterator[Callable[[Table], str | None]]:
        """What takes a table's buy-in from a player, at most once, and gives its posting's id.

        It goes back where the table refuses in the end; where that is not known, in time.
        """
        taken: list[BuyIn] = []
        token = secrets.token_hex(8)

        def buy_in(table: Table) -> str | None:
            if not table.settings.buy_in:
                return None
            if not taken:
                taken.append(self.take(player, table, buy_in_id(table.id, token), now))
            return taken[0].posting.id

        try:
            yield buy_in
        except PaiuteError as error:
            known = not isinstance(error, Unavailable) or isinstance(error, SentBack | Crowded)
            for one in taken if known else ():
                self.send_back(one, now)
            raise
        with suppress(Unavailable):  # Then it is due, and is found to have arrived.
            for one in taken:
                self._store.done(one.due)

    def take(self, player: str, table: Table, id_: str, now: int) -> BuyIn:
        """Take a table's buy-in from an account; twice with one id is once.

        Raises:
            InsufficientChips: the account has too few; nothing has changed.
            NotFound: there is no such account.
        """
        posting = Posting(id_, player, -table.settings.buy_in, "buy_in", now, table.id)
        try:
            entry = self._post(posting)
        except InsufficientChips as error:
            error.table = table if table.version else None
            raise
        return BuyIn(posting, Due("arrive", player, entry.number))

    def _post(self, posting: Posting) -> LedgerEntry:
        """Post a buy-in, if need be with chips that have been on their way for too long."""
        try:
            return self._store.accounts.post(posting)
        except InsufficientChips:
            for entry in self._store.accounts.ledger(posting.player, None, LAST_ENTRIES):
                earlier = entry.posting
                if earlier.why == "buy_in" and posting.at - earlier.at >= STRANDED_MS:
                    due = Due("arrive", posting.player, entry.number)
                    self.send_back(BuyIn(earlier, due), posting.at)
            return self._store.accounts.post(posting)

    def send_back(self, buy_in: BuyIn, now: int) -> None:
        """Give a buy-in back, unless it has arrived."""
        sent = buy_in.posting
        if self._store.send_back(sent):
            id_ = refund_id(sent.id)
            back = Posting(id_, sent.player, -sent.amount, "refund", now, sent.table)
            self._store.accounts.post(back)
        self._store.done(buy_in.due)

    def see_to(self, due: Due, now: int) -> None:
        """Do what is due for chips: see to a buy-in that never arrived, or pay out."""
        if due.kind == "pay_out":
            self.pay_out(due.subject, due.number, self._store.owed(due.subject, due.number))
            return
        (entry,) = self._store.accounts.ledger(due.subject, due.number + 1, 1)
        self.send_back(BuyIn(entry.posting, due), now)

    def pay_out(self, table_id: str, version: int, owed: Iterable[Posting]) -> None:
        """Put what a table owes since a version on the accounts."""
        for posting in owed:
            self._store.accounts.post(posting)
        self._store.paid(table_id, version)


def owed(before: Table, entries: tuple[Entry, ...]) -> tuple[Posting, ...]:
    """What the players among the leavers of a step take home; house bots' chips stay the house's.

    Args:
        before: the table before the step.
        entries: the log entries of the step.
    """
    players = {number: seat.player for number, seat in before.seats.items()}
    postings = []
    for entry in entries:
        if isinstance(entry.event, PlayerJoined):
            players[entry.event.seat] = entry.event.player
        elif isinstance(entry.event, PlayerLeft | Settled | TableClosed):
            for seat, chips in entry.event.cashed_out.items():
                postings.append(_cash_out(before.id, entry, seat, players[seat], chips))
    return tuple(posting for posting in postings if posting)


def _cash_out(table_id: str, entry: Entry, seat: int, player: Player, chips: int) -> Posting | None:
    if player.is_house_bot or not chips:
        return None
    id_ = cash_out_id(table_id, entry.id, seat)
    return Posting(id_, player.id, chips, "cash_out", entry.at, table_id, entry.deal or None)
