"""The stream of an account: what concerns a player, at all of the player's tables.

It is drawn from the tables' logs, so nothing has to be written for it, and it resumes anywhere: the
id of an event says how far the stream had come at each table.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from service.account_places import PARTS, Places, places_at
from service.store.base import Unavailable
from service.store.feeds import Feed
from service.streams import Batch, Follower, news, now_and_then
from service.tables import views
from service.tables.events import PlayerJoined
from service.tables.invitations import Invitation
from service.tables.notices import Notice, notices
from service.tables.table import Table
from service.tables.views import Json


def follow_account(follower: Follower, cursor: str | None) -> Iterator[Batch]:
    """What concerns a player: first a snapshot of all tables, or else what followed an event.

    Where the id of that event can't be read, one `resync` stands for all that has been.

    Args:
        follower: who follows; it watches the player already, and comes to watch its tables.
        cursor: the id of the last event that it has, if any.

    Raises:
        Unavailable: the store is away at the beginning; later on, it is waited for.
    """
    assert follower.player is not None
    stream = _AccountStream(follower, follower.player)
    places = None if cursor is None else places_at(cursor)
    if places:
        stream.places = places
        yield []
    else:
        yield [stream.whole("snapshot" if cursor is None else "resync")]
    yield stream.tell(list(stream.places.tables))
    for woken_by in now_and_then(follower):
        batch = stream.tell(woken_by or list(stream.places.tables))
        if follower.player in woken_by:
            batch += stream.look_around()
        if batch or not woken_by:
            yield batch


class _Told(NamedTuple):
    """A notice, and which one it is of its log entry; sorts by time."""

    at: int
    table: str
    version: int
    part: int
    notice: Notice


class _AccountStream:
    """A player's stream, and how far it has come at each table."""

    def __init__(self, follower: Follower, player: str) -> None:
        self._follower = follower
        self._player = player
        self._game = follower.game
        self._store = follower.game.store
        self._feeds: dict[str, Feed] = {}
        self.places = Places()

    def whole(self, kind: str) -> Json:
        """An event that tells of all tables and invitations of the player as they stand."""
        now = self._game.now()
        invitations = self._store.invitations.of(self._player)
        tables = self._game.tables_of(self._player)
        for table in tables:
            self.places.told_up_to(table.id, table.version)
        self.places.invited = max((one.number for one in invitations), default=0)
        return self._event(
            kind,
            now,
            {
                "tables": [views.own_summary(table, self._player, now) for table in tables],
                "invitations": list(map(self._invitation, invitations)),
            },
        )

    def tell(self, table_ids: Iterable[str]) -> Batch:
        """What is new at some of the player's tables, in the order in which it happened."""
        tables = [table_id for table_id in table_ids if table_id in self.places.tables]
        self._follower.watch.add(*tables)
        reached = {table_id: self.places.tables[table_id] // PARTS for table_id in tables}
        batch = [self._told(told) for told in sorted(self._news(reached))]
        for table_id, version in reached.items():
            self.places.told_up_to(table_id, version)
        return batch

    def _told(self, told: _Told) -> Json:
        self.places.told(told.table, told.version, told.part)
        notice = told.notice
        return self._event(notice.type, notice.at, notice.data, notice.table, notice.version)

    def _news(self, reached: dict[str, int]) -> Iterator[_Told]:
        """What is new since these versions of tables; they become those that are reached now."""
        for table_id, version in reached.items():
            skipped = self.places.tables[table_id] % PARTS
            for entry in news(self._feed(table_id), version):
                reached[table_id] = entry.id
                for part, notice in enumerate(notices(table_id, [entry], self._player)):
                    if entry.id > version + 1 or part >= skipped:
                        yield _Told(entry.at, table_id, entry.id, part, notice)

    def look_around(self) -> Batch:
        """What tables and invitations the player has got meanwhile; what is over is let go."""
        try:
            noted = self._store.accounts.noted(self._player)
            tables = self._store.load_all(sorted(noted.keys() - self.places.tables.keys()))
            invitations = self._store.invitations.after(self._player, self.places.invited)
            self._store.tables_of(self._player, self._game.now())  # Unnotes those that are over.
        except Unavailable:
            return []
        self._let_go(self.places.tables.keys() - noted.keys())
        new = noted.keys() - self.places.tables.keys()
        for table_id in new:
            self.places.told_up_to(table_id, self._entered(table_id, tables.get(table_id)))
        return [*self.tell(new), *map(self._invited, invitations)]

    def _entered(self, table_id: str, table: Table | None) -> int:
        """The version of a table that the player's events there begin after."""
        if table is None:
            return 0  # It is about to be made.
        if table.seat_of(self._player) is None:
            return table.version  # The player is about to join.
        entered = 0
        for entry in news(self._feed(table_id), 0):
            joined = isinstance(entry.event, PlayerJoined) and entry.player == self._player
            entered = entry.id - 1 if joined else entered
        return entered

    def _let_go(self, table_ids: set[str]) -> None:
        for table_id in table_ids:
            del self.places.tables[table_id]
            self._feeds.pop(table_id, None)
        self._follower.watch.drop(*table_ids)

    def _feed(self, table_id: str) -> Feed:
        return self._feeds.setdefault(table_id, self._store.feeds.of(table_id))

    def _invited(self, invitation: Invitation) -> Json:
        self.places.invited = invitation.number
        about = self._invitation(invitation)
        return self._event("invited", invitation.at, about, invitation.table)

    def _invitation(self, invitation: Invitation) -> Json:
        view = views.invitation_view(invitation)
        return view if self._follower.codes_of == self._player else view | {"invite_code": None}

    def _event(
        self, kind: str, at: int, data: Json, table: str | None = None, version: int | None = None
    ) -> Json:
        event = {"id": self.places.cursor, "type": kind, "at": views.rfc3339(at)}
        return event | {"table": table, "version": version, "data": data}
