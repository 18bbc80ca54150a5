"""A layer around the application that has each request traced, where anything is traced at all."""

from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from service.api.observed import id_of, rule_of
from service.observe import tracing


class Traced:
    """The application, with its requests traced."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, as a part of the trace that it names in `traceparent`."""
        method = environ["REQUEST_METHOD"]
        named = ("traceparent", "tracestate")
        came_with = {name: environ.get(f"HTTP_{name.upper()}", "") for name in named}
        facts = {"http.request.method": method, "request": id_of(environ)}
        with tracing.span(method, came_with, facts) as span:

            def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
                route = rule_of(environ)
                span.update_name(f"{method} {route}")
                span.set_attribute("http.route", route)
                span.set_attribute("http.response.status_code", int(status[:3]))
                if status.startswith("5"):
                    tracing.failed(span)
                return start_response(status, headers, *error)

            return self._app(environ, start)
