"""Long polls: looks at a table that are answered once it has changed, or after a time."""

import time

from flask import g

from service.api import auth, limits
from service.api.problems import RETRY_AFTER_SECONDS
from service.game import Terms
from service.store.base import check_seen
from service.tables.table import Table

ASK_AGAIN = {
    "Retry-After": {
        "description": "Seconds after which to ask again, where the answer came sooner than "
        "`wait` says and there is nothing new: too many wait already.",
        "schema": {"type": "integer"},
    }
}
"""The header of an answer that came too soon, as the document has it."""


def look(table_id: str, known: int | None, seconds: float) -> tuple[Table, dict[str, str]]:
    """A table once it has left a version, and the headers of an answer that comes too soon.

    Raises:
        InvalidToken: the caller's token has ended meanwhile.
        PaiuteError: the table can't be read, or not for this caller.
    """
    until, permit = time.monotonic() + seconds, auth.permit()
    left = min(seconds, permit.seconds_left) if seconds else 0
    terms = Terms(charge=limits.take(), admit=lambda seen: check_seen(seen, auth.caller_id()))
    table = g.game.look(table_id, known, left, terms, permit)
    return table, too_soon(until) if table.version == known else {}


def too_soon(until: float) -> dict[str, str]:
    """The headers of an answer with nothing new, where it comes before the time it had."""
    return {"Retry-After": str(RETRY_AFTER_SECONDS)} if time.monotonic() < until else {}
