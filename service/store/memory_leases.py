"""The in-memory twin of the leases in Redis."""

import threading
from collections import defaultdict

from service.store.leases import LEASE_MS, Leases


class MemoryLeases(Leases):
    """Leases for tests and tools."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: defaultdict[str, dict[str, int]] = defaultdict(dict)

    def hold(self, holder: str, place: str, now: int, most: int) -> bool:
        with self._lock:
            held = self._held[holder]
            for other in [other for other, until in held.items() if until <= now]:
                del held[other]
            if place not in held and len(held) >= most:
                return False
            held[place] = now + LEASE_MS
        return True

    def free(self, holder: str, place: str) -> None:
        with self._lock:
            self._held[holder].pop(place, None)
