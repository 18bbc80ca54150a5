"""flask-smorest, bent once to this API: problem+json, operation ids, strict requests."""

from collections.abc import Callable
from functools import wraps
from threading import Lock
from types import NoneType
from typing import Any, Literal

import flask_smorest
from flask import Flask, Request, g
from flask_smorest import Api
from marshmallow import RAISE, Schema
from webargs import missing
from webargs.flaskparser import FlaskParser

from service.api import examples, problems
from service.api.here import here
from service.api.idempotency import IDEMPOTENCY_KEY
from service.api.json import JSON
from service.api.limits import budget_of
from service.api.schemas.common import Problem
from service.tables.errors import Forbidden

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


_PROBLEM = Problem()  # A class would be made an instance of for each answer, which takes a while.


Location = Literal["json", "query"]
"""Where arguments come from: the body or the query, for what was read is remembered by its text."""

SHORT = 80
"""Bytes of a body, or of a query, that is remembered along with what it was read as."""

REMEMBERED = 4096
"""How many of them; those of moves are some sixty in all."""


class StrictParser(FlaskParser):
    """Refuses unknown query parameters too, and remembers what short requests were read as."""

    DEFAULT_UNKNOWN_BY_LOCATION = FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION | {"query": RAISE}

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[tuple[Schema, bytes], dict[str, Any]] = {}

    def read(self, schema: Schema, location: Location) -> Any:
        """What came with the request, by a schema."""
        asked = here()[0]
        text = asked.query_string if location == "query" else asked.get_data(cache=True)
        known = self._known.get((schema, text))
        if known is not None:
            return known.copy()
        found = self.parse(schema, asked, location=location)
        if len(text) <= SHORT and _is_plain(found):
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[schema, text] = found.copy()
        return found

    def _raw_load_json(self, req: Request) -> Any:
        """Read bodies with the app's own JSON, which is stricter than the standard library's."""
        return req.get_json() if req.get_data(cache=True) else missing


def _is_plain(found: Any) -> bool:
    """Whether a copy may be given to another request: nothing within can be changed."""
    return isinstance(found, dict) and all(
        isinstance(one, str | int | NoneType) for one in found.values()
    )


class Blueprint(flask_smorest.Blueprint):
    """A blueprint whose operations name the problems that they answer with."""

    ARGUMENTS_PARSER = StrictParser()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._prepare_doc_cbks.append(_prepare_operation_doc)

    def arguments(
        self, schema: Schema, *, location: Location = "json", **options: Any
    ) -> Callable[..., Any]:
        """As in flask-smorest, with an instance of a schema."""
        documented = super().arguments(schema, location=location, **options)

        def decorator(view: Callable[..., Any]) -> Callable[..., Any]:
            @wraps(documented(view))
            def reads(*args: Any, **kwargs: Any) -> Any:
                return view(*args, self.ARGUMENTS_PARSER.read(schema, location), **kwargs)

            return reads

        return decorator

    def response(self, *args: Any, **options: Any) -> Callable[..., Any]:
        """Document an answer; the views make theirs by themselves, as `Response`."""
        documented = super().response(*args, **options)
        return lambda view: _documented_as(documented(view), view)

    def alt_response(self, *args: Any, **options: Any) -> Callable[..., Any]:
        """Document another answer."""
        documented = super().alt_response(*args, **options)
        return lambda view: _documented_as(documented(view), view)

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
    def for_operators(view: Callable[..., Any]) -> Callable[..., Any]:
        """Let only operators through, and document that; `admin.identify` has let them in."""

        @wraps(view)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            if not g.get("operator"):
                raise Forbidden("This is for the operators of this service.")
            return view(*args, **kwargs)

        return _note(guarded, for_operators=True, refuses=("forbidden",))

    @staticmethod
    def for_anybody(view: Callable[..., Any]) -> Callable[..., Any]:
        """Document that an operation makes nothing of a token."""
        return _note(view, for_anybody=True)

    @staticmethod
    def takes(*parameters: dict[str, Any]) -> Callable[..., Any]:
        """Document header parameters that the operation reads by itself."""
        return lambda view: _note(view, takes=parameters)


def _note(view: Callable[..., Any], **facts: Any) -> Callable[..., Any]:
    noted: Any = view
    notes = {**getattr(view, "_apidoc", {}), **facts}
    noted._apidoc = notes  # noqa: SLF001 - where flask-smorest keeps what it documents
    return view


def _documented_as(documented: Any, view: Any) -> Any:
    """A view with the notes of another one, which is not called."""
    view._apidoc = documented._apidoc  # noqa: SLF001 - where flask-smorest keeps what it documents
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
    doc["security"], scope = _security(doc_info), doc_info.get("scope")
    codes = [*doc_info.get("refuses", ()), *ALWAYS]
    if scope:
        codes.append("missing_scope")
        said, words = f"Takes a token with the scope `{scope}`.", doc_info["docstring"]
        words["description"] = "\n\n".join(filter(None, [words.get("description"), said]))
    if method.upper() == "POST":
        codes += ["unsupported_media_type", "in_progress", "idempotency_key_reused"]
    if doc_info.get("arguments"):
        codes.append("validation_failed")
    if budget := doc_info["budget"]:
        codes.append("rate_limited")
    name = doc["operationId"]
    answers = {str(status): said for status, said in doc.get("responses", {}).items()}
    _add_examples(name, doc.get("requestBody", {}), answers)
    problem_answers = {
        str(status): _problem_response(name, group) for status, group in _by_status(codes).items()
    }
    if budget:
        problem_answers["429"]["description"] += f"; this one is of the budget `{budget}`"
    doc["responses"] = {**answers, **problem_answers}
    return doc


def _security(doc_info: dict[str, Any]) -> list[dict[str, list[str]]]:
    """Who may call an operation."""
    scope = doc_info.get("scope")
    bearer = {"bearer": [scope] if scope else []}
    if doc_info.get("for_operators"):
        return [{"admin": []}]
    if doc_info.get("for_anybody"):
        return []
    return [bearer] if doc_info.get("signed_in") else [{}, bearer]


class PaiuteApi(Api):
    """The API whose errors are problems."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def __init__(self, app: Flask, **options: Any) -> None:
        super().__init__(app, **options)
        self._parts: list[Blueprint] = []
        self._lock = Lock()
        self._document: dict[str, Any] | None = None

    def register_part(self, part: Blueprint) -> None:
        """Register a part of the API; it is described with the document."""
        self._app.register_blueprint(part)
        self._parts.append(part)

    def document(self) -> dict[str, Any]:
        """The OpenAPI document; it is made for who asks first, as all else here takes less time."""
        with self._lock:
            if self._document is None:
                for part in self._parts:
                    part.register_views_in_doc(
                        self, self._app, self.spec, name=part.name, parameters=None
                    )
                    self.spec.tag({"name": part.name, "description": part.description})
                self._document = self.spec.to_dict()
            return self._document

    def _register_error_handlers(self) -> None:
        problems.register(self._app)

    def _register_responses(self) -> None:
        """No shared responses: each operation has its own, with its codes."""

    def _register_pagination_header(self) -> None:
        """No header of pages: `next` in the body says where the next one begins."""


def _by_status(codes: list[str]) -> dict[int, list[str]]:
    groups: dict[int, list[str]] = {}
    for code in dict.fromkeys(codes):
        groups.setdefault(problems.PROBLEMS[code].status, []).append(code)
    return dict(sorted(groups.items()))


def _add_examples(name: str, body: dict[str, Any], answers: dict[str, Any]) -> None:
    """Put what was recorded beside the schemas of an operation's bodies."""
    if JSON in body.get("content", {}):
        body["content"][JSON] |= examples.of_request(name)
    for status, answer in answers.items():
        if status < "4":
            for media, content in answer.get("content", {}).items():
                content.update(examples.of_answer(name, status) if media == JSON else {})


def _problem_response(name: str, codes: list[str]) -> dict[str, Any]:
    kinds = {code: problems.PROBLEMS[code] for code in codes}
    description = "; ".join(f"`{code}`: {kind.title.lower()}" for code, kind in kinds.items())
    shown = {
        code: {"value": examples.of_problem(name, code) or problems.body(code, f"{kind.title}.")}
        for code, kind in kinds.items()
    }
    response = {
        "description": description,
        "content": {problems.PROBLEM_JSON: {"schema": _PROBLEM, "examples": shown}},
    }
    if come_again := [code for code in codes if code in problems.COME_AGAIN]:
        response["headers"] = {"Retry-After": _retry_after(come_again)}
    return response


def _retry_after(codes: list[str]) -> dict[str, Any]:
    named = ", ".join(f"`{code}`" for code in codes)
    description = f"{named}: seconds after which the request may be sent again."
    return {"description": description, "schema": {"type": "integer", "minimum": 1}}
