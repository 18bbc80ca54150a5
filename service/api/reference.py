"""The rules to read, and what hands are worth."""

from typing import Any

from flask import Response, request

from service.api import rulebook
from service.api.json import reply
from service.api.schemas.answers import CombinationOut, RulesOut
from service.api.schemas.requests import HandIn, HandsIn
from service.api.smorest import Blueprint, StrictParser
from service.engine import combinations
from service.tables import views

blp = Blueprint("reference", __name__, url_prefix="/v1", description="The rules, and hands judged")

_HAND, _HANDS = HandIn(), HandsIn()
_ONE_OR_MANY = {"oneOf": [HandIn(), {"type": "array", "items": HandIn(), "maxItems": 1000}]}
_BEST = {"oneOf": [CombinationOut(), {"type": "null"}]}
_BEST_OR_MANY = {"oneOf": [*_BEST["oneOf"], {"type": "array", "items": _BEST}]}
_EXAMPLE = {"wild_rank": "7", "cards": ["7c", "7d", "7h", "Ks", "Kd", "Qc"]}


@blp.post("/evaluate")
@blp.refuses("validation_failed")
@blp.doc(
    requestBody={
        "required": True,
        "content": {"application/json": {"schema": _ONE_OR_MANY, "example": _EXAMPLE}},
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
@blp.response(200, RulesOut())
def get_rules() -> Response:
    """Read the rules, the combinations and every house rule with its default"""
    return reply(rulebook.RULEBOOK, headers={"Cache-Control": "public, max-age=3600"})
