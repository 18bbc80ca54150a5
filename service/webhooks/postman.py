"""What is told to whom, and when: from what happens at tables to endpoints that have taken it.

Nothing of it is in the way of play.  A commit at a table that somebody hears of makes `notify` due,
which puts deliveries into the outboxes of webhooks; a webhook with deliveries is due for `deliver`.
Each is done again until it is done, and doing it twice is the same as once.
"""

import random
import secrets
from dataclasses import dataclass

from service.engine.errors import PaiuteError
from service.observe import metrics
from service.store.base import NotFound, Store, check_seen
from service.store.keys import id_from, new_id
from service.store.webhooks import (
    MOST_WATCHERS,
    Standing,
    Taken,
    Webhook,
    WebhookEvent,
    WhyOff,
)
from service.tables.table import Table
from service.webhooks.sending import WHOLE_SECONDS, Outcome, Sender, check_secret, new_secret
from service.webhooks.targets import target_of
from service.webhooks.telling import Telling, delivery

FAILING_MS = 72 * 3600 * 1000
"""How long a webhook may fail before it is switched off, unless the operator says otherwise."""

PAUSES = (5, 30, 120, 600, 3600, 3 * 3600, 6 * 3600)
"""The seconds before a delivery is tried again, by how often it has failed; the last one stays."""

JITTER = 0.2
"""By so much of itself a pause is longer or shorter, so that endpoints are not called together."""

MOST_RETRY_AFTER = 24 * 3600
"""The longest that an endpoint may ask to be left alone for, in seconds."""

TAKEN_MS = 1000 * WHOLE_SECONDS + 1500
"""How long a delivery is somebody's; after that its sender is taken for dead."""

SLOW_MS = 1000
"""An endpoint that takes longer than this is slow."""

DELIVER_MS = 3000
"""How long one webhook's deliveries are sent in a row before others have their turn."""


class WebhookOff(PaiuteError):
    """The webhook is switched off."""

    code = "webhook_off"


@dataclass(frozen=True, slots=True)
class Wish:
    """What a player asks of a webhook that is to be made."""

    url: str
    events: tuple[WebhookEvent, ...]
    table: str | None = None
    description: str | None = None
    secret: str | None = None


class Postman:
    """Webhooks over a store.

    Args:
        store: where they, and the tables that they tell of, are kept.
        sender: what makes tries.
        failing_ms: how long a webhook may fail before it is switched off.
    """

    def __init__(self, store: Store, sender: Sender, failing_ms: int) -> None:
        self._store = store
        self._hooks = store.webhooks
        self._sender = sender
        self._failing_ms = failing_ms

    def make(self, player: str, wish: Wish, now: int, token: str | None = None) -> Webhook:
        """A new webhook, which tells of what happens from now on.

        Args:
            player: whose it is.
            wish: what it is to be.
            now: the time, in milliseconds since 1970.
            token: tells this making from others of the same wish: a second time makes nothing new.

        Raises:
            ForbiddenTarget: its address may not be called.
            BadSecret: the secret is none.
            NotFound: there is no such table.
            TooManyWebhooks: the player has so many already.
            TooManyWatchers: so many others watch the table already.
        """
        target_of(wish.url, private=self._sender.private)
        secret = new_secret() if wish.secret is None else wish.secret
        check_secret(secret)
        told = self._listen(player, wish.table)
        webhook = Webhook(
            id_from(f"{token} {wish}", player) if token else new_id(beside=player),
            player,
            wish.url,
            wish.events,
            secret,
            now,
            wish.table,
            wish.description,
        )
        noted = self._hooks.add(webhook, told)
        # Meanwhile a seat may have been taken, or a player without webhooks been forgotten.
        self._hooks.hear(player, noted | told.keys())
        return self._hooks.load(webhook.id) if token else webhook

    def _listen(self, player: str, table: str | None) -> dict[str, int]:
        """Have a player told of a table, or of all there are; gives the versions they are at."""
        if table is None:
            return self._hooks.hear(player, self._store.accounts.noted(player))
        check_seen(self._store.load(table), player)
        most = 0 if table in self._store.accounts.noted(player) else MOST_WATCHERS
        told = self._hooks.hear(player, [table], most)
        if table not in told:
            raise NotFound("There is no table {id}.", id=table)
        return told

    def of(self, player: str) -> tuple[tuple[Webhook, Standing], ...]:
        """A player's webhooks, the latest first, and how they fare."""
        webhooks = self._hooks.of(player)
        standings = self._hooks.standings(webhook.id for webhook in webhooks)
        return tuple((webhook, standings[webhook.id]) for webhook in webhooks)

    def find(self, player: str, webhook_id: str) -> tuple[Webhook, Standing]:
        """A webhook of a player's, and how it fares.

        Raises:
            NotFound: the player has no such webhook.
        """
        webhook = self._hooks.load(webhook_id)
        if webhook.player != player:
            raise NotFound("There is no webhook {id}.", id=webhook_id)
        return webhook, self._hooks.standings([webhook_id])[webhook_id]

    def remove(self, player: str, webhook_id: str) -> None:
        """Forget a player's webhook; raises `NotFound`."""
        self._hooks.remove(self.find(player, webhook_id)[0])

    def turn_on(self, player: str, webhook_id: str, now: int) -> None:
        """Switch a player's webhook on again: it tells of what happens from now on.

        One that is on is tried again at once.

        Raises:
            NotFound: there is none, or its table is not there any more.
            TooManyWatchers: so many others watch its table meanwhile.
        """
        webhook, standing = self.find(player, webhook_id)
        told = self._listen(player, webhook.table) if standing.off else {}
        self._hooks.turn_on(webhook, told, now)

    def test(self, player: str, webhook_id: str, now: int) -> str:
        """Send a `ping` to a player's webhook; gives the delivery's id.

        Raises:
            NotFound: the player has no such webhook.
            WebhookOff: it is switched off.
        """
        webhook, _ = self.find(player, webhook_id)
        ping = delivery(secrets.token_hex(16), "ping", now, {"webhook": webhook_id})
        if not self._hooks.tell(webhook, [ping], now):
            raise WebhookOff("This webhook is disabled; enable it first.")
        return ping.id

    def notify(self, table: Table, now: int) -> None:
        """Tell all webhooks that hear of a table what they have not been told."""
        Telling(self._store).notify(table, now)

    def is_slow(self, webhook_id: str) -> bool:
        """Whether a webhook's endpoint failed, or took its time, at the last delivery."""
        return self._hooks.standings([webhook_id])[webhook_id].slow

    def deliver(self, webhook_id: str, now: int) -> None:
        """Send what waits for a webhook's endpoint, one after the other, until one fails.

        Args:
            webhook_id: the webhook.
            now: the time, in milliseconds since 1970.
        """
        begun = now
        while now < begun + DELIVER_MS:
            taken = self._hooks.take(webhook_id, now, now + TAKEN_MS)
            if taken is None:
                return
            outcome = self._sender.send(taken.webhook, taken.delivery, now)
            now += outcome.took_ms
            if outcome.fault is not None:
                self._failed(taken, outcome, now)
                return
            self._hooks.sent(taken, now, slow=outcome.took_ms > SLOW_MS)
            metrics.WEBHOOK_DELIVERIES.labels("sent").inc()

    def _failed(self, taken: Taken, outcome: Outcome, now: int) -> None:
        since, fault = taken.standing.failing_since, outcome.fault or ""
        why: WhyOff | None = None
        if outcome.gone:
            why = "gone"
        elif since is not None and now - since >= self._failing_ms:
            why = "failing"
        metrics.WEBHOOK_DELIVERIES.labels("off" if why else "failed").inc()
        if why is not None:
            self._hooks.turn_off(taken, fault, now, why)
            return
        pause: float = PAUSES[min(taken.standing.failures, len(PAUSES) - 1)]
        pause *= random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311 - just to part the endpoints
        pause = max(pause, min(outcome.retry_after, MOST_RETRY_AFTER))
        self._hooks.failed(taken, fault, now, now + int(1000 * pause))
