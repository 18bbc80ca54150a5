"""Jobs of the queue `clock`."""

from service.store.base import Due
from workers.context import run


def expire_turn(table_id: str, version: int) -> None:
    """Play the turn, or the cut, of a seat whose time has run out."""
    run(Due("expire_turn", table_id, version))


def close_idle(table_id: str, version: int) -> None:
    """Close a table that has waited for people in vain."""
    run(Due("close_idle", table_id, version))


def fill(table_id: str, version: int) -> None:
    """Seat house bots at a table that nobody else has come to."""
    run(Due("fill", table_id, version))


def forget(table_id: str, version: int) -> None:
    """Delete what is kept of a table that closed long ago."""
    run(Due("forget", table_id, version))
