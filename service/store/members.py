"""The servers of a cluster: a client for each, and who has which slots."""

import logging
import random
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from redis import exceptions

from service.store.slots import Address, Slots

if TYPE_CHECKING:
    from service.store.connection import GuardedRedis

logger = logging.getLogger(__name__)

LEARN_EVERY_SECONDS = 0.2
"""How often, at most, it is asked who has which slots."""

LEARN_SECONDS = 0.2
"""So long servers are asked, one after the other, by whoever was told at once that one is away.

Who has waited for it in vain has no time left to ask, and the next ones are told at once.
"""

FIRST_SECONDS = 0.9
"""So long they are asked while nothing is known at all."""

AWAY = (exceptions.ConnectionError, exceptions.TimeoutError, exceptions.ClusterDownError)
"""What there is instead of an answer where a server, or its cluster, is away."""

NOBODY = "No server of the cluster answers."


class Members:
    """Who is in a cluster, as far as is known; for many threads.

    Args:
        seeds: some of its servers, to ask for all.
        connect_to: makes a client of one server, which connects when it is first used.
    """

    def __init__(
        self, seeds: Sequence[Address], connect_to: Callable[[Address], "GuardedRedis"]
    ) -> None:
        self.seeds = tuple(seeds)
        self.slots = Slots()
        self._connect_to = connect_to
        self._servers: dict[Address, GuardedRedis] = {}
        self._making, self._learning = threading.Lock(), threading.Lock()
        self._asked_at = float("-inf")

    def server(self, address: Address) -> "GuardedRedis":
        """The client of one server."""
        if found := self._servers.get(address):
            return found
        with self._making:
            if address not in self._servers:
                self._servers[address] = self._connect_to(address)
            return self._servers[address]

    def all(self, *, afresh: bool = False) -> list["GuardedRedis"]:
        """The clients of all servers that have slots, in a fixed order.

        Args:
            afresh: whether to ask who they are, though somebody has asked just now.

        Raises:
            ConnectionError: none of the cluster can be reached.
        """
        if afresh:
            self._asked_at = float("-inf")
        self._learn()
        if not self.slots:
            raise exceptions.ConnectionError(NOBODY)
        return [self.server(address) for address in self.slots.owners()]

    def any(self) -> list["GuardedRedis"]:
        """The same in any order; those that are known to be away come last."""
        servers = self.all()
        random.shuffle(servers)
        return sorted(servers, key=lambda server: server.breaker.away)

    def owner(self, slot: int) -> Address:
        """Who has a slot.

        Raises:
            ConnectionError: none of the cluster can be reached.
            ClusterDownError: nobody has it.
        """
        owner = self.slots.owner(slot)
        if owner is None:
            self._learn()
            owner = self.slots.owner(slot)
        if owner is None and not self.slots:
            raise exceptions.ConnectionError(NOBODY)
        if owner is None:
            raise exceptions.ClusterDownError(f"CLUSTERDOWN Nobody has slot {slot}.")
        return owner

    def owner_now(self, slot: int, away: Address, began: float) -> Address:
        """Who has a slot by now, after somebody has called a server in vain.

        Args:
            slot: the slot.
            away: the server.
            began: when it was called, in monotonic seconds; if that is long ago, nobody is asked.
        """
        if time.monotonic() < began + LEARN_SECONDS:
            self._learn(in_vain=away)
        return self.owner(slot)

    def close(self) -> None:
        """Close the connections to all servers."""
        for server in list(self._servers.values()):
            server.close()

    def _learn(self, in_vain: Address | None = None) -> None:
        """Ask who has which slots, unless somebody does so now, or has done so just now.

        Args:
            in_vain: a server that somebody has just called, to be asked last.
        """
        if not self._learning.acquire(blocking=not self.slots):
            return
        try:
            began = time.monotonic()
            if began < self._asked_at + LEARN_EVERY_SECONDS:
                return
            until = began + (LEARN_SECONDS if self.slots else FIRST_SECONDS)
            for address in self._whom_to_ask(in_vain):
                if self._learn_from(address) or time.monotonic() > until:
                    break
            self._asked_at = time.monotonic()
        finally:
            self._learning.release()

    def _whom_to_ask(self, in_vain: Address | None) -> list[Address]:
        known = list({*self.slots.owners(), *self.seeds})
        random.shuffle(known)
        return sorted(known, key=lambda one: (one == in_vain, self.server(one).breaker.away))

    def _learn_from(self, address: Address) -> bool:
        """Take what a server says; whether it says anything."""
        try:
            ranges = self.server(address).execute_command("CLUSTER", "SLOTS")
        except exceptions.RedisError as error:
            if not self.slots:
                logger.warning("%s:%s does not tell of its cluster: %s", *address, error)
            return False
        self.slots.learn(ranges, address)
        for gone in {*self._servers} - {*self.slots.owners(), *self.seeds}:
            self._servers.pop(gone).breaker.give_up()
        return bool(self.slots)
