"""Jobs of the queue `bots`."""

from service.store.base import Due
from workers.context import game


def play_bot(table_id: str, version: int) -> None:
    """Play the turn of the bot that is to act at this version of a table, to its end."""
    game().run(Due("play_bot", table_id, version))
