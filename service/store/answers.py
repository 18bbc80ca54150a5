"""Answers that are kept so that a request sent again is answered again, not done again."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from service.engine.errors import PaiuteError

KEPT_MS = 24 * 3600 * 1000
"""How long an answer is kept."""

CLAIM_MS = 5000
"""How long a request may run before another one with its key may run in its place."""


NOT_OURS = -2
"""What a script answers where a key has been answered, or claimed, by somebody else."""


class InProgress(PaiuteError):
    """A request with the same idempotency key is still running."""

    code = "in_progress"

    def __init__(self) -> None:
        super().__init__(
            "A request with this `Idempotency-Key` is still running; send it again in a second."
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What to keep as the answer to a request.

    Args:
        key: the idempotency key, with its caller; also says which partition it is in.
        place: which partition it is kept in: that of this table or, else, of the key.
        claim: what the request has claimed the key with.
        text: the answer, as it is written down.
    """

    key: str
    place: str
    claim: str
    text: str


class Answers(ABC):
    """Answers by idempotency key."""

    @abstractmethod
    def claim(self, place: str, key: str, claim: str) -> str | None:
        """Claim a key for `CLAIM_MS`; gives what is held there, a claim or answer, if not free."""

    @abstractmethod
    def keep(self, answer: Answer) -> bool:
        """Keep an answer in place of its claim; False where somebody else holds the key."""

    @abstractmethod
    def release(self, answer: Answer) -> None:
        """Give a claim up without an answer."""
