"""What is sent to webhooks, as the document has it (OpenAPI 3.1, `webhooks`)."""

from service.api import examples
from service.api.event_schemas import MOMENT, NOTICES, TEXT, WHOLE, Json, an_object, words
from service.api.schemas.webhooks import EVENTS

AT_A_TABLE: Json = {
    "table": TEXT | {"description": "The table's id."},
    "version": WHOLE | {"description": "Its version then; it may have moved on."},
}

TOLD: dict[str, tuple[str, Json]] = {
    kind: (NOTICES[kind][0], AT_A_TABLE | NOTICES[kind][1]) for kind in EVENTS
} | {"ping": ("You have asked for a test.", {"webhook": TEXT | {"description": "Its id."}})}
"""For each type its summary, and the fields of `data`."""

HEADERS = {
    "webhook-id": "The same at every try of a delivery, and of no other: pass over those you had.",
    "webhook-timestamp": "When this try was made, in seconds since 1970.",
    "webhook-signature": "`v1,` and the HMAC-SHA256, in base64, of id, timestamp and body with "
    "full stops between, by the bytes of the secret.",
}


def described() -> Json:
    """The part `webhooks` of the document."""
    return {kind: {"post": _operation(kind, *told)} for kind, told in TOLD.items()}


def _operation(kind: str, summary: str, data: Json) -> Json:
    said = {"type": TEXT | {"const": kind}, "timestamp": MOMENT, "data": an_object(data)}
    return {
        "operationId": f"tell{words(kind)}",
        "summary": summary,
        "tags": ["webhooks"],
        "description": "Answer 2xx within six seconds; anything else is tried again later. See "
        "docs/webhooks.md.",
        "parameters": [
            {"name": name, "in": "header", "required": True, "description": said, "schema": TEXT}
            for name, said in HEADERS.items()
        ],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": an_object(said)} | examples.of_webhook(kind)
            },
        },
        "responses": {"2XX": {"description": "Taken. What the body says is not looked at."}},
        "security": [],
    }
