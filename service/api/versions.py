"""The table's version as ETag (RFC 9110): what a view is sent with, and what commands name."""

from collections.abc import Mapping

from flask import Response, g, request

from service.api.auth import inviter_id, viewer_id
from service.api.json import PRIVATE, reply
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
    view = views.table_view(table, viewer_id(), g.game.now(), inviter_id())
    return reply(view, status, {**_etag(table), **(headers or {})})


def not_modified(table: Table, headers: Mapping[str, str] | None = None) -> Response:
    """The answer to a caller who has this version already."""
    return Response(status=304, headers={**_etag(table), **(headers or {})})


def expected_version() -> int | None:
    """The version that a command names in If-Match; None where it names none."""
    return _version("If-Match")


def known_version() -> int | None:
    """The version that the caller has, by If-None-Match; None where it has none."""
    return _version("If-None-Match")


def _version(header: str) -> int | None:
    tag = request.headers.get(header)
    if tag is None or tag == "*":
        return None
    digits = tag.removeprefix("W/").strip('"')
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 16 else NEVER


def _etag(table: Table) -> dict[str, str]:
    return {"ETag": f'"{table.version}"', **PRIVATE}
