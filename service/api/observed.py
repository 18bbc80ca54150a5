"""One layer around the application: it numbers, counts and times each request, and may log it."""

import logging
import re
import secrets
from collections.abc import Callable, Iterable
from itertools import count
from time import perf_counter
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import g, has_request_context, request

from service.observe import logs, metrics
from service.observe.timings import Timing

logger = logging.getLogger(__name__)

REQUEST_ID = "X-Request-Id"

_ID = "paiute.request_id"
_KNOWN = re.compile(r"[\w.:-]{1,64}", re.ASCII)
"""What an id may look like that a caller, or a proxy before us, has given to a request."""

_PROCESS = secrets.token_hex(4)
_numbers = count()

METHODS = ("GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT", "PATCH")

_counted: dict[tuple[str, str, str], tuple[Callable[[], None], Timing]] = {}


class Observed:
    """The application, with its requests observed.

    Args:
        app: the application.
        log: whether each request has a line in the log.
    """

    def __init__(self, app: WSGIApplication, *, log: bool) -> None:
        self._app = app
        self._log = log
        logs.about(_request_facts)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        begun = perf_counter()
        id_ = id_of(environ)

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            headers.append((REQUEST_ID, id_))
            seconds = perf_counter() - begun
            _count(environ, status[:3], seconds)
            if self._log:
                _write(environ, status[:3], headers, seconds)
            return start_response(status, headers, *error)

        return self._app(environ, start)


def id_of(environ: WSGIEnvironment) -> str:
    """The id that a request came with, if it is one, else a new one, the same each time."""
    known: str | None = environ.get(_ID)
    if known is None:
        given = environ.get("HTTP_X_REQUEST_ID", "")
        fits = given and _KNOWN.fullmatch(given)
        known = given if fits else f"{_PROCESS}{next(_numbers):08x}"
        environ[_ID] = known
    return known


def rule_of(environ: WSGIEnvironment) -> str:
    """The route of a request that is being answered, as the document has it."""
    return route_of(_rule(environ))


def _rule(environ: WSGIEnvironment) -> str:
    rule = getattr(environ.get("werkzeug.request"), "url_rule", None)
    return rule.rule if rule else ""


def _count(environ: WSGIEnvironment, status: str, seconds: float) -> None:
    key = (environ["REQUEST_METHOD"], _rule(environ), status)
    counted = _counted.get(key)
    if counted is None:
        method = key[0] if key[0] in METHODS else "other"
        counted = metrics.requests_of(method, route_of(key[1]), status)
        if method == key[0]:  # Else callers could have as many kept as they like.
            _counted[key] = counted
    one_more, timing = counted
    one_more()
    timing.observe(seconds)


def route_of(rule: str) -> str:
    """A rule of Flask's as the document has it; `none` for an address that there is not."""
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule) or "none"


def _write(
    environ: WSGIEnvironment, status: str, headers: list[tuple[str, str]], seconds: float
) -> None:
    facts = {"status": int(status), "ms": round(1000 * seconds, 2)}
    tag = next((value.strip('"') for name, value in headers if name == "ETag"), "")
    if tag.isdecimal():  # Else it is that of a page.
        facts["version"] = int(tag)
    logger.info("answered %s", environ["REQUEST_METHOD"], extra={"facts": facts})


def _request_facts() -> logs.Facts:
    """What the log tells of the request at hand: not its path or query, which may be secret."""
    if not has_request_context():
        return {}
    caller = g.get("caller")
    return {
        "request": request.environ.get(_ID),
        "route": route_of(request.url_rule.rule if request.url_rule else ""),
        "table": (request.view_args or {}).get("table_id"),
        "player": caller.id if caller else None,
    }
