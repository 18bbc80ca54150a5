"""Webhooks: asking for them, and how they fare."""

from typing import get_args

from marshmallow import fields, validate

from service.api.schemas.common import Answer, Request, ShortList, one_of, text
from service.store.webhooks import WebhookEvent, WhyOff
from service.webhooks.targets import LONGEST_URL

EVENTS: tuple[str, ...] = get_args(WebhookEvent)


class NewWebhook(Request):
    """A webhook to be made."""

    url = fields.String(
        required=True,
        validate=validate.Length(1, LONGEST_URL),
        metadata={
            "description": "Where to send to: a public address over HTTPS.",
            "format": "uri",
            "pattern": "^https?://[!-~]+$",
            "example": "https://bot.example/paiute",
        },
    )
    events = ShortList(
        one_of(EVENTS),
        load_default=lambda: list(EVENTS),
        validate=validate.Length(1, 20),
        metadata={"description": "What to tell of; all if not given."},
    )
    table = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.Length(1, 64),
        metadata={
            "description": "The one table to tell of, also without a seat there; every table where "
            "you sit if not given."
        },
    )
    description = text(200, description="What you call it.", example="Bot at home")
    description.load_default, description.allow_none = None, True
    secret = fields.String(
        validate=validate.Length(1, 128),
        metadata={
            "description": "What signs the deliveries: `whsec_` and then 24 to 64 random bytes in "
            "base64. Made for you if not given."
        },
    )


class WebhookOut(Answer):
    """A webhook, all but its secret, and how it fares."""

    id = fields.String()
    url = fields.String()
    events = fields.List(one_of(EVENTS))
    table = fields.String(
        allow_none=True, metadata={"description": "Null: every table where you sit."}
    )
    description = fields.String(allow_none=True)
    created_at = fields.DateTime()
    enabled = fields.Boolean()
    disabled_reason = one_of(
        get_args(WhyOff),
        allow_none=True,
        metadata={
            "description": "`failing`: every delivery has failed for too long. `gone`: the "
            "endpoint has answered 410."
        },
    )
    failing_since = fields.DateTime(
        allow_none=True, metadata={"description": "Null where the last delivery was taken."}
    )
    fault = fields.String(
        allow_none=True,
        metadata={
            "description": "What the last failure was: `timeout`, `unreachable`, `unresolved` (the "
            "name), `tls`, `broken_answer`, `forbidden_target`, or `status_` and a status."
        },
    )
    waiting = fields.Integer(metadata={"description": "Deliveries that are still to be taken."})
    dropped = fields.Integer(
        metadata={"description": "Deliveries given up, since too many waited or it was disabled."}
    )


class MadeWebhookOut(WebhookOut):
    """A new webhook with its secret."""

    secret = fields.String(metadata={"description": "What signs the deliveries."})


class WebhooksPage(Answer):
    """The webhooks of the account, the latest first."""

    items = fields.List(fields.Nested(WebhookOut))
    next = fields.String(allow_none=True, metadata={"description": "Always null."})


class PingOut(Answer):
    """A test that is on its way."""

    id = fields.String(metadata={"description": "The `webhook-id` of the delivery."})
