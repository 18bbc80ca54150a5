"""The names of the Redis keys.

All keys of a table share the hash tag of its partition, and so do the partition's indexes, so
that one script reaches them on Redis Cluster too.  An account's keys share its partition's.
"""

from dataclasses import dataclass
from zlib import crc32

from ulid import ULID

PARTITIONS = 16
"""Fixed for the life of a database: a table's keys follow from it."""

CHANGED = "paiute:changed"
"""The channel on which each commit publishes its table's id."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of one partition."""

    tag: str

    @property
    def due(self) -> str:
        """Sorted set: follow-ups by the time they are due, in milliseconds since 1970."""
        return f"paiute:{self.tag}:due"

    def lobby(self, listing: str) -> str:
        """Sorted set without scores: the ids of the public tables that are `open` or `full`."""
        return f"paiute:{self.tag}:lobby:{listing}"

    def table(self, table_id: str) -> str:
        """Hash: version, format, state, and the member of `due` that stands for the table."""
        return f"paiute:{self.tag}:table:{table_id}"

    def log(self, table_id: str) -> str:
        """Stream: the log entries, with the table's version as id."""
        return f"paiute:{self.tag}:log:{table_id}"

    def deals(self, table_id: str) -> str:
        """Hash: the records of the finished deals by number."""
        return f"paiute:{self.tag}:deals:{table_id}"

    def arrivals(self, table_id: str) -> str:
        """Hash: for the id of a buy-in, the version it arrived at, or `back`: it never will."""
        return f"paiute:{self.tag}:arrivals:{table_id}"

    def owed(self, table_id: str) -> str:
        """Hash: by version, the chips owed to players who left then, until they are paid."""
        return f"paiute:{self.tag}:owed:{table_id}"

    @property
    def house(self) -> str:
        """Hash: `chips` that the house lost at the `tables` that are forgotten by now."""
        return f"paiute:{self.tag}:house"

    def account(self, player_id: str) -> str:
        """Hash: player, balance, and when the account was made."""
        return f"paiute:{self.tag}:account:{player_id}"

    def ledger(self, player_id: str) -> str:
        """Stream: the ledger entries, by number."""
        return f"paiute:{self.tag}:ledger:{player_id}"

    def postings(self, player_id: str) -> str:
        """Hash: the number of the ledger entry of each posting's id."""
        return f"paiute:{self.tag}:postings:{player_id}"

    def noted(self, player_id: str) -> str:
        """Sorted set: the tables that the player may have a seat at, by when they were noted."""
        return f"paiute:{self.tag}:noted:{player_id}"

    def answer(self, key: str) -> str:
        """String: the claim to, then the answer to, the request of an idempotency key."""
        return f"paiute:{self.tag}:answer:{key}"

    def bucket(self, budget: str, payer: str) -> str:
        """String: when a caller's bucket of a budget will be full, in microseconds since 1970."""
        return f"paiute:{self.tag}:bucket:{budget}:{payer}"


ALL = tuple(Keys(f"{{p{number:02}}}") for number in range(PARTITIONS))


def keys_of(name: str) -> Keys:
    """The keys of the partition that a table, a player, a key or whoever else is in."""
    return ALL[crc32(name.encode()) % PARTITIONS]


def first_account(player_id: str) -> str:
    """String: where release 0.1 has kept an account."""
    return f"paiute:account:{player_id}"


def new_id(beside: str | None = None) -> str:
    """A new id, which sorts by time; in the partition of another name where one is given."""
    while True:
        id_ = str(ULID())
        if beside is None or keys_of(id_) is keys_of(beside):
            return id_
