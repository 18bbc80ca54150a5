"""Jobs of the queue `clock`."""

from service.store.base import Due
from workers.context import game


def expire_turn(table_id: str, version: int) -> None:
    """Play the turn, or the cut, of a seat whose time has run out."""
    game().run(Due("expire_turn", table_id, version))
