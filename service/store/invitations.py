"""Invitations to tables: what a store of them promises."""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from service.tables.invitations import Invitation
from service.tables.table import Player

MOST = 20
"""How many invitations a player may have at once: strangers send them."""

OPEN_MS = 24 * 3600 * 1000
"""How long an invitation stands."""


class Invitations(ABC):
    """The invitations that players have; whoever waits for news of a player is woken by one."""

    @abstractmethod
    def add(
        self, player_id: str, table_id: str, from_player: Player, code: str | None, at: int
    ) -> Invitation | None:
        """Invite a player, once to a table from one inviter; those that are too old go.

        Returns:
            The invitation, the earlier one if repeated; None where the player has `MOST` others.
        """

    @abstractmethod
    def after(self, player_id: str, number: int) -> tuple[Invitation, ...]:
        """A player's invitations with higher numbers, in order."""

    def of(self, player_id: str) -> tuple[Invitation, ...]:
        """A player's invitations, in order; some of them may have had their time."""
        return self.after(player_id, 0)

    @abstractmethod
    def drop(self, player_id: str, numbers: Iterable[int]) -> int:
        """Take invitations away; gives how many of them there were."""
