"""The audit: whether all chips are accounted for, on a live system.

Accounts and tables are counted one after the other while chips move between them.  It can be done
without a stop, and without a false alarm, for these reasons.

- **Each account, and each table, is read as it is at one moment** (`service.store.books`), and
  obeys laws of its own then: a ledger adds up to its balance; the events of a table add up to its
  stacks, its pot and what the house has there (`account_law`, `table_law`).
- **Each movement between an account and a table has an id**, which both sides have.  So what one
  side has and the other has not is known by name.  If it is to come still, by what is due or owed,
  it is on its way.  If the other side was read before it happened, it has moved meanwhile:
  the other side is read again, and has to have it by then.  Either way it is in the sum, with
  its sign, as the two sides were counted (`count`).
- **Tables are read first, accounts after them.**  Chips leave an account before they arrive at a
  table, and leave a table before they are on an account.  So what a table tells of an arrival, its
  account tells of too, and where a table does not owe something any more, the account has it.
- **A table that is forgotten leaves the chips that the house lost there** in its partition's hash
  `house`, in one step.  After the tables of a partition have been read, that hash is read at one
  moment with whether each of them is still there, so a table is counted in one way alone.  All
  its chips are on accounts by then, and those are read later.
- A table that is made meanwhile is not counted: what accounts show of it has moved meanwhile.

What it takes for granted: that no table is made, closed and forgotten within one audit (the
retention is a day at least), and that the server does not change under it (it says so if it has).
"""

from service.audit.count import Report, Watch, audit
from service.audit.report import Figures, Misfit

__all__ = ["Figures", "Misfit", "Report", "Watch", "audit"]
