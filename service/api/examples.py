"""Examples for the document: real requests and answers, which `make openapi` has recorded."""

import json
from pathlib import Path
from typing import Any

Json = dict[str, Any]

FILE = Path(__file__).with_name("examples.json")
"""Holds the first request and answer of each kind, by operation, of a game that was played."""

_recorded: Json = json.loads(FILE.read_text()) if FILE.exists() else {}


def of_request(operation: str) -> Json:
    """The example of a request's body, as a part of the document; nothing where there is none."""
    return _example(_recorded.get("requests", {}), operation)


def of_answer(operation: str, status: str) -> Json:
    """The example of an answer's body."""
    return _example(_recorded.get("answers", {}).get(operation, {}), status)


def of_stream(operation: str, media: str) -> Json:
    """The example of a stream's beginning."""
    return _example(_recorded.get("streams", {}).get(operation, {}), media)


def of_webhook(kind: str) -> Json:
    """The example of what is sent to a webhook."""
    return _example(_recorded.get("webhooks", {}), kind)


def of_problem(operation: str, code: str) -> Json | None:
    """A problem that an operation has answered with, or else another one, if any has."""
    problems: dict[str, Json] = _recorded.get("problems", {})
    everywhere = (one[code] for one in problems.values() if code in one)
    found: Json | None = problems.get(operation, {}).get(code) or next(everywhere, None)
    return found


def _example(found: Json, name: str) -> Json:
    return {"example": found[name]} if name in found else {}
