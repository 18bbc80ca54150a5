"""Flask without what it does for each request and nothing here needs."""

from collections.abc import Callable
from io import BytesIO
from typing import IO, Any

from flask import Flask, Request, Response
from flask.sessions import NullSession, SessionInterface
from flask.typing import ResponseReturnValue
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge
from werkzeug.routing import MapAdapter
from werkzeug.utils import cached_property


class NoSessions(SessionInterface):
    """The API knows nobody but by tokens."""

    _none = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:  # noqa: ARG002
        """The same for all: nothing can be written to it."""
        return self._none


class LeanRequest(Request):
    """A request whose body is read at once, and whole or not at all."""

    @cached_property
    def stream(self) -> IO[bytes]:
        """The body, which the server ends where the request ends.

        Werkzeug's own would cut one that comes in chunks off where it gets too long.

        Raises:
            RequestEntityTooLarge: it is too long.
            ClientDisconnected: its end was lost, or it comes in chunks that are none.
        """
        most = self.max_content_length or 0
        length = most + 1 if self.content_length is None else self.content_length
        if length > most + 1:
            raise RequestEntityTooLarge
        try:
            body = self.input_stream.read(length)
        except (OSError, ParseException) as error:
            raise ClientDisconnected from error
        if len(body) > most:
            raise RequestEntityTooLarge
        return BytesIO(body)


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
