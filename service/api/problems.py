"""Every refusal as application/problem+json (RFC 9457), with a stable code."""

import logging
from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgspec
from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException

from service import faults
from service.api import languages
from service.api.auth import inviter_id, viewer_id
from service.api.credentials import MissingScope, Unauthenticated
from service.api.json import NO_STORE
from service.api.languages import Phrase, said, say
from service.engine.errors import PaiuteError
from service.operators import QueuesAway
from service.store.base import Backlog
from service.tables import views
from service.tables.errors import RulesChanged
from service.tables.rules_hash import rules_hash
from service.tables.table import Table

logger = logging.getLogger(__name__)

PROBLEM_JSON = "application/problem+json"

COME_AGAIN = ("unavailable", "in_progress", "rate_limited")
"""The codes of problems that say when the request may be sent again."""

RETRY_AFTER_SECONDS = 1
"""After that the request may be sent again: each bucket regains one request a second at least."""

MOST_ERRORS = 20
"""How many fields of a request are told of at most."""

LONGEST_NAME = 60
"""How much is told of the name of a field that there is not."""

DRAIN_BYTES = 1024 * 1024
"""How much of a body that is too large is read and thrown away, so that its connection lives on."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What a code means for HTTP: its status and its title."""

    status: int
    title: str


PROBLEMS: dict[str, Problem] = {
    "malformed": Problem(400, "The request could not be read"),
    "unauthenticated": Problem(401, "A valid token is needed"),
    "forbidden": Problem(403, "You may not do this here"),
    "missing_scope": Problem(403, "The token lacks the scope that this takes"),
    "hand_hidden": Problem(403, "That hand was never shown"),
    "wrong_invite_code": Problem(403, "The invite code is wrong or missing"),
    "not_found": Problem(404, "There is no such thing"),
    "method_not_allowed": Problem(405, "This address does not take that method"),
    "not_your_turn": Problem(409, "It is another player's turn"),
    "wrong_phase": Problem(409, "The phase of the game does not allow this now"),
    "card_not_in_hand": Problem(409, "That card is not in your hand"),
    "card_just_drawn": Problem(409, "A card taken from the discards stays this turn"),
    "no_combination": Problem(409, "Your hand holds no winning combination"),
    "discard_breaks_combination": Problem(409, "That discard would break the combination"),
    "pile_empty": Problem(409, "The discard pile is empty"),
    "table_full": Problem(409, "The table is full"),
    "seat_taken": Problem(409, "The seat is taken"),
    "identity_taken": Problem(409, "The identity belongs to another account"),
    "already_seated": Problem(409, "You have a seat at this table already"),
    "not_seated": Problem(409, "You have no part in this"),
    "rules_changed": Problem(409, "The house rules are others"),
    "table_not_open": Problem(409, "The table is not open for this"),
    "not_enough_players": Problem(409, "There are too few players"),
    "insufficient_chips": Problem(409, "There are too few chips"),
    "webhook_off": Problem(409, "The webhook is disabled"),
    "limit_reached": Problem(409, "There may be no more of this"),
    "in_progress": Problem(409, "The same request is still running"),
    "stale_version": Problem(412, "The table has moved on"),
    "too_large": Problem(413, "The request body is too large"),
    "unsupported_media_type": Problem(415, "The body has to be JSON"),
    "validation_failed": Problem(422, "Some fields are not as they should be"),
    "forbidden_target": Problem(422, "A webhook may not call this address"),
    "idempotency_key_reused": Problem(422, "The idempotency key belongs to another request"),
    "rate_limited": Problem(429, "Too many requests"),
    "internal": Problem(500, "The service has failed"),
    "unavailable": Problem(503, "The service is unavailable for a moment"),
}

_CODES_OF_STATUS = {
    400: "malformed",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "unsupported_media_type",
    422: "validation_failed",
    503: "unavailable",
}
_DETAILS = {
    "malformed": Phrase("The request can't be read; a body has to be JSON in UTF-8, and whole."),
    "unauthenticated": Phrase("Send a token of yours as `Authorization: Bearer <token>`."),
    "forbidden": Phrase("Your token does not allow this."),
    "not_found": Phrase("There is nothing at this address; `/docs` lists what there is."),
    "method_not_allowed": Phrase("This address takes: {allowed}."),
    "too_large": Phrase("The body is too large; the most bytes that it may have: {limit}."),
    "unsupported_media_type": Phrase("Send the body with `Content-Type: application/json`."),
    "validation_failed": Phrase("`errors` says for each field what it takes."),
    "internal": Phrase("This is our fault, not yours; the request may be tried again."),
    "unavailable": Phrase("Nothing has happened; the request may be tried again in a moment."),
}


def register(app: Flask) -> None:
    """Have the app answer every error with a problem."""
    app.register_error_handler(PaiuteError, refusal)
    app.register_error_handler(HTTPException, http_problem)
    app.register_error_handler(Exception, _fault)


def body(code: str, detail: str) -> dict[str, Any]:
    """The members that every problem has."""
    kind = PROBLEMS[code]
    return {
        "type": f"/problems/{code}",
        "title": say(kind.title),
        "status": kind.status,
        "detail": detail,
        "code": code,
    }


def problem(code: str, detail: str, **more: Any) -> Response:
    """A problem answer; `g.problem` is its code from then on.  `detail` is in its language."""
    g.problem = code
    encoded = msgspec.json.encode({**body(code, detail), **more})
    headers = NO_STORE | languages.headers()
    response = Response(encoded, PROBLEMS[code].status, headers, mimetype=PROBLEM_JSON)
    if code == "unauthenticated":
        response.headers["WWW-Authenticate"] = "Bearer"
    if code in COME_AGAIN:
        response.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return response


def refusal(error: PaiuteError) -> Response:
    """The problem that a refusal is answered with."""
    table: Table | None = error.table
    context = _context(table) if table else {}
    if table and error.code == "stale_version":
        context["view"] = views.table_view(table, viewer_id(), g.game.now(), inviter_id())
    detail = say(error.detail).format(**error.facts)
    if "field" in error.facts:
        context["errors"] = {error.facts["field"]: [detail]}
    if "limit" in error.facts:
        context["limit"] = error.facts["limit"]
    if error.facts.get("match"):
        context["match"] = error.facts["match"]
    if isinstance(error, QueuesAway):
        context["due"] = backlog_view(error.backlog, g.game.now())
    if isinstance(error, RulesChanged):
        context["rules"] = views.rules_view(error.rules)
        context["rules_hash"] = rules_hash(error.rules)
    if isinstance(error, MissingScope):
        context |= {"scope": error.needed, "scopes": error.has}
    response = problem(error.code, detail, **context)
    if isinstance(error, Unauthenticated | MissingScope):
        response.headers["WWW-Authenticate"] = error.challenge
    return response


def backlog_view(backlog: Backlog, now: int) -> dict[str, Any]:
    """What the due index has, as operators see it."""
    late_ms = backlog.late_ms(now)
    return {"entries": backlog.entries, "late": backlog.late, "late_ms": late_ms}


def _context(table: Table) -> dict[str, Any]:
    """Where the table stands, and what the caller may do there now."""
    in_deal = table.deal if table.in_deal else None
    return {
        "version": table.version,
        "phase": in_deal.phase if in_deal else None,
        "turn": in_deal.turn if in_deal else None,
        "legal": views.legal_view(table, viewer_id()),
    }


def http_problem(error: HTTPException) -> Response:
    """A problem for what Flask, Werkzeug or the schemas refuse."""
    if error.response is not None and error.code is None:
        return error.response  # type: ignore[return-value]
    code = _CODES_OF_STATUS.get(error.code or 500)
    if code is None:
        code = "internal" if (error.code or 500) >= 500 else "malformed"
    if code == "too_large":
        request.environ["wsgi.input"].read(DRAIN_BYTES)
    allowed = ", ".join(sorted(getattr(error, "valid_methods", None) or ()))
    limit = request.max_content_length
    detail = said(_DETAILS[code].format(allowed=allowed, limit=limit))
    response = problem(code, detail, **_field_errors(error))
    if allowed:
        response.headers["Allow"] = allowed
    return response


def _field_errors(error: HTTPException) -> dict[str, Any]:
    """The errors of each field, without the place (body, query) that webargs puts around them."""
    messages = getattr(error, "data", {}).get("messages", {})
    errors = {field: said for place in messages.values() for field, said in place.items()}
    return {"errors": _first(errors)} if errors else {}


def _first(errors: Any, most: int = MOST_ERRORS) -> Any:
    """The first errors of a field, fewer the deeper they lie: there may be any number of them."""
    if isinstance(errors, list):
        return [said(error) for error in errors]
    if not isinstance(errors, dict):
        return said(errors)
    first = islice(errors.items(), most)
    return {str(name)[:LONGEST_NAME]: _first(said, most // 4) for name, said in first}


def _fault(error: Exception) -> Response:
    logger.error("fault in %s %s: %s", request.method, request.url_rule, faults.describe(error))
    return problem("internal", said(_DETAILS["internal"]))
