"""The table's version as ETag (RFC 9110): what a view is sent with, and what commands name."""

from collections.abc import Mapping

from flask import Response

from service.api.auth import id_with
from service.api.credentials import Token
from service.api.here import here
from service.api.json import PRIVATE, Answer, reply
from service.tables import views
from service.tables.table import Table

IF_MATCH = {
    "in": "header",
    "name": "If-Match",
    "description": "The ETag of the view that the command was decided on. Where the table has "
    "moved on, the answer is 412 with the fresh view.",
    "schema": {"type": "string"},
    "example": '"17"',
}
IF_NONE_MATCH = {
    "in": "header",
    "name": "If-None-Match",
    "description": "The ETag of the view that the caller has.",
    "schema": {"type": "string"},
    "example": '"17"',
}

NEVER = -1
"""A version that no table has: what an ETag that is not one of ours stands for."""


def table_reply(
    table: Table, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """The caller's view of a table."""
    state = here()[1]
    token: Token | None = state.token
    view = views.table_view(
        table, id_with("play", token), state.game.now(), id_with("lobby", token)
    )
    return reply(view, status, {**_etag(table), **(headers or {})})


def not_modified(table: Table, headers: Mapping[str, str] | None = None) -> Response:
    """The answer to a caller who has this version already."""
    answer = Answer([], 304, {**_etag(table), **(headers or {})})
    del answer.headers["Content-Type"]
    return answer


def expected_version() -> int | None:
    """The version that a command names in If-Match; None where it names none."""
    return _version("HTTP_IF_MATCH")


def known_version() -> int | None:
    """The version that the caller has, by If-None-Match; None where it has none."""
    return _version("HTTP_IF_NONE_MATCH")


def _version(header: str) -> int | None:
    tag: str | None = here()[0].environ.get(header)
    if tag is None or tag == "*":
        return None
    digits = tag.removeprefix("W/").strip('"')
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 16 else NEVER


def _etag(table: Table) -> dict[str, str]:
    return {"ETag": f'"{table.version}"', **PRIVATE}
