"""Leases: places that are held for a while, of which each holder has so many."""

from abc import ABC, abstractmethod

LEASE_MS = 20_000
"""How long a place is held for: it is held anew well before, and free so long after a kill."""


class Leases(ABC):
    """Who holds how many places."""

    @abstractmethod
    def hold(self, holder: str, place: str, now: int, most: int) -> bool:
        """Hold a place from now on, or hold it anew; False where the holder has `most` others.

        Raises:
            Unavailable: that can't be said now.
        """

    @abstractmethod
    def free(self, holder: str, place: str) -> None:
        """Let a place go."""
