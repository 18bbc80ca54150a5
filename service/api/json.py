"""JSON by msgspec: quick, strict, and never a crash on hostile input."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

import msgspec
from flask import Response
from flask.json.provider import JSONProvider
from werkzeug.datastructures import Headers

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

_encode = msgspec.json.Encoder().encode


JSON = "application/json"


class MsgspecProvider(JSONProvider):
    """What Flask reads and writes JSON with."""

    def dumps(self, obj: Any, **_: Any) -> str:
        """Write a text."""
        return _encode(obj).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        """Read a text.

        Raises:
            ValueError: it is no JSON, or is nested too deep.
        """
        try:
            return msgspec.json.decode(s)
        except (msgspec.DecodeError, RecursionError) as error:
            raise ValueError("This is no JSON, or it is nested too deep.") from error


NO_STORE = {"Cache-Control": "no-store"}
"""Headers of an answer that is out of date as soon as it is sent."""

PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
"""Headers of an answer that differs by caller and may be asked for again by its ETag."""


class Answer(Response):
    """An answer that is whole as it is made, so that nothing is left to do when it is sent."""

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Send it; to HEAD its headers alone."""
        start_response(self.status, self.headers.to_wsgi_list())
        return () if environ["REQUEST_METHOD"] == "HEAD" else cast(list[bytes], self.response)


def reply(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer."""
    text = _encode(body)
    said = [("Content-Type", JSON), ("Content-Length", str(len(text)))]
    return Answer([text], status, Headers([*said, *(headers or {}).items()]))
