"""Jobs of the queue `settlement`."""

from service.store.base import Due
from workers.context import run


def settle(table_id: str, version: int) -> None:
    """Show the hands of a deal that is over, pay the pot out and keep the deal's record."""
    run(Due("settle", table_id, version))


def next_deal(table_id: str, version: int) -> None:
    """Begin the next deal after the pause."""
    run(Due("next_deal", table_id, version))
