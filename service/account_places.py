"""How far an account's stream has come at each of its tables, and the text that says so.

The text is the id of an event.  For clients it is opaque: they send it back to resume after it.
"""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from functools import lru_cache

from ulid import ULID

ID_BYTES = 16
NUMBER_BYTES = 6
"""A place is a version and how many of the next entry's notices are told: see `Places`."""

PARTS = 4
"""More notices than any log entry makes for one player."""


@dataclass(slots=True)
class Places:
    """Where an account's stream is.

    Args:
        at: when it was last asked which tables there are, in milliseconds since 1970.
        invited: the number of the last invitation that is told.
        tables: by table, `PARTS` times the version up to which all is told, and then the number of
            notices that are told of the entry after it.
    """

    at: int = 0
    invited: int = 0
    tables: dict[str, int] = field(default_factory=dict)

    def told(self, table_id: str, version: int, part: int) -> None:
        """Note that a table's notice is told: the `part`th, from 0, of the entry `version`."""
        self.tables[table_id] = PARTS * (version - 1) + part + 1

    def told_up_to(self, table_id: str, version: int) -> None:
        """Note that all is told that has happened at a table up to a version."""
        self.tables[table_id] = PARTS * version

    @property
    def cursor(self) -> str:
        """The text for these places."""
        numbers = (self.at, self.invited)
        packed = [number.to_bytes(NUMBER_BYTES, "big") for number in numbers]
        for table_id, place in self.tables.items():
            packed += (_packed(table_id), place.to_bytes(NUMBER_BYTES, "big"))
        return urlsafe_b64encode(b"".join(packed)).decode()


def places_at(cursor: str) -> Places | None:
    """The places that a text stands for; None where it is none of ours."""
    try:
        packed = urlsafe_b64decode(cursor.encode())
    except (binascii.Error, ValueError):
        return None
    at, invited = packed[:NUMBER_BYTES], packed[NUMBER_BYTES : 2 * NUMBER_BYTES]
    rest = packed[2 * NUMBER_BYTES :]
    size = ID_BYTES + NUMBER_BYTES
    if len(invited) < NUMBER_BYTES or len(rest) % size:
        return None
    pairs = (rest[start : start + size] for start in range(0, len(rest), size))
    tables = {
        str(ULID.from_bytes(pair[:ID_BYTES])): int.from_bytes(pair[ID_BYTES:], "big")
        for pair in pairs
    }
    return Places(int.from_bytes(at, "big"), int.from_bytes(invited, "big"), tables)


@lru_cache(maxsize=4096)
def _packed(table_id: str) -> bytes:
    """A table's id in its 16 bytes; remembered, since each event's id has all of them."""
    return ULID.from_str(table_id).bytes
