"""Telling webhooks what has happened at a table: each of them all that is new to it, once.

Several workers may tell of one table at once, and any of them may be killed.  So each webhook is
told from where it is by its own account, and that all were told is noted once they were.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from service.store.base import ARRIVE_MS, Store
from service.store.webhooks import MOST_WATCHERS, Delivery, Webhook
from service.tables.events import Entry
from service.tables.notices import Notice, notices
from service.tables.table import Status, Table
from service.tables.views import rfc3339

QUIET_MS = 60_000
"""How long after its closing a table is forgotten here: nobody is at work on it by then."""

SITS_MS = 2 * ARRIVE_MS
"""So long after a table was noted for a player the seat there is taken, or never will be."""

PAGE = 500
"""How many log entries are read at once."""

ROUNDS = 20
"""How often a table that moves on meanwhile is looked at again before others have their turn."""


@dataclass(frozen=True, slots=True)
class _News:
    """A table, its log from before anything that somebody is to be told, and the time."""

    table: Table
    log: tuple[Entry, ...]
    now: int


class Telling:
    """Tells webhooks over a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._hooks = store.webhooks

    def notify(self, table: Table, now: int) -> None:
        """Tell all webhooks that hear of a table what they have not been told."""
        for _ in range(ROUNDS):
            # Whoever is to be told of anything up to the table's version is heard by now.
            heard = self._hooks.heard(table.id)
            since = min((_since(mark) for mark in heard.values()), default=table.version)
            log = tuple(self._entries(table.id, since, table.version))
            webhooks = {player: self._webhooks(table, player) for player in heard}
            for player, mark in heard.items():
                self._tell(webhooks[player], _News(table, log, now), _since(mark))
            closed = table.status is Status.CLOSED
            crowded = not closed and len(heard) >= MOST_WATCHERS
            quiet = {
                player: mark
                for player, mark in heard.items()
                if not webhooks[player]
                or (crowded and self._is_over(webhooks[player], table, player, now))
            }
            if closed and now >= table.since + QUIET_MS:
                self._hooks.forget(table.id, (one for who in heard for one in self._hooks.of(who)))
                return
            again_at = now + QUIET_MS if closed and heard.keys() - quiet else None
            if self._hooks.all_told(table.id, table.version, quiet, again_at=again_at):
                return
            table = self._store.load(table.id)

    def _is_over(self, webhooks: list[Webhook], table: Table, player: str, now: int) -> bool:
        """Whether a player has no seat, does not watch the table, and is not about to sit there.

        Where many are told of a table these make room.  A seat that they take has them told again.
        """
        sits = any(seat.player.id == player for seat in table.seats.values())
        if sits or any(webhook.table == table.id for webhook in webhooks):
            return False
        noted_at = self._store.accounts.noted(player).get(table.id, 0)
        return now > noted_at + SITS_MS

    def _entries(self, table_id: str, after: int, version: int) -> Iterator[Entry]:
        while after < version:
            page = self._store.entries(table_id, after, min(PAGE, version - after))
            if not page:
                return
            # Where the log has lost its first ones a page reaches further than it was to.
            yield from (entry for entry in page if entry.id <= version)
            after = page[-1].id

    def _webhooks(self, table: Table, player: str) -> list[Webhook]:
        """A player's webhooks that tell of a table."""
        return [one for one in self._hooks.of(player) if one.table in (None, table.id)]

    def _tell(self, webhooks: list[Webhook], news: _News, since: int) -> None:
        """Tell a player's webhooks what is new to them, all of them up to the table's version.

        Somebody else may tell them less at the same time, and win: then the rest is told again.
        """
        told = self._hooks.told(news.table.id, webhooks)
        while webhooks:
            refused = [
                one for one in webhooks if not self._tell_one(one, news, told.get(one.id), since)
            ]
            before, told = told, self._hooks.told(news.table.id, refused)
            # Where nobody else told it either it is off, or is not there any more.
            webhooks = [one for one in refused if told.get(one.id) != before.get(one.id)]

    def _tell_one(self, webhook: Webhook, news: _News, before: int | None, since: int) -> bool:
        """Tell a webhook what is new to it; False where it was not told up to `before`, or is off.

        One that was told of the table by nobody yet was told up to `since`.
        """
        table, after = news.table, since if before is None else before
        if after >= table.version:
            return True
        deliveries = _deliveries(webhook, table.id, (one for one in news.log if one.id > after))
        return self._hooks.tell(webhook, deliveries, news.now, (table.id, before, table.version))


def _since(mark: str) -> int:
    """The version that a mark of who is to be told begins with."""
    return int(mark.partition("-")[0])


def _deliveries(webhook: Webhook, table_id: str, log: Iterable[Entry]) -> list[Delivery]:
    watching = webhook.table is not None
    found = notices(table_id, log, webhook.player, watching=watching)
    return [_of_notice(webhook, one) for one in found if one.type in webhook.events]


def _of_notice(webhook: Webhook, notice: Notice) -> Delivery:
    """A notice as it is sent; the same notice has the same id, however often it is made."""
    of = f"{webhook.id} {notice.table} {notice.version} {notice.type}"
    about = {"table": notice.table, "version": notice.version}
    id_ = hashlib.sha256(of.encode()).hexdigest()[:32]
    return delivery(id_, notice.type, notice.at, about | notice.data)


def delivery(id_: str, kind: str, at: int, data: dict[str, Any]) -> Delivery:
    """What is sent of an event.

    Args:
        id_: tells it from all others.
        kind: its type.
        at: when it happened, in milliseconds since 1970.
        data: more about it.
    """
    body = {"type": kind, "timestamp": rfc3339(at), "data": data}
    return Delivery(f"msg_{id_}", msgspec.json.encode(body).decode())
