"""Outside identities and the accounts that they stand for: what a store of them promises."""

import hashlib
from abc import ABC, abstractmethod
from dataclasses import dataclass

from service.engine.errors import PaiuteError
from service.tables.table import Player

MOST_REMEMBERED = 65_536
"""How many players a process remembers by their identities."""


class IdentityTaken(PaiuteError):
    """The identity stands for another account already."""

    code = "identity_taken"


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody whom an identity provider vouches for: who it is, and by which name it knows them.

    Args:
        issuer: the provider.
        subject: its name for somebody, which never changes and is never given to another one.
    """

    issuer: str
    subject: str

    @property
    def key(self) -> str:
        """What it is kept under."""
        return hashlib.sha256(f"{self.issuer}\n{self.subject}".encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Bound:
    """The account that an identity stands for, for good.

    Args:
        identity: the identity.
        player: the id of the account's player.
        at: when it was bound, in milliseconds since 1970.
        opened: whether the account was opened for it, rather than linked to it later.
    """

    identity: Identity
    player: str
    at: int
    opened: bool


class Identities(ABC):
    """Which account each identity stands for.  What is bound once stays so."""

    def __init__(self) -> None:
        self._remembered: dict[Identity, Player] = {}

    def remembered(self, identity: Identity) -> Player | None:
        """The player of an identity, where this process has met them before."""
        return self._remembered.get(identity)

    def remember(self, identity: Identity, player: Player) -> None:
        """Have a process know the player of an identity, which never changes."""
        if len(self._remembered) >= MOST_REMEMBERED:
            self._remembered.clear()
        self._remembered[identity] = player

    @abstractmethod
    def bind(self, wanted: Bound) -> Bound:
        """Bind an identity unless it is bound already; gives what it is bound to in the end."""

    @abstractmethod
    def of(self, player_id: str) -> tuple[Bound, ...]:
        """The identities that stand for an account, the earliest first."""
