"""What was found to be against the laws: how often, and the first examples of each."""

import threading
from collections import Counter, defaultdict
from enum import StrEnum

EXAMPLES = 5


class Law(StrEnum):
    """All that is checked, by what is said where it does not hold."""

    LOST = "an acknowledged move is not in the log"
    DOUBLED = "two acknowledged moves are one"
    NOBODYS = "a move in the log is nobody's"
    MADE = "a table was made that nobody made"
    ANSWERS = "the same request got two answers, or was refused its own key"
    CHANGED = "a log has changed"
    RULES = "a log has a gap, breaks the rules, or chips do not add up"
    TOLD = "the API tells another log"
    STANDS = "a table stands still"
    ON_THEIR_WAY = "chips are on their way for long"
    ACCOUNTS = "the accounts do not add up"
    FAULT = "the service answered 500"
    ERROR = "an error was logged that no outage explains"
    STAYS = "a client can't leave"
    HARNESS = "the harness itself has failed"


class Findings:
    """Violations by law; any thread adds to them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.counts: Counter[Law] = Counter()
        self.examples: dict[Law, list[str]] = defaultdict(list)

    def add(self, law: Law, example: str) -> None:
        """Note one violation of a law."""
        with self._lock:
            self.counts[law] += 1
            if len(self.examples[law]) < EXAMPLES:
                self.examples[law].append(example)

    @property
    def total(self) -> int:
        """How many there are."""
        return self.counts.total()
