"""The logs that this process follows: what is new in one is read once for all who follow it."""

import threading
from collections.abc import Callable
from weakref import WeakValueDictionary

from service.tables.events import Entry

PAGE = 100
"""How many entries are read at once."""

KEPT = 200
"""How many of a table's latest entries are kept for those who have not got them yet."""

Read = Callable[[str, int, int], tuple[Entry, ...]]
"""Reads a table's log entries after a version, at most so many: `Store.entries`."""


class Feed:
    """The log of one table, of which the latest entries are at hand."""

    def __init__(self, table_id: str, read: Read) -> None:
        self._table_id = table_id
        self._read = read
        self._lock = threading.Lock()
        self._latest: list[Entry] = []

    def after(self, version: int) -> tuple[Entry, ...]:
        """Log entries that follow a version, in order; none where there are none yet.

        Those are all that there are, where they are fewer than `PAGE`; else ask again.

        Raises:
            Unavailable: the log can't be read now.
        """
        with self._lock:
            latest = self._latest
            if latest and version > latest[-1].id:
                latest.clear()  # Nobody has followed it to here.
            elif latest and version == latest[-1].id:
                self._catch_up(version)
            if latest and version >= latest[0].id - 1:
                return tuple(latest[version - latest[0].id + 1 :])
            page = self._read(self._table_id, version, PAGE)
            if not latest and len(page) < PAGE:
                latest += page
            return page

    def _catch_up(self, reached: int) -> None:
        """Read what is new since a version, to the end, and keep the latest."""
        while page := self._read(self._table_id, reached, PAGE):
            if page[0].id > reached + 1:
                self._latest.clear()  # What lay between is gone: see `LOG_KEPT`.
            self._latest += page
            del self._latest[:-KEPT]
            reached = page[-1].id
            if len(page) < PAGE:
                return


class Feeds:
    """The feeds that somebody has, one a table."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._lock = threading.Lock()
        self._feeds: WeakValueDictionary[str, Feed] = WeakValueDictionary()

    def of(self, table_id: str) -> Feed:
        """The feed of a table, shared with all others who have it."""
        with self._lock:
            feed = self._feeds.get(table_id)
            if feed is None:
                feed = self._feeds[table_id] = Feed(table_id, self._read)
            return feed
