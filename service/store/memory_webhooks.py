"""The in-memory twin of the webhooks in Redis."""

import secrets
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from service.store.base import Due, NotFound
from service.store.webhooks import (
    MOST_WAITING,
    MOST_WEBHOOKS,
    Delivery,
    Standing,
    Taken,
    TooManyWatchers,
    TooManyWebhooks,
    Webhook,
    Webhooks,
    WhyOff,
    latest_first,
)
from service.tables.table import Table


@dataclass
class _Kept:
    webhook: Webhook
    told: dict[str, int]
    standing: Standing
    not_before: int = 0
    taken_until: int = 0
    taken_by: str = ""
    said: str = ""
    outbox: list[Delivery] = field(default_factory=list)


class MemoryWebhooks(Webhooks):
    """Webhooks for tests and tools.

    Args:
        due: the due index of the store that they belong to.
        tables: the tables of that store.
        noted: the tables that are noted for a player.
        lock: what a commit there holds, so that nothing here comes between.
    """

    def __init__(
        self,
        due: dict[Due, int],
        tables: Mapping[str, Table],
        noted: Callable[[str], Mapping[str, int]],
        lock: threading.RLock,
    ) -> None:
        self._lock = lock
        self._due, self._tables, self._noted = due, tables, noted
        self._kept: dict[str, _Kept] = {}
        self._heard: dict[str, dict[str, str]] = defaultdict(dict)

    def add(self, webhook: Webhook, told: Mapping[str, int]) -> frozenset[str]:
        with self._lock:
            if webhook.id not in self._kept:
                if len(self.of(webhook.player)) >= MOST_WEBHOOKS:
                    raise TooManyWebhooks
                self._kept[webhook.id] = _Kept(webhook, dict(told), Standing(slow=True))
            return frozenset(self._noted(webhook.player))

    def any_of(self, player_id: str) -> bool:
        return bool(self.of(player_id))

    def of(self, player_id: str) -> tuple[Webhook, ...]:
        every = [kept.webhook for kept in self._kept.values()]
        return latest_first(one for one in every if one.player == player_id)

    def load(self, webhook_id: str) -> Webhook:
        try:
            return self._kept[webhook_id].webhook
        except KeyError:
            raise NotFound("There is no webhook {id}.", id=webhook_id) from None

    def standings(self, webhook_ids: Iterable[str]) -> dict[str, Standing]:
        return {
            id_: replace(kept.standing, waiting=len(kept.outbox)) if kept else Standing()
            for id_ in webhook_ids
            for kept in [self._kept.get(id_)]
        }

    def remove(self, webhook: Webhook) -> None:
        with self._lock:
            self._kept.pop(webhook.id, None)
            self._due.pop(Due("deliver", webhook.id, 0), None)

    def turn_on(self, webhook: Webhook, told: Mapping[str, int], now: int) -> None:
        with self._lock:
            if kept := self._kept.get(webhook.id):
                kept.told |= told
                was = kept.standing
                kept.standing = Standing(slow=was.slow, dropped=was.dropped)
                kept.not_before = 0
                if kept.outbox:
                    self._due[Due("deliver", webhook.id, 0)] = now

    def hear(self, player_id: str, table_ids: Iterable[str], most: int = 0) -> dict[str, int]:
        with self._lock:
            there = {id_: self._tables[id_].version for id_ in table_ids if id_ in self._tables}
            for id_, version in there.items():
                heard = self._heard[id_]
                if most and player_id not in heard and len(heard) >= most:
                    raise TooManyWatchers
                self.mark(id_, player_id, version)
        return there

    def mark(self, table_id: str, player_id: str, version: int) -> None:
        """Have a player told of a table from a version on, unless from an earlier one already."""
        with self._lock:
            known = self._heard[table_id].get(player_id, str(version)).partition("-")[0]
            self._heard[table_id][player_id] = f"{known}-{secrets.token_hex(8)}"

    def forget(self, table_id: str, webhooks: Iterable[Webhook] = ()) -> None:
        with self._lock:
            for webhook in webhooks:
                if kept := self._kept.get(webhook.id):
                    kept.told.pop(table_id, None)
            self._heard.pop(table_id, None)
            self._due.pop(Due("notify", table_id, 0), None)

    def heard(self, table_id: str) -> dict[str, str]:
        return dict(self._heard.get(table_id, {}))

    def told(self, table_id: str, webhooks: Iterable[Webhook]) -> dict[str, int]:
        kept = [self._kept[one.id] for one in webhooks if one.id in self._kept]
        return {one.webhook.id: one.told[table_id] for one in kept if table_id in one.told}

    def tell(
        self,
        webhook: Webhook,
        deliveries: Iterable[Delivery],
        at: int,
        table: tuple[str, int | None, int] | None = None,
    ) -> bool:
        new = list(deliveries)
        with self._lock:
            kept = self._kept.get(webhook.id)
            if kept is None or kept.standing.off:
                return False
            if table is not None:
                about, before, now = table
                if kept.told.get(about) != before:
                    return False
                kept.told[about] = now
            elif kept.said == new[0].id:
                return True
            else:
                kept.said = new[0].id
            if new:
                self._put(kept, new, at)
        return True

    def _put(self, kept: _Kept, deliveries: list[Delivery], at: int) -> None:
        kept.outbox += deliveries
        over = max(len(kept.outbox) - MOST_WAITING, 0)
        del kept.outbox[:over]
        kept.standing = replace(kept.standing, dropped=kept.standing.dropped + over)
        self._due.setdefault(Due("deliver", kept.webhook.id, 0), at)

    def all_told(
        self,
        table_id: str,
        version: int,
        quiet: Mapping[str, str],
        *,
        again_at: int | None = None,
    ) -> bool:
        with self._lock:
            heard = self._heard[table_id]
            for player, mark in quiet.items():
                if heard.get(player) == mark:
                    del heard[player]
            for player, mark in heard.items():
                since, _, rest = mark.partition("-")
                heard[player] = f"{max(int(since), version)}-{rest}"
            if table_id in self._tables and self._tables[table_id].version != version:
                return False
            due = Due("notify", table_id, 0)
            self._due.pop(due, None)
            if again_at is not None:
                self._due[due] = again_at
        return True

    def take(self, webhook_id: str, now: int, until: int) -> Taken | None:
        due = Due("deliver", webhook_id, 0)
        with self._lock:
            kept = self._kept.get(webhook_id)
            if kept is None or kept.standing.off or not kept.outbox:
                self._due.pop(due, None)
                return None
            free_at = max(kept.not_before, kept.taken_until)
            if free_at > now:
                self._due[due] = free_at
                return None
            kept.taken_until = self._due[due] = until
            kept.taken_by = secrets.token_hex(8)
            standing = replace(kept.standing, waiting=len(kept.outbox))
            return Taken(kept.webhook, standing, kept.outbox[0], kept.taken_by)

    def _give_back(self, taken: Taken) -> _Kept | None:
        """The webhook of what was taken; None where it is gone, or somebody else has the lease."""
        kept = self._kept.get(taken.webhook.id)
        if kept is None or kept.taken_by != taken.lease:
            return None
        kept.taken_by, kept.taken_until = "", 0
        return kept

    def sent(self, taken: Taken, now: int, *, slow: bool) -> None:
        with self._lock:
            known = self._kept.get(taken.webhook.id)
            if known and known.outbox[:1] == [taken.delivery]:
                del known.outbox[0]
            if kept := self._give_back(taken):
                kept.standing = Standing(slow=slow, dropped=kept.standing.dropped)
                kept.not_before = 0
                due = Due("deliver", taken.webhook.id, 0)
                self._due[due] = now
                if not kept.outbox:
                    del self._due[due]

    def failed(self, taken: Taken, fault: str, now: int, again_at: int) -> None:
        with self._lock:
            if kept := self._give_back(taken):
                self._fail(kept, fault, now)
                kept.not_before = again_at
                self._due[Due("deliver", taken.webhook.id, 0)] = again_at

    def turn_off(self, taken: Taken, fault: str, now: int, why: WhyOff) -> None:
        with self._lock:
            if kept := self._give_back(taken):
                self._fail(kept, fault, now)
                dropped = kept.standing.dropped + len(kept.outbox)
                kept.standing = replace(kept.standing, off=why, dropped=dropped)
                kept.outbox.clear()
                self._due.pop(Due("deliver", taken.webhook.id, 0), None)

    @staticmethod
    def _fail(kept: _Kept, fault: str, now: int) -> None:
        was = kept.standing
        kept.standing = replace(
            was,
            failing_since=now if was.failing_since is None else was.failing_since,
            failures=was.failures + 1,
            fault=fault,
            slow=True,
        )
