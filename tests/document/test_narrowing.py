"""What callers rely on is found where a document takes it away, and nothing else is."""

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.document.narrowing import narrowings
from tests.document.schemas import Json

ROOT = Path(__file__).parents[2]
RELEASED = ROOT / "openapi" / "v1.json"
PRESENT = ROOT / "openapi" / "openapi.json"
PROBLEM = "application/problem+json"

Edit = Callable[[Json], object]


@pytest.fixture(scope="module")
def released() -> Json:
    """The document that is promised."""
    document: Json = json.loads(RELEASED.read_text())
    return document


def schema(document: Json, name: str) -> Json:
    """A schema by its name."""
    found: Json = document["components"]["schemas"][name]
    return found


def fields(document: Json, name: str) -> Json:
    """The fields of a schema."""
    found: Json = schema(document, name)["properties"]
    return found


def get(document: Json, path: str) -> Json:
    """The GET of a path."""
    found: Json = document["paths"][path]["get"]
    return found


def post(document: Json, path: str) -> Json:
    """The POST of a path."""
    found: Json = document["paths"][path]["post"]
    return found


DRAW = "/v1/tables/{table_id}/draw"
TOKEN = {"name": "token", "in": "query", "required": True, "schema": {"type": "string"}}

NARROWER: dict[str, tuple[Edit, str]] = {
    "a path": (lambda d: d["paths"].pop("/v1/rules"), "GET /v1/rules: it is gone"),
    "an operation": (lambda d: d["paths"]["/v1/tables"].pop("post"), "POST /v1/tables: it is gone"),
    "an id": (
        lambda d: post(d, DRAW).update(operationId="draw"),
        f"POST {DRAW}: it has another operationId",
    ),
    "a token": (
        lambda d: get(d, "/v1/rules").update(security=[{"bearer": []}]),
        "GET /v1/rules: it takes a token now",
    ),
    "a parameter": (
        lambda d: get(d, "/v1/tables").update(parameters=[]),
        "GET /v1/tables query status: the parameter is gone",
    ),
    "a new parameter that is required": (
        lambda d: get(d, "/v1/rules").update(parameters=[TOKEN]),
        "GET /v1/rules query token: it is required now",
    ),
    "a body": (
        lambda d: post(d, DRAW).pop("requestBody"),
        f"POST {DRAW} request: it takes no body any more",
    ),
    "a body that is required": (
        lambda d: post(d, "/v1/tables/{table_id}/join")["requestBody"].update(required=True),
        "POST /v1/tables/{table_id}/join request: a body is required now",
    ),
    "a field of a request": (
        lambda d: fields(d, "NewTable").pop("ante"),
        "POST /v1/tables request.ante: the field is gone",
    ),
    "a field that is required": (
        lambda d: schema(d, "NewTable")["required"].append("ante"),
        "POST /v1/tables request.ante: it is required now",
    ),
    "the type of a request's field": (
        lambda d: fields(d, "NewTable")["ante"].update(type="string"),
        "POST /v1/tables request.ante: integer is taken no more",
    ),
    "null": (
        lambda d: fields(d, "NewTable")["buy_in"].update(type="integer"),
        "POST /v1/tables request.buy_in: null is taken no more",
    ),
    "a value": (
        lambda d: fields(d, "DrawIn")["from"]["enum"].remove("discard"),
        f"POST {DRAW} request.from: a value of enum is gone",
    ),
    "values where there were none": (
        lambda d: fields(d, "NewPlayer")["name"].update(enum=["Keola"]),
        "POST /v1/players request.name: a value of enum is gone",
    ),
    "a maximum": (
        lambda d: fields(d, "NewTable")["ante"].update(maximum=5),
        "POST /v1/tables request.ante: maximum is smaller",
    ),
    "a minimum": (
        lambda d: fields(d, "NewTable")["seats"].update(minimum=3),
        "POST /v1/tables request.seats: minimum is greater",
    ),
    "a length": (
        lambda d: fields(d, "NewPlayer")["name"].update(maxLength=8),
        "POST /v1/players request.name: maxLength is smaller",
    ),
    "a pattern": (
        lambda d: fields(d, "DiscardIn")["card"].update(pattern="^..$"),
        "POST /v1/tables/{table_id}/discard request.card: pattern was or is another one",
    ),
    "the bound of a parameter": (
        lambda d: named(get(d, "/v1/tables"), "limit")["schema"].update(maximum=10),
        "GET /v1/tables query limit: maximum is smaller",
    ),
    "a status": (
        lambda d: get(d, "/v1/tables/{table_id}")["responses"].pop("304"),
        "GET /v1/tables/{table_id} 304: the answer is gone",
    ),
    "a header": (
        lambda d: post(d, DRAW)["responses"]["503"]["headers"].pop("Retry-After"),
        f"POST {DRAW} 503 Retry-After: the header is gone",
    ),
    "a media type": (
        lambda d: get(d, "/v1/me")["responses"]["200"]["content"].clear(),
        "GET /v1/me 200 application/json: the media type is gone",
    ),
    "a problem code": (
        lambda d: examples(post(d, DRAW), "409").pop("not_your_turn"),
        f"POST {DRAW} 409 not_your_turn: the problem code is gone",
    ),
    "a field of an answer": (
        lambda d: fields(d, "Seat").pop("stack"),
        "POST /v1/tables 201.seats[].stack: the field is gone",
    ),
    "a field that may be missing": (
        lambda d: schema(d, "Seat")["required"].remove("stack"),
        "POST /v1/tables 201.seats[].stack: it may be missing now",
    ),
    "the type of an answer's field": (
        lambda d: fields(d, "Seat")["stack"].update(type="number"),
        "POST /v1/tables 201.seats[].stack: number comes now",
    ),
    "null in an answer": (
        lambda d: fields(d, "Seat")["player"].update(
            {"anyOf": [{"$ref": "#/components/schemas/Player"}, {"type": "null"}], "$ref": None}
        ),
        "POST /v1/tables 201.seats[].player: null comes now",
    ),
    "how cards are written": (
        lambda d: fields(d, "Own")["hand"]["items"].update(pattern="^.+ of .+$"),
        "POST /v1/tables 201.you.hand[]: pattern was or is another one",
    ),
}
"""What must not happen to a promised document, and one thing that is said of it."""


def named(operation: Json, name: str) -> Json:
    """A parameter by its name."""
    return next(one for one in operation["parameters"] if one["name"] == name)


def examples(operation: Json, status: str) -> Json:
    """The problems of an answer, by code."""
    found: Json = operation["responses"][status]["content"][PROBLEM]["examples"]
    return found


@pytest.mark.parametrize("what", NARROWER)
def test_found(what: str, released: Json) -> None:
    """Whatever callers rely on and is gone, or is narrower, is found and named."""
    edit, expected = NARROWER[what]
    edited = without_null_refs(edited_by(edit, released))

    assert expected in narrowings(released, edited)


def edited_by(edit: Edit, released: Json) -> Json:
    """A copy of the document after an edit."""
    document = copy.deepcopy(released)
    edit(document)
    return document


def without_null_refs(document: Json) -> Json:
    """The document without references that an edit has set to null."""

    def kept(pairs: list[tuple[str, object]]) -> Json:
        return {key: said for key, said in pairs if key != "$ref" or said is not None}

    edited: Json = json.loads(json.dumps(document), object_pairs_hook=kept)
    return edited


ADDED: dict[str, Edit] = {
    "an operation": lambda d: d["paths"].update({"/v1/new": d["paths"]["/v1/rules"]}),
    "a parameter": lambda d: get(d, "/v1/rules").update(parameters=[TOKEN | {"required": False}]),
    "a field of a request": lambda d: fields(d, "NewTable").update(new={"type": "string"}),
    "a value of a request": lambda d: fields(d, "DrawIn")["from"]["enum"].append("new"),
    "a wider bound": lambda d: fields(d, "NewTable")["seats"].update(maximum=9),
    "null in a request": lambda d: fields(d, "DrawIn")["from"].update(
        type=["string", "null"], enum=["stock", "discard", None]
    ),
    "a field of an answer": lambda d: fields(d, "Seat").update(new={"type": "string"}),
    "a value of an answer": lambda d: fields(d, "Table")["status"]["enum"].append("new"),
    "a problem code": lambda d: examples(post(d, DRAW), "409").update(new={"value": {}}),
    "an answer": lambda d: post(d, DRAW)["responses"].update({"418": {"description": "New."}}),
    "a word": lambda d: schema(d, "Table").update(description="New words."),
    "no null any more": lambda d: fields(d, "Own")["drawn"].update(type="string"),
    "the same otherwise": lambda d: fields(d, "Seat").update(
        shown={"anyOf": [{"type": "null"}, fields(d, "Seat")["shown"] | {"type": "array"}]}
    ),
}
"""What may happen to a promised document."""


@pytest.mark.parametrize("what", ADDED)
def test_not_found(what: str, released: Json) -> None:
    """What is added, or said otherwise, is nothing to complain of."""
    assert [] == narrowings(released, edited_by(ADDED[what], released))


def test_closed(released: Json) -> None:
    """A request that took any fields and takes no others than it names now is found."""
    leave = "POST /v1/tables/{table_id}/leave request"
    was_open = edited_by(lambda d: schema(d, "NothingIn").pop("additionalProperties"), released)

    assert f"{leave}: further fields are refused now" in narrowings(was_open, released)
    assert [] == narrowings(released, was_open)


EVENT = {"type": "object", "properties": {"type": {"const": "cut"}, "seat": {"type": "integer"}}}
OTHER = {"type": "object", "properties": {"type": {"const": "folded"}}}


def telling(*events: Json) -> Json:
    """A document with one webhook, which tells of events."""
    content = {"application/json": {"schema": {"oneOf": list(events)}}}
    told = {"operationId": "tell", "requestBody": {"content": content}}
    return {"paths": {}, "webhooks": {"told": {"post": told}}}


def test_events() -> None:
    """A type of event may come, but not go, and keeps its fields, in webhooks as anywhere."""
    gone = "POST told: the type folded is gone"
    assert [] == narrowings(telling(EVENT), telling(EVENT, OTHER))
    assert [gone] == narrowings(telling(EVENT, OTHER), telling(EVENT))

    bare = {"type": "object", "properties": {"type": {"const": "cut"}}}
    assert ["POST told.seat: the field is gone"] == narrowings(telling(EVENT), telling(bare))
    assert ["POST told: it is gone"] == narrowings(telling(EVENT), {"paths": {}})


def test_the_present_document_keeps_what_is_released() -> None:
    """The command finds nothing in the committed document, and says what it finds in another."""
    command = [sys.executable, "-m", "tests.document.narrowing"]
    fine = subprocess.run([*command, RELEASED, PRESENT], cwd=ROOT, check=False, capture_output=True)
    assert (0, b"") == (fine.returncode, fine.stderr)

    back = subprocess.run([*command, PRESENT, RELEASED], cwd=ROOT, check=False, capture_output=True)
    assert 1 == back.returncode
    assert b"POST /v1/quick-match: it is gone\n" in back.stdout
