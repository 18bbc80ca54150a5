"""Pages of tables of which only some are wanted, or can be read."""

from collections.abc import Callable
from typing import Any

from service.store.base import Listed
from service.tables.table import Table

PAGE_READS = 10
"""So many pages' worth of tables are read at most to fill one page."""

Read = Callable[[str | None, int], Listed]
"""Reads tables with ids below one, the latest first, at most so many."""


def sift(
    read: Read, wanted: Callable[[Table], bool], query: dict[str, Any]
) -> tuple[list[Table], str | None]:
    """A page of the tables that are wanted, and the next page's cursor, if there may be one."""
    limit, before = query["limit"], query.get("cursor")
    found: list[Table] = []
    for _ in range(PAGE_READS):
        listed = read(before, limit)
        if listed.last is None:
            return found, None
        for table in listed.tables:
            if wanted(table):
                found.append(table)
            if len(found) == limit:
                return found, table.id
        before = listed.last
    return found, before
