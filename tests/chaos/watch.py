"""Looks at every table while all goes on: in the store itself, and through the API."""

import json
import threading
from typing import Any

import msgspec
from redis import Redis, RedisError

from service.store.base import NotFound, Unavailable
from service.store.connection import connect
from service.store.redis_store import RedisStore
from service.tables.views import event_view
from tests.chaos.caller import Caller
from tests.chaos.findings import Findings, Law
from tests.chaos.follower import Follower, Logged, read
from tests.chaos.journal import Journal, Outcome, Request

EVERY_SECONDS = 1.0
PAGE = 100
PAGES = 5
"""How many pages of events the API is asked for at each look."""


class Watch(threading.Thread):
    """Follows all tables that clients have made.

    Args:
        store_url: the store itself, past any proxy.
        caller: asks the API for events, as somebody without a seat.
        journal: what clients were told.
        findings: gets what is against a law.
    """

    def __init__(
        self, store_url: str, caller: Caller, journal: Journal, findings: Findings
    ) -> None:
        super().__init__(name="watch", daemon=True)
        self.redis: Redis = connect(store_url)
        self.store = RedisStore(self.redis, 3600, 4)
        self.followers: dict[str, Follower] = {}
        self.stop = threading.Event()
        self._caller, self._journal, self._findings = caller, journal, findings
        self._told: dict[str, int] = {}
        self.broken: set[str] = set()
        self._seen = 0

    def run(self) -> None:
        """Look again and again, until told to stop."""
        while not self.stop.wait(EVERY_SECONDS):
            self.look()
            behind = [one for one in self.followers if self.behind(one)]
            for table_id in behind[:PAGES]:
                self.ask_api(table_id)

    def look(self) -> bool:
        """Follow every table that is open; False where the store could not be reached."""
        requests = self._journal.since(self._seen)
        try:
            for one in requests:
                if (one.action, one.outcome) == ("create", Outcome.ACKNOWLEDGED):
                    self._begin(one)
            for follower in list(self.followers.values()):
                if not follower.closed and follower.table.id not in self.broken:
                    self._follow(follower)
        except (Unavailable, RedisError):
            return False
        for one in requests:
            log = self.followers.get(one.table)
            lost = log and one.outcome is Outcome.ACKNOWLEDGED and one.version > log.version
            if log and lost and one.table not in self.broken:
                self._findings.add(Law.LOST, f"{one}; the log ends at {log.version}")
        self._seen += len(requests)
        return True

    def _begin(self, made: Request) -> None:
        if made.table in self.followers:
            return
        try:
            table = self.store.load(made.table)
        except NotFound:
            self._findings.add(Law.LOST, f"{made}; there is no such table")
        else:
            self.followers[made.table] = Follower(table, self.store)

    def _follow(self, follower: Follower) -> None:
        table_id = follower.table.id
        log = read(self.redis, table_id, follower.version)
        try:
            table = self.store.load(table_id)
        except NotFound:
            return self._break(table_id, Law.CHANGED, f"it was at {follower.version}, and is gone")
        if table.version < follower.version:
            what = f"it was at {follower.version}, and is at {table.version} now"
            return self._break(table_id, Law.CHANGED, what)
        try:
            follower.go_on(log, table)
        except (AssertionError, KeyError, StopIteration) as error:
            what = f"after {follower.version}: {type(error).__name__} {error}"
            self._break(table_id, Law.RULES, what)
        return None

    def _break(self, table_id: str, law: Law, how: str) -> None:
        """Note a broken law, and leave the table alone from now on."""
        self._findings.add(law, f"table {table_id}: {how}")
        self.broken.add(table_id)

    def behind(self, table_id: str) -> bool:
        """Whether the log has more than the API was asked for yet."""
        return self._told.get(table_id, 0) < self.followers[table_id].version

    def ask_api(self, table_id: str) -> bool:
        """Compare the next page of events with the log; False where there is none yet."""
        follower, told = self.followers[table_id], self._told.get(table_id, 0)
        answer = self._caller.get(f"/tables/{table_id}/events", after=told, limit=PAGE)
        if answer is None or not answer.ok:
            return False
        events: list[dict[str, Any]] = answer.body["items"]
        known = follower.log[told : told + len(events)]
        for event, logged in zip(events, known, strict=False):
            mine = json.loads(msgspec.json.encode(event_view(logged.entry, table_id, None)))
            if event != mine:
                self._findings.add(Law.TOLD, f"{event} where the log has {mine}")
        self._told[table_id] = told + min(len(events), len(known))
        return bool(events) and bool(known)

    def close(self) -> None:
        """Let the connections go."""
        self._caller.close()
        self.redis.close()

    def logs(self) -> dict[str, list[Logged]]:
        """Every log once more, in full; what was there has to be there still."""
        logs = {}
        for table_id, follower in self.followers.items():
            logs[table_id] = log = read(self.redis, table_id, 0)
            if log[: follower.version] != follower.log and table_id not in self.broken:
                self._findings.add(Law.CHANGED, f"table {table_id}")
        return logs
