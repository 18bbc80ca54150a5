"""Jobs of the queue `settlement`."""

from service.store.base import Due
from workers.context import run


def settle(table_id: str, version: int) -> None:
    """Show the hands of a deal that is over, pay the pot out and keep the deal's record."""
    run(Due("settle", table_id, version))


def next_deal(table_id: str, version: int) -> None:
    """Begin the next deal after the pause."""
    run(Due("next_deal", table_id, version))


def arrive(player_id: str, number: int) -> None:
    """See to a buy-in that is on its way for long: it has arrived at its table, or goes back."""
    run(Due("arrive", player_id, number))


def pay_out(table_id: str, version: int) -> None:
    """Put what a table owes to leavers on their accounts."""
    run(Due("pay_out", table_id, version))
