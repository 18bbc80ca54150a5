"""The names of the Redis keys.

All keys of a table share the hash tag of its partition, and so do the partition's indexes, so
that one script reaches them on Redis Cluster too.
"""

from dataclasses import dataclass
from zlib import crc32

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


ALL = tuple(Keys(f"{{p{number:02}}}") for number in range(PARTITIONS))


def keys_of(table_id: str) -> Keys:
    """The keys of the partition that a table is in."""
    return ALL[crc32(table_id.encode()) % PARTITIONS]


def account(player_id: str) -> str:
    """String: a player's account."""
    return f"paiute:account:{player_id}"


def noted_tables(player_id: str) -> str:
    """Set: the tables that a player may have a seat at."""
    return f"paiute:tables:{player_id}"
