"""Flask without what it does for each request and nothing here needs."""

import math
from collections.abc import Callable
from typing import IO, Any

from flask import Flask, Request, Response
from flask.sessions import NullSession, SessionInterface
from flask.typing import ResponseReturnValue
from werkzeug.routing import MapAdapter
from werkzeug.utils import cached_property
from werkzeug.wsgi import get_input_stream


class NoSessions(SessionInterface):
    """The API knows nobody but by tokens."""

    _none = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:  # noqa: ARG002
        """The same for all: nothing can be written to it."""
        return self._none


class LeanRequest(Request):
    """A request whose body, where its length is known and allowed, is read without more looks."""

    @cached_property
    def stream(self) -> IO[bytes]:
        """The body, which the server ends where the request ends.

        Raises:
            RequestEntityTooLarge: it is too long.
        """
        most = self.max_content_length
        if most is not None and (self.content_length or math.inf) <= most:
            return self.input_stream
        return get_input_stream(self.environ, max_content_length=most)


class LeanFlask(Flask):
    """An application without sessions, signals, coroutines, hosts, and hooks of blueprints."""

    session_interface = NoSessions()
    request_class = LeanRequest

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """As it is: no view here is a coroutine."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """What finds the route of a request: by its path alone, whatever host it names."""
        if request is None:
            return None
        environ = request.environ
        return MapAdapter(
            self.url_map,
            server_name="",
            script_name=environ.get("SCRIPT_NAME", ""),
            subdomain="",
            url_scheme="http",
            path_info=request.path,
            default_method=request.method,
        )

    def full_dispatch_request(self) -> Response:
        """The answer to the request at hand."""
        try:
            answer = self.preprocess_request()
            if answer is None:
                answer = self.dispatch_request()
        except Exception as error:  # noqa: BLE001 - each has its handler, if only that for all
            answer = self.handle_user_exception(error)
        return self.finalize_request(answer)

    def preprocess_request(self) -> ResponseReturnValue | None:
        """Call what is to come before the view, until something answers."""
        for prepare in self.before_request_funcs.get(None, ()):
            answer: ResponseReturnValue | None = prepare()  # type: ignore[assignment]
            if answer is not None:
                return answer
        return None

    def process_response(self, response: Response) -> Response:
        """Call what is to come after the view."""
        for finish in reversed(self.after_request_funcs.get(None, ())):
            response = finish(response)
        return response

    def do_teardown_request(self, exc: BaseException | None = None) -> None:
        """Nothing: a request leaves nothing behind."""

    def do_teardown_appcontext(self, exc: BaseException | None = None) -> None:
        """Nothing either."""
