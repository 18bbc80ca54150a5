"""Jobs of the queue `bots`."""

from service.store.base import Due
from workers.context import run


def play_bot(table_id: str, version: int) -> None:
    """Play the turn of the bot that is to act at this version of a table, to its end."""
    run(Due("play_bot", table_id, version))
