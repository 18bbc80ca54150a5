"""Players' accounts and their ledgers: what a store of them promises."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from service.store.answers import Answer
from service.tables.table import Player

Why = Literal["grant", "buy_in", "cash_out", "refund"]
"""Why chips moved: a gift of the house, onto a table, off a table, or a buy-in that came back."""


LEFT_MS = 7 * 24 * 3600 * 1000
"""How long it is remembered that a player was at a table: so long an account's stream resumes."""


@dataclass(frozen=True, slots=True)
class Account:
    """A player's account.  Chips are whole; times in milliseconds since 1970."""

    player: Player
    balance: int
    created_at: int


@dataclass(frozen=True, slots=True)
class Posting:
    """A movement of chips on an account, positive onto it.

    Its id is fixed before it is made, and one id moves chips once, however often it is posted.
    """

    id: str
    player: str
    amount: int
    why: Why
    at: int
    table: str | None = None
    deal: int | None = None


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A posting as the ledger has it: the how-manieth, and the balance after it."""

    number: int
    posting: Posting
    balance: int


def buy_in_id(table_id: str, token: str) -> str:
    """The id of a buy-in; the token tells one try to sit down from another."""
    return f"join-{table_id}-{token}"


def refund_id(buy_in: str) -> str:
    """The id of what sends a buy-in back."""
    return f"back-{buy_in}"


def cash_out_id(table_id: str, event: int, seat: int) -> str:
    """The id of what a seat takes home by an event."""
    return f"out-{table_id}-{event}-{seat}"


def grant_id(token: str) -> str:
    """The id of what an operator grants; the token tells one request from another."""
    return f"grant-{token}"


class Accounts(ABC):
    """Accounts, their ledgers, and which tables a player may sit at."""

    @abstractmethod
    def open(self, account: Account, answer: Answer | None = None) -> None:
        """Make an account whose first ledger entry is a grant of its balance; once.

        Args:
            account: the account.
            answer: what to answer to the idempotency key of the request, in whose partition the
                player then has to be.

        Raises:
            InProgress: the answer is somebody else's to give; nothing is made.
        """

    @abstractmethod
    def account(self, player_id: str) -> Account:
        """A player's account; raises `NotFound`."""

    @abstractmethod
    def players(self, player_ids: Sequence[str]) -> dict[str, Player]:
        """Those of some players who have an account, read at once."""

    @abstractmethod
    def post(self, posting: Posting) -> LedgerEntry:
        """Move chips, all or nothing, at most once; gives the entry, as it is in the ledger.

        Where the id was posted before, that is the earlier entry, whatever the posting says now.
        A buy-in is due to arrive at its table from now on (`arrive` in the due index).

        Raises:
            NotFound: there is no such account.
            InsufficientChips: the balance would fall below zero; nothing has changed.
        """

    @abstractmethod
    def ledger(self, player_id: str, before: int | None, limit: int) -> tuple[LedgerEntry, ...]:
        """The entries with numbers below `before`, the latest first, at most `limit`."""

    @abstractmethod
    def note(self, player_id: str, table_id: str, at: int, most: int = 0) -> bool:
        """Remember that a player may have a seat at, or be host of, a table.

        Args:
            player_id: which player.
            table_id: which table.
            at: when, in milliseconds since 1970.
            most: how many tables may be noted at most; 0 is any number.

        Returns:
            False, and nothing is remembered, where so many other tables are noted already.
        """

    @abstractmethod
    def noted(self, player_id: str) -> dict[str, int]:
        """The tables that were noted, and when."""

    @abstractmethod
    def unnote(self, player_id: str, tables: dict[str, int], now: int) -> None:
        """Forget tables that were noted at these times, but for those noted again since.

        For `LEFT_MS` they are among the `left` ones.
        """

    @abstractmethod
    def left(self, player_id: str, since: int) -> frozenset[str]:
        """The tables that are noted no longer since a time, in milliseconds since 1970."""
