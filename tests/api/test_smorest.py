"""Short requests are remembered along with what they were read as."""

from typing import Any

import pytest
from flask import Flask
from marshmallow import Schema, fields
from werkzeug.exceptions import UnprocessableEntity

from service.api.smorest import SHORT, Location, StrictParser


class Wanted(Schema):
    """What a request may have."""

    limit = fields.Integer()
    names = fields.List(fields.String())


def read(parser: StrictParser, schema: Schema, location: Location, text: str) -> dict[str, Any]:
    """What a request with this query, or this body, is read as."""
    sent = {"query_string": text} if location == "query" else {"data": text}
    with Flask(__name__).test_request_context(
        "/", method="POST", content_type="application/json", **sent
    ):
        found: dict[str, Any] = parser.read(schema, location)
        return found


@pytest.mark.parametrize(("location", "text"), [("query", "limit=5"), ("json", '{"limit": 5}')])
def test_each_request_has_its_own(location: Location, text: str) -> None:
    """Whoever changes what was read changes it for no other request."""
    parser, schema = StrictParser(), Wanted()
    for _ in range(3):
        found = read(parser, schema, location, text)
        assert {"limit": 5} == found
        found["limit"] = 6
    assert 1 == len(parser._known)


def test_lists_and_what_is_long_are_not_remembered() -> None:
    """What could be changed within, or takes much room, is read anew each time."""
    parser, schema = StrictParser(), Wanted()
    read(parser, schema, "json", '{"names": ["a"]}')
    read(parser, schema, "json", '{"limit": 5}' + " " * SHORT)
    assert {} == parser._known


def test_what_is_wrong_stays_wrong() -> None:
    """A refused request is refused again, and each schema reads for itself."""
    parser = StrictParser()
    assert {"limit": 5} == read(parser, Wanted(only=["limit"]), "query", "limit=5")
    narrow = Wanted(exclude=["limit"])
    for _ in range(2):
        with pytest.raises(UnprocessableEntity):
            read(parser, narrow, "query", "limit=5")
