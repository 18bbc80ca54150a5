"""Which server of a cluster has which keys."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

Address = tuple[str, int]
"""Host and port of a server."""

KEY_AT = {"EVALSHA": 3, "EVAL": 3}
"""Where a command has its first key, if not right after its name."""


class Slots:
    """Who has each slot, as far as is known; the slots that nobody has are left open."""

    def __init__(self) -> None:
        self._owners: list[Address | None] = [None] * REDIS_CLUSTER_HASH_SLOTS

    def learn(self, ranges: Iterable[Any], asked: Address) -> None:
        """Take what a server answers to CLUSTER SLOTS; one without an address is the server itself.

        Args:
            ranges: each with its first and its last slot, its master, and its replicas.
            asked: the server that has answered.
        """
        owners: list[Address | None] = [None] * REDIS_CLUSTER_HASH_SLOTS
        for first, last, (host, port, *_), *_ in ranges:
            # Where hosts have no names that clients could use, the server says `?` or nothing.
            named = host.decode() if host and host != b"?" else asked[0]
            owners[first : last + 1] = [(named, int(port))] * (last + 1 - first)
        self._owners = owners

    def move(self, slot: int, owner: Address) -> None:
        """Take what a server says of a slot that it does not have any more."""
        self._owners[slot] = owner

    def owner(self, slot: int) -> Address | None:
        """Who has a slot; None where that is not known, or nobody has it."""
        return self._owners[slot]

    def owners(self) -> list[Address]:
        """All who have slots, in a fixed order."""
        return sorted({owner for owner in self._owners if owner is not None})

    def __bool__(self) -> bool:
        """Whether anything is known."""
        return any(self._owners)

    def digest(self) -> str:
        """What is the same as long as the same servers have the same slots."""
        return hashlib.sha256(repr(self._owners).encode()).hexdigest()


def slot_of(command: Sequence[Any]) -> int:
    """The slot of the keys of a command.

    Raises:
        ValueError: the command has no key, so that it is for no slot.
    """
    at = KEY_AT.get(command[0], 1)
    if len(command) <= at:
        raise ValueError(f"{command[0]} has no key; ask one server, or each.")
    key = command[at]
    return int(key_slot(key if isinstance(key, bytes) else str(key).encode()))
