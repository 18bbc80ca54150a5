"""Web pages of other origins may call the API: the Fetch standard's CORS protocol.

Tokens are sent by the page itself and never by the browser alone, so a page can do nothing with a
visitor's account that it has no token of.
"""

from flask import Flask, Response
from flask_cors import CORS

from service.api.here import here

EXPOSED = (
    "Content-Language",
    "ETag",
    "Idempotency-Replayed",
    "Location",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-Id",
)
"""Headers of answers that a page may read, beside those that any page may."""

PREFLIGHT_SECONDS = 7200
"""How long a browser need not ask again; longer is not listened to."""


def register(app: Flask, origins: str) -> None:
    """Let pages of these origins call, with commas between them; `*` is all, empty is none."""
    allowed = [origin for one in origins.split(",") if (origin := one.strip())]
    if not allowed:
        return
    CORS(
        app,
        origins=allowed,
        methods=["GET", "POST", "DELETE"],
        expose_headers=EXPOSED,
        max_age=PREFLIGHT_SECONDS,
        send_wildcard="*" in allowed,
        always_send=False,
    )
    tell = app.after_request_funcs[None].pop()

    @app.after_request
    def tell_pages(response: Response) -> Response:
        """Only pages of other origins name theirs, and nobody else need wait for this."""
        return tell(response) if "HTTP_ORIGIN" in here()[0].environ else response  # type: ignore[return-value]
