"""The stream of an account: what concerns a player, at all of the player's tables.

It is drawn from the tables' logs, so nothing has to be written for it, and it resumes anywhere: the
id of an event says how far the stream had come at each table.
"""

import heapq
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from service.account_places import PARTS, Places, places_at
from service.invitations import invitations_of
from service.store.accounts import LEFT_MS
from service.store.base import Unavailable
from service.store.feeds import Feed
from service.streams import Batch, Follower, news, now_and_then
from service.tables import views
from service.tables.events import Entry, PlayerJoined
from service.tables.invitations import Invitation
from service.tables.notices import Notice, notices
from service.tables.views import Json

MOST_AT_ONCE = 100
"""How many events are in a batch at most."""

SKEW_MS = 1000
"""By how much the clocks of the service's processes may differ."""

LOOK_AROUND_MS = 3600_000
"""After so long it is asked anew which tables there are, though nothing has said so."""


def follow_account(follower: Follower, cursor: str | None) -> Iterator[Batch]:
    """What concerns a player: first a snapshot of all tables, or else what followed an event.

    Where that can't be said, since the id is none of ours or a week old, or a log is not there so
    far back any more, one `resync` stands for all that has been.

    Args:
        follower: who follows; it watches the player already, and comes to watch its tables.
        cursor: the id of the last event that it has, if any.

    Raises:
        Unavailable: the store is away at the beginning; later on, it is waited for.
    """
    assert follower.player is not None
    places = None if cursor is None else places_at(cursor)
    if places and places.at > follower.game.now() - LEFT_MS:
        stream = _AccountStream(follower, follower.player, places)
        yield []
    else:
        stream = _AccountStream(follower, follower.player, Places())
        yield [stream.whole("snapshot" if cursor is None else "resync")]
    for woken_by in now_and_then(follower):
        for batch in stream.news(woken_by):
            follower.hears(batch)
            yield batch
        if follower.hears([]):
            yield []


class _Told(NamedTuple):
    """A notice, and which one it is of its log entry; sorts by time."""

    at: int
    table: str
    version: int
    part: int
    notice: Notice


class _Lost(Exception):
    """A log has lost entries that were to be told."""


class _AccountStream:
    """A player's stream, and how far it has come at each table."""

    def __init__(self, follower: Follower, player: str, places: Places) -> None:
        self._follower = follower
        self._player = player
        self._places = places
        self._game = follower.game
        self._store = follower.game.store
        self._feeds: dict[str, Feed] = {}
        self._begun = False

    def whole(self, kind: str) -> Json:
        """An event that tells of all tables and invitations of the player as they stand."""
        now, places = self._game.now(), self._places
        held = self._store.invitations.of(self._player)
        invitations = invitations_of(self._game, self._player)
        tables = self._game.tables_of(self._player)
        places.at = now + SKEW_MS  # What was before is in it.
        places.invited = max((one.number for one in held), default=0)
        self._let_go(places.tables.keys() - {table.id for table in tables})
        for table in tables:
            places.told_up_to(table.id, table.version)
        return self._event(
            kind,
            now,
            {
                "tables": [views.own_summary(table, self._player, now) for table in tables],
                "invitations": list(map(self._invitation, invitations)),
            },
        )

    def news(self, woken_by: frozenset[str]) -> Iterator[Batch]:
        """What is new, in batches, after these names have woken the stream."""
        try:
            yield from self._news(woken_by)
        except _Lost:
            with suppress(Unavailable):
                resync = self.whole("resync")
                self._begun = False
                yield [resync]

    def _news(self, woken_by: frozenset[str]) -> Iterator[Batch]:
        begins, self._begun = not self._begun, True
        all_of_them = begins or not woken_by
        yield from self._tell(list(self._places.tables) if all_of_them else woken_by)
        late = self._game.now() - self._places.at > LOOK_AROUND_MS
        if begins or self._player in woken_by or late:
            yield from self._look_around()

    def _tell(self, table_ids: Iterable[str]) -> Iterator[Batch]:
        """What is new at some of the player's tables, in the order in which it happened."""
        places = self._places
        tables = [table_id for table_id in table_ids if table_id in places.tables]
        self._follower.watch.add(*tables)
        reached = {table_id: places.tables[table_id] // PARTS for table_id in tables}
        told = map(self._told, heapq.merge(*(self._news_of(id_, reached) for id_ in tables)))
        while batch := list(islice(told, MOST_AT_ONCE)):
            yield batch
        for table_id, version in reached.items():
            places.told_up_to(table_id, version)

    def _told(self, told: _Told) -> Json:
        self._places.told(told.table, told.version, told.part)
        notice = told.notice
        return self._event(notice.type, notice.at, notice.data, notice.table, notice.version)

    def _news_of(self, table_id: str, reached: dict[str, int]) -> Iterator[_Told]:
        """What is new at a table since the version reached there, which moves on with it.

        Clocks of several processes differ by some milliseconds: never back at one table.
        """
        version, at = reached[table_id], 0
        skipped = self._places.tables[table_id] % PARTS
        for entry in self._entries(table_id, version):
            at = max(at, entry.at)
            reached[table_id] = entry.id
            for part, notice in enumerate(notices(table_id, [entry], self._player)):
                if entry.id > version + 1 or part >= skipped:
                    yield _Told(at, table_id, entry.id, part, notice)

    def _entries(self, table_id: str, after: int) -> Iterator[Entry]:
        """All log entries after a version; raises `_Lost` where the first of them are gone."""
        for page in news(self._feed(table_id), after):
            if page[0].id > after + 1:
                raise _Lost
            yield from page
            after = page[-1].id

    def _look_around(self) -> Iterator[Batch]:
        """What tables and invitations the player has got meanwhile; what is over is let go."""
        accounts, places, now = self._store.accounts, self._places, self._game.now()
        try:
            self._store.tables_of(self._player, now)  # Unnotes those that are over.
            noted = accounts.noted(self._player)
            known = noted.keys() | accounts.left(self._player, places.at - SKEW_MS)
            begin = {id_: self._entered(id_) for id_ in sorted(known - places.tables.keys())}
            invitations = self._store.invitations.after(self._player, places.invited)
        except Unavailable:
            return
        for table_id, version in begin.items():
            places.told_up_to(table_id, version)
        gone = places.tables.keys() - noted.keys()
        yield from self._tell(gone)
        self._let_go(set(filter(self._all_told, gone)))
        yield from self._tell(begin.keys() - gone)
        places.at = now
        if invitations:
            yield list(map(self._invited, invitations))

    def _entered(self, table_id: str) -> int:
        """The version that a table, which it knows nothing of yet, is told from.

        That is where the player joined, if since it last looked around, and else from now on.

        Raises:
            Unavailable: the store is away.
        """
        table = self._store.load_all([table_id]).get(table_id)
        if table is None:
            return 0  # It is about to be made.
        since = self._places.at - SKEW_MS
        versions = range(table.version)
        first = bisect_left(versions, since, key=lambda version: self._at(table_id, version))
        for entry in self._entries(table_id, first):
            if isinstance(entry.event, PlayerJoined) and entry.player == self._player:
                return entry.id - 1
        return table.version

    def _at(self, table_id: str, version: int) -> int:
        """When the entry after a version of a table was written."""
        entries = self._store.entries(table_id, version, 1)
        return entries[0].at if entries else self._game.now()

    def _all_told(self, table_id: str) -> bool:
        """Whether all is told of a table; not sure while the store is away."""
        try:
            return not self._feed(table_id).after(self._places.tables[table_id] // PARTS)
        except Unavailable:
            return False

    def _let_go(self, table_ids: set[str]) -> None:
        for table_id in table_ids:
            del self._places.tables[table_id]
            self._feeds.pop(table_id, None)
        self._follower.watch.drop(*table_ids)

    def _feed(self, table_id: str) -> Feed:
        return self._feeds.setdefault(table_id, self._store.feeds.of(table_id))

    def _invited(self, invitation: Invitation) -> Json:
        self._places.invited = invitation.number
        about = self._invitation(invitation)
        return self._event("invited", invitation.at, about, invitation.table)

    def _invitation(self, invitation: Invitation) -> Json:
        view = views.invitation_view(invitation)
        return view if self._follower.codes_of == self._player else view | {"invite_code": None}

    def _event(
        self, kind: str, at: int, data: Json, table: str | None = None, version: int | None = None
    ) -> Json:
        event = {"id": self._places.cursor, "type": kind, "at": views.rfc3339(at)}
        return event | {"table": table, "version": version, "data": data}
