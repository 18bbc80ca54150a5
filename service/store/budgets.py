"""Budgets of requests: a bucket of tokens for each caller, which one request takes one out of."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from service.engine.errors import PaiuteError

SECOND = 1_000_000
"""In microseconds, in which the time of a bucket is counted."""


@dataclass(frozen=True, slots=True)
class Charge:
    """What a request takes out of its caller's bucket.

    Args:
        budget: the name of the budget.
        payer: whose bucket it is.
        per_second: how many requests come back in a second, at least one.
        burst: how many requests a full bucket holds, at least one.
        requests: how many it counts for.
    """

    budget: str
    payer: str
    per_second: int
    burst: int
    requests: int = 1

    @property
    def each_us(self) -> int:
        """How long it takes until one request has come back, in microseconds."""
        return max(1, SECOND // self.per_second)

    @property
    def cost_us(self) -> int:
        """How long it takes until all that is taken out has come back, in microseconds."""
        return self.requests * self.each_us

    @property
    def full_us(self) -> int:
        """How long it takes until an empty bucket is full, in microseconds."""
        return self.burst * self.each_us


class RateLimited(PaiuteError):
    """The bucket is empty.  Within a second at the most there is a request in it again."""

    code = "rate_limited"

    def __init__(self, charge: Charge) -> None:
        super().__init__(
            "The budget `{limit}` is used up. Requests at once: {burst}; each second after that: "
            "{per_second}.",
            limit=charge.budget,
            burst=charge.burst,
            per_second=charge.per_second,
        )


class Budgets(ABC):
    """The buckets, full until something is taken out."""

    @abstractmethod
    def spend(self, charge: Charge) -> None:
        """Take one request, or as many as a charge counts for, out of a bucket.

        Raises:
            RateLimited: there is not so much in it; it stays as it is.
        """
