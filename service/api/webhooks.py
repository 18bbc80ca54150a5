"""Webhooks: being called where something happens (docs/webhooks.md)."""

from typing import Any

from flask import Response, g

from service.api.auth import signed_in
from service.api.json import NO_STORE, reply
from service.api.schemas.requests import NothingIn
from service.api.schemas.webhooks import (
    MadeWebhookOut,
    NewWebhook,
    PingOut,
    WebhookOut,
    WebhooksPage,
)
from service.api.smorest import Blueprint
from service.store.webhooks import Standing, Webhook
from service.tables import views
from service.webhooks.postman import Wish

blp = Blueprint(
    "webhooks", __name__, url_prefix="/v1/webhooks", description="Being called where it matters"
)


@blp.post("")
@signed_in("account")
@blp.refuses("limit_reached", "forbidden_target")
@blp.arguments(NewWebhook())
@blp.response(201, MadeWebhookOut())
def create_webhook(body: dict[str, Any]) -> Response:
    """Be called where something happens from now on

    Deliveries are signed (Standard Webhooks). Keep the secret: nobody can show it again.
    """
    events = tuple(dict.fromkeys(body["events"]))
    wish = Wish(body["url"], events, body["table"], body["description"], body.get("secret"))
    token = g.keyed.key if g.keyed else None
    webhook = g.game.postman.make(g.caller.id, wish, g.game.now(), token)
    view = _view(webhook, Standing()) | {"secret": webhook.secret}
    headers = NO_STORE | {"Location": f"/v1/webhooks/{webhook.id}"}
    return reply(view, 201, headers=headers)


@blp.get("")
@signed_in("account")
@blp.response(200, WebhooksPage())
def list_webhooks() -> Response:
    """List the own webhooks, the latest first"""
    items = [_view(*found) for found in g.game.postman.of(g.caller.id)]
    return reply({"items": items, "next": None}, headers=NO_STORE)


@blp.get("/<webhook_id>")
@signed_in("account")
@blp.response(200, WebhookOut())
def get_webhook(webhook_id: str) -> Response:
    """See a webhook and how it fares"""
    return reply(_view(*g.game.postman.find(g.caller.id, webhook_id)), headers=NO_STORE)


@blp.delete("/<webhook_id>")
@signed_in("account")
@blp.response(204)
def delete_webhook(webhook_id: str) -> Response:
    """Delete a webhook, and what waits for it"""
    g.game.postman.remove(g.caller.id, webhook_id)
    return Response(status=204, headers=NO_STORE)


@blp.post("/<webhook_id>/test")
@signed_in("account")
@blp.refuses("webhook_off")
@blp.arguments(NothingIn(), required=False)
@blp.response(202, PingOut())
def ping_webhook(_body: dict[str, Any], webhook_id: str) -> Response:
    """Send a `ping` to a webhook

    It waits its turn behind what waits already.
    """
    id_ = g.game.postman.test(g.caller.id, webhook_id, g.game.now())
    return reply({"id": id_}, 202, headers=NO_STORE)


@blp.post("/<webhook_id>/enable")
@signed_in("account")
@blp.refuses("limit_reached")
@blp.arguments(NothingIn(), required=False)
@blp.response(200, WebhookOut())
def enable_webhook(_body: dict[str, Any], webhook_id: str) -> Response:
    """Enable a webhook again that was disabled since its endpoint failed

    It tells of what happens from now on. One that is enabled and waits to be tried again is tried
    at once.
    """
    g.game.postman.turn_on(g.caller.id, webhook_id, g.game.now())
    return reply(_view(*g.game.postman.find(g.caller.id, webhook_id)), headers=NO_STORE)


def _view(webhook: Webhook, standing: Standing) -> dict[str, Any]:
    since = standing.failing_since
    return {
        "id": webhook.id,
        "url": webhook.url,
        "events": list(webhook.events),
        "table": webhook.table,
        "description": webhook.description,
        "created_at": views.rfc3339(webhook.created_at),
        "enabled": standing.off is None,
        "disabled_reason": standing.off,
        "failing_since": None if since is None else views.rfc3339(since),
        "fault": standing.fault,
        "waiting": standing.waiting,
        "dropped": standing.dropped,
    }
