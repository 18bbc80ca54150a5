"""Tokens that a player has made, and those that are revoked: what a store of them promises.

Times are in whole seconds since 1970, as in the tokens themselves.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from service.engine.errors import PaiuteError

MOST_TOKENS = 50
"""How many further tokens an account may have at once."""

REVOKED_SECONDS = 24 * 3600
"""How long a revoked token still counts: so no account can fill the list of the revoked quickly."""

PAGE = 1000
"""How much of the list of the revoked is read at once."""


class TooManyTokens(PaiuteError):
    """An account has as many further tokens as it may have."""

    code = "limit_reached"

    def __init__(self) -> None:
        super().__init__(
            "You have as many further tokens as an account may have: {most}. Revoke one; it "
            "counts for another day.",
            limit="tokens",
            most=MOST_TOKENS,
        )


@dataclass(frozen=True, slots=True)
class TokenNote:
    """A further token, as its account remembers it: all but its text.

    Args:
        id: its id.
        scopes: the rights that it gives.
        created_at: when it was made.
        expires_at: from when on it is worthless; None is never.
        name: what its maker calls it.
    """

    id: str
    scopes: tuple[str, ...]
    created_at: int
    expires_at: int | None = None
    name: str | None = None

    def expired(self, now: int) -> bool:
        """Whether it is worthless by now."""
        return self.expires_at is not None and self.expires_at <= now


@dataclass(frozen=True, slots=True)
class Revoked:
    """A token that is worthless from now on, and when it would have expired, if ever."""

    token: str
    until: int | None = None


class Tokens(ABC):
    """The further tokens of each account, and the list of those that were revoked."""

    @abstractmethod
    def note(self, player_id: str, note: TokenNote) -> None:
        """Remember a token that is made now.

        Raises:
            TooManyTokens: the account has `MOST_TOKENS` that have not expired, those counted that
                were revoked within a day; nothing is remembered.
        """

    @abstractmethod
    def noted(self, player_id: str, now: int) -> tuple[TokenNote, ...]:
        """The tokens of an account that have neither expired nor been revoked, the latest first."""

    @abstractmethod
    def revoke(self, player_id: str, revoked: Revoked, now: int) -> None:
        """Put a token on the list of the revoked, and tell all who wait for `token:` and its id.

        Its account forgets it.  Twice is as good as once.
        """

    @abstractmethod
    def revoked_after(self, place: str) -> tuple[tuple[Revoked, ...], str]:
        """What was revoked after a place of the list, and the place that is reached with it.

        The list begins at ``FIRST_PLACE``; what has expired may be missing.  It is a page of it:
        where there are `PAGE`, more may follow.
        """

    @abstractmethod
    def revoked(self, token_id: str) -> bool:
        """Whether a token is on the list of the revoked."""


FIRST_PLACE = "0-0"
"""Where the list of the revoked begins."""


def woken_by(token_id: str) -> str:
    """The name that those wait for who want to hear of a token's end."""
    return f"token:{token_id}"
