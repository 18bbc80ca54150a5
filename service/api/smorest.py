"""flask-smorest, bent once to this API: problem+json, operation ids, strict requests."""

from collections.abc import Callable
from typing import Any

import flask_smorest
from flask import Request
from flask_smorest import Api
from marshmallow import RAISE
from webargs import missing
from webargs.flaskparser import FlaskParser

from service.api import problems
from service.api.idempotency import IDEMPOTENCY_KEY
from service.api.limits import budget_of
from service.api.schemas.common import Problem

ALWAYS = (
    "malformed",
    "unauthenticated",
    "not_found",
    "method_not_allowed",
    "too_large",
    "internal",
    "unavailable",
)
"""What any operation may answer."""


class StrictParser(FlaskParser):
    """Refuses unknown query parameters too."""

    DEFAULT_UNKNOWN_BY_LOCATION = FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION | {"query": RAISE}

    def _raw_load_json(self, req: Request) -> Any:
        """Read bodies with the app's own JSON, which is stricter than the standard library's."""
        return req.get_json() if req.get_data(cache=True) else missing


class Blueprint(flask_smorest.Blueprint):
    """A blueprint whose operations name the problems that they answer with."""

    ARGUMENTS_PARSER = StrictParser()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._prepare_doc_cbks.append(_prepare_operation_doc)

    def route(self, rule: str, **options: Any) -> Callable[..., Any]:
        """As in Flask; the operation's id is the function's name."""
        add = super().route(rule, **options)

        def decorator(view: Callable[..., Any]) -> Callable[..., Any]:
            budget = budget_of(f"{self.name}.{view.__name__}")
            _note(view, operation_id=_camel(view.__name__), budget=budget)
            return add(view)  # type: ignore[no-any-return]

        return decorator

    @staticmethod
    def refuses(*codes: str) -> Callable[..., Any]:
        """Document the problem codes of an operation, beside those that any may answer."""
        return lambda view: _note(view, refuses=codes)

    @staticmethod
    def takes(*parameters: dict[str, Any]) -> Callable[..., Any]:
        """Document header parameters that the operation reads by itself."""
        return lambda view: _note(view, takes=parameters)


def _note(view: Callable[..., Any], **facts: Any) -> Callable[..., Any]:
    noted: Any = view
    notes = {**getattr(view, "_apidoc", {}), **facts}
    noted._apidoc = notes  # noqa: SLF001 - where flask-smorest keeps what it documents
    return view


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


def _prepare_operation_doc(
    doc: dict[str, Any], doc_info: dict[str, Any], *, method: str, **_: Any
) -> dict[str, Any]:
    """Add an operation's id, its security and every problem that it may answer with."""
    doc["operationId"] = doc_info["operation_id"]
    takes = [*doc_info.get("takes", ())]
    if method.upper() == "POST":
        takes.append(IDEMPOTENCY_KEY)
    if takes:
        doc["parameters"] = [*doc.get("parameters", ()), *takes]
    doc["security"] = [{"bearer": []}] if doc_info.get("signed_in") else [{}, {"bearer": []}]
    codes = [*doc_info.get("refuses", ()), *ALWAYS]
    if method.upper() == "POST":
        codes += ["unsupported_media_type", "in_progress", "idempotency_key_reused"]
    if doc_info.get("arguments"):
        codes.append("validation_failed")
    if budget := doc_info["budget"]:
        codes.append("rate_limited")
    answers = {str(status): said for status, said in doc.get("responses", {}).items()}
    problem_answers = {
        str(status): _problem_response(group) for status, group in _by_status(codes).items()
    }
    if budget:
        problem_answers["429"]["description"] += f"; this one is of the budget `{budget}`"
    doc["responses"] = {**answers, **problem_answers}
    return doc


class PaiuteApi(Api):
    """The API whose errors are problems."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        problems.register(self._app)

    def _register_responses(self) -> None:
        """No shared responses: each operation has its own, with its codes."""


def _by_status(codes: list[str]) -> dict[int, list[str]]:
    groups: dict[int, list[str]] = {}
    for code in dict.fromkeys(codes):
        groups.setdefault(problems.PROBLEMS[code].status, []).append(code)
    return dict(sorted(groups.items()))


def _problem_response(codes: list[str]) -> dict[str, Any]:
    kinds = {code: problems.PROBLEMS[code] for code in codes}
    description = "; ".join(f"`{code}`: {kind.title.lower()}" for code, kind in kinds.items())
    examples = {
        code: {"value": problems.body(code, f"{kind.title}.")} for code, kind in kinds.items()
    }
    response = {
        "description": description,
        "content": {problems.PROBLEM_JSON: {"schema": Problem, "examples": examples}},
    }
    if come_again := [code for code in codes if code in problems.COME_AGAIN]:
        response["headers"] = {"Retry-After": _retry_after(come_again)}
    return response


def _retry_after(codes: list[str]) -> dict[str, Any]:
    named = ", ".join(f"`{code}`" for code in codes)
    description = f"{named}: seconds after which the request may be sent again."
    return {"description": description, "schema": {"type": "integer", "minimum": 1}}
