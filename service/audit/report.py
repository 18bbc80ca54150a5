"""What an audit comes to."""

from dataclasses import dataclass
from typing import Literal

Value = int | str | None


@dataclass(frozen=True, slots=True)
class Misfit:
    """Something that does not fit.

    Args:
        kind: what it is of: an account, a table, a partition's count of the house, or all.
        id: the id of the account or table, or the name of the partition.
        entry: the number of the ledger entry, or the id of the event, if it is one.
        what: what is compared.
        expected: what it has to be by everything else.
        found: what it is.
    """

    kind: Literal["account", "table", "house", "all"]
    id: str
    entry: int | None
    what: str
    expected: Value
    found: Value

    def __str__(self) -> str:
        """The misfit in one line."""
        entry = {"account": "ledger entry", "table": "event"}.get(self.kind, "")
        place = f"{self.kind} {self.id}".strip()
        if self.entry is not None:
            place += f", {entry} {self.entry}"
        return f"{place}: {self.what}: expected {_said(self.expected)}, found {_said(self.found)}"


def _said(value: Value) -> str:
    return "nothing" if value is None else str(value)


@dataclass(slots=True)
class Figures:
    """What was counted, in chips, and of what."""

    accounts: int = 0
    tables: int = 0
    balances: int = 0
    on_tables: int = 0
    """The stacks, and the pots."""
    pots: int = 0
    on_their_way: int = 0
    """Due to arrive at a table, or owed by one."""
    moved_meanwhile: int = 0
    """Counted nowhere, or (below 0) twice, since it moved while it was counted."""
    granted: int = 0
    house: int = 0
    """What the house has put on the tables that are there, less what its bots took home."""
    house_before: int = 0
    """The same of tables that are forgotten."""

    @property
    def there(self) -> int:
        """All chips that there are."""
        return self.balances + self.on_tables + self.on_their_way + self.moved_meanwhile

    @property
    def issued(self) -> int:
        """All chips that there have to be."""
        return self.granted + self.house + self.house_before

    @property
    def difference(self) -> int:
        """Chips too many; below 0, too few."""
        return self.there - self.issued
