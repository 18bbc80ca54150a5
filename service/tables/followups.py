"""What has to happen next at a table without anybody asking for it, and when.

It is stored in the same commit as the table, so that no turn, deadline or settlement is lost.
"""

from dataclasses import dataclass
from typing import Literal

from service.tables.dealing import acting_seat
from service.tables.table import Status, Table

STAND_IN_MS = 3_000
"""The least that a stand-in thinks, so that its player can take the seat back."""

Kind = Literal["play_bot", "expire_turn", "settle", "next_deal", "close_idle", "fill"]


@dataclass(frozen=True, slots=True)
class Followup:
    """One thing to do, at a time in milliseconds since 1970."""

    kind: Kind
    at: int


def followup(table: Table) -> Followup | None:
    """What is due next; None at a closed table alone."""
    if table.status is Status.SETTLING:
        return Followup("settle", table.since)
    if table.status is Status.PAUSE and table.deadline is not None:
        return Followup("next_deal", table.deadline)
    if table.status is Status.WAITING and table.idle_deadline is not None:
        return _when_waiting(table, table.idle_deadline)
    seat = acting_seat(table)
    if seat is None:
        return None
    if table.seats[seat].bot_level is not None:
        least = STAND_IN_MS if table.seats[seat].stand_in else 0
        return Followup("play_bot", table.since + max(table.settings.thinking_ms, least))
    return Followup("expire_turn", table.expires_at) if table.expires_at is not None else None


def _when_waiting(table: Table, gives_up_at: int) -> Followup:
    if table.fill_at is not None and table.fill_at < gives_up_at:
        return Followup("fill", table.fill_at)
    return Followup("close_idle", gives_up_at)
