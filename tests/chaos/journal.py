"""What the clients have asked for, and what they were told of it."""

import threading
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    """What a client knows of its request in the end."""

    ACKNOWLEDGED = "acknowledged"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Request:
    """A request that changes something, however often it was sent.

    Args:
        player: who asked; empty before there is an account.
        table: at which table; for `create` the new one, if known.
        action: the last part of the path, or `create`, or `sign_up`.
        body: what was sent.
        key: its idempotency key, if any.
        expected: the version it was decided on, if it was named.
        outcome: what the client knows.
        status: of the last answer; 0 where there was none.
        view: the answer, where it was acknowledged; the problem, where it was refused.
    """

    player: str
    table: str
    action: str
    body: dict[str, Any]
    key: str | None
    expected: int | None
    outcome: Outcome
    status: int
    view: dict[str, Any]

    @property
    def version(self) -> int:
        """The table's version after it."""
        number: int = self.view["version"]
        return number

    def __str__(self) -> str:
        """What was asked and told, in short."""
        at = f" at {self.expected}" if self.expected is not None else ""
        told = f"{self.outcome} with {self.status}"
        told += f" at {self.version}" if self.outcome is Outcome.ACKNOWLEDGED else ""
        sent = f"{self.action} {self.body} of {self.player}{at} (key {self.key})"
        return f"table {self.table}: {sent}, {told}"


class Journal:
    """All requests of all clients, and how they went; any thread adds to them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: list[Request] = []
        self.counts: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()

    def add(self, request: Request) -> None:
        """Note how a request went in the end."""
        with self._lock:
            self._requests.append(request)
            self.counts[f"{request.outcome}"] += 1
            if request.outcome is Outcome.REFUSED:
                self.refusals[request.view.get("code", f"{request.status}")] += 1

    def count(self, what: str) -> None:
        """Count something that has no place of its own."""
        with self._lock:
            self.counts[what] += 1

    def since(self, place: int) -> list[Request]:
        """The requests from a place on."""
        with self._lock:
            return self._requests[place:]
