"""Streams of events: what happens at a table, or at all tables of a player, as it happens.

A stream is a series of events in batches, the first one at once, and an empty one wherever nothing
has happened for a while.  Each event's id says where to resume after it.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from service.game import Game
from service.store.base import Unavailable
from service.store.feeds import PAGE, Feed
from service.store.watches import Watch
from service.tables import views
from service.tables.events import Entry
from service.tables.table import Status, Table
from service.tables.views import Json

KEEP_ALIVE_SECONDS = 7
"""After so much silence a sign of life is sent: phones and proxies cut what says nothing."""


Batch = list[Json]
"""Events that have come together; none are a sign of life."""


@dataclass(slots=True)
class Follower:
    """Somebody who follows what happens.

    Args:
        game: the application.
        player: the id of the player who it is, and whose cards it may see at a table, or None.
        watch: what wakes it.
        goes_on: whether it goes on, after it was woken by these names, or by none of them.
        until: when it ends at the latest, by the monotonic clock.
        codes_of: the id of the player whose invite codes it may see, or None.
        said_at: when it was last told something, by the same clock.
    """

    game: Game
    player: str | None
    watch: Watch
    goes_on: Callable[[frozenset[str]], bool]
    until: float = math.inf
    codes_of: str | None = None
    said_at: float = field(default_factory=time.monotonic)

    def pauses(self) -> Iterator[frozenset[str]]:
        """Wait, as long as it goes on; gives the names that it was woken by each time."""
        while self.goes_on(frozenset()):
            ends = min(self.said_at + KEEP_ALIVE_SECONDS, self.until)
            woken_by = self.watch.wait(ends - time.monotonic())
            if not self.goes_on(woken_by) or time.monotonic() >= self.until:
                return
            yield woken_by

    def hears(self, batch: Batch) -> bool:
        """Whether it is to be told this now: anything that is new, and nothing after a silence."""
        now = time.monotonic()
        told = bool(batch) or now >= self.said_at + KEEP_ALIVE_SECONDS
        self.said_at = now if told else self.said_at
        return told


def follow_table(follower: Follower, table_id: str, after: int | None) -> Iterator[Batch]:
    """The events of a table: first a snapshot, or else those after a version that one has.

    Where those are not all there, one `resync` stands for them.  It ends when the table closes.

    Args:
        follower: who follows; it watches the table already.
        table_id: which table.
        after: the version that one has, if any.

    Raises:
        NotFound: there is no such table.
        Unavailable: the store is away at the beginning; later on, it is waited for.
    """
    game, player = follower.game, follower.player
    feed, table = game.store.feeds.of(table_id), game.look(table_id)
    known = after == table.version or (after is not None and _all_there(feed, table, after))
    if not known:
        kind = "snapshot" if after is None else "resync"
        yield [table_event(kind, table, follower)]
    reached = after if known and after is not None else table.version
    if table.status is Status.CLOSED and reached == table.version:
        return
    if known:
        yield []
    for _ in now_and_then(follower):
        for page in news(feed, reached):
            if page[0].id > reached + 1:
                return  # It is slower than the log is long: it comes again, and gets a `resync`.
            batch = [views.event_view(entry, table_id, player) for entry in page]
            follower.hears(batch)
            yield batch
            reached = page[-1].id
            if page[-1].event.type == "table_closed":
                return
        if follower.hears([]):
            yield []


def table_event(kind: str, table: Table, follower: Follower) -> Json:
    """An event that tells of a table as a whole, as a follower sees it."""
    now = follower.game.now()
    return {
        "id": table.version,
        "type": kind,
        "at": views.rfc3339(now),
        "table": table.id,
        "data": views.table_view(table, follower.player, now, follower.codes_of),
    }


def _all_there(feed: Feed, table: Table, after: int) -> bool:
    """Whether the log has all that has happened since a version."""
    if not 0 <= after < table.version:
        return False
    return next((entry.id for entry in feed.after(after)), None) == after + 1


def now_and_then(follower: Follower) -> Iterator[frozenset[str]]:
    """At once, as if by a change of all that it watches, and then after each pause."""
    yield frozenset(follower.watch.names)
    yield from follower.pauses()


def news(feed: Feed, after: int) -> Iterator[tuple[Entry, ...]]:
    """All that has happened after a version, page by page; it ends where the store is away."""
    try:
        while page := feed.after(after):
            yield page
            after = page[-1].id
            if len(page) < PAGE:
                return
    except Unavailable:
        return
