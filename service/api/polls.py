"""Long polls: looks at a table that are answered once it has changed, or after a time."""

import time

from flask import g

from service.api import limits
from service.api.problems import RETRY_AFTER_SECONDS
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
    """A table once it has left a version, and the headers of an answer that comes too soon."""
    begun = time.monotonic()
    table = g.game.look(table_id, known, seconds, limits.take())
    too_soon = table.version == known and time.monotonic() - begun < seconds
    return table, {"Retry-After": str(RETRY_AFTER_SECONDS)} if too_soon else {}
