"""The rules to read, and what hands are worth."""

import hashlib
from functools import cache
from typing import Any

import msgspec
from flask import Response, request

from service.api import examples, languages, rulebook
from service.api.json import reply
from service.api.schemas.answers import CombinationOut, RulesOut
from service.api.schemas.requests import HandIn, HandsIn
from service.api.smorest import Blueprint, StrictParser
from service.engine import combinations
from service.tables import views

blp = Blueprint("reference", __name__, url_prefix="/v1", description="The rules, and hands judged")

_HAND, _HANDS = HandIn(), HandsIn()
_ONE_OR_MANY = {"oneOf": [HandIn(), {"type": "array", "items": HandIn(), "maxItems": 1000}]}
_EXAMPLE = examples.of_request("evaluateHands")
_BEST = {"oneOf": [CombinationOut(), {"type": "null"}]}
_BEST_OR_MANY = {"oneOf": [*_BEST["oneOf"], {"type": "array", "items": _BEST}]}


@blp.post("/evaluate")
@blp.refuses("validation_failed")
@blp.doc(
    requestBody={
        "required": True,
        "content": {"application/json": {"schema": _ONE_OR_MANY, **_EXAMPLE}},
    }
)
@blp.response(200, _BEST_OR_MANY)
def evaluate_hands() -> Response:
    """Find the best combination of a hand, or of each of up to 1,000 hands

    The answer is null where a hand of five or six cards holds none; for a list it is a list.
    """
    if not isinstance(request.get_json(), list):
        return reply(_best(StrictParser().parse(_HAND, request, location="json")))
    hands = StrictParser().parse(_HANDS, request, location="json")
    return reply([_best(hand) for hand in hands])


def _best(hand: dict[str, Any]) -> views.Json | None:
    cards, wild_rank = tuple(hand["cards"]), hand["wild_rank"]
    return views.combination_view(combinations.best(cards, wild_rank, hand["ace_low"]))


@blp.get("/rules")
@blp.takes(languages.ACCEPT_LANGUAGE)
@blp.response(200, RulesOut(), headers=languages.CONTENT_LANGUAGE)
@blp.alt_response(304, description="The rules are still those of the ETag in If-None-Match.")
def get_rules() -> Response:
    """Read the rules, the combinations, every house rule, and what cards are called

    In the language that `Accept-Language` asks for, if it is one of ours, else in English.
    """
    body, etag = _rulebook(languages.language())
    headers = {"Cache-Control": "public, max-age=3600", **languages.headers()}
    response = Response(body, headers=headers, mimetype="application/json")
    response.set_etag(etag)
    return response.make_conditional(request)  # type: ignore[return-value]


@cache
def _rulebook(_language: str) -> tuple[bytes, str]:
    """The rulebook in the caller's language as it is sent, and its ETag."""
    body = msgspec.json.encode(rulebook.rulebook())
    return body, hashlib.sha256(body).hexdigest()[:16]
