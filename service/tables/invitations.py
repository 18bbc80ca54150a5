"""Invitations to tables."""

from dataclasses import dataclass

from service.tables.table import Player


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation to a table.

    Args:
        number: it is higher than those of its player's earlier ones, and stays a player's own.
        table: the id of the table.
        from_player: who invites.
        code: the invite code that joining takes; None at a public table.
        at: when, in milliseconds since 1970.
    """

    number: int
    table: str
    from_player: Player
    code: str | None
    at: int
