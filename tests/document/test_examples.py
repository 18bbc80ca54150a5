"""The document's examples are what the service has really been asked and has answered."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.api.examples import FILE
from service.api.problems import PROBLEMS
from service.api.streams import NDJSON, SSE
from tests.api.contract import PROBLEM_JSON, Contract, Json, operations
from tests.document.recording import record
from tests.document.test_narrowing import PRESENT

HARD_TO_MEET = {
    "discard_breaks_combination",
    "hand_hidden",
    "in_progress",
    "internal",
    "pile_empty",
    "rate_limited",
    "unavailable",
}
"""Problems whose example is made of their title: the story does not meet them."""


@pytest.fixture(scope="module")
def document() -> Json:
    """The committed document."""
    document: Json = json.loads(PRESENT.read_text())
    return document


def test_recorded_anew() -> None:
    """The game played again gives the very examples that are committed (`make openapi`)."""
    assert json.loads(Path(FILE).read_text()) == record()


def test_all_have_one(document: Json) -> None:
    """Every request with a body that has to be there, every answer and every webhook has one."""
    without = []
    for name, operation in operations(document).items():
        body = operation.get("requestBody", {})
        bodies = {"request": body if body.get("required") else {}}
        bodies |= {s: answer for s, answer in operation["responses"].items() if s < "4"}
        for place, one in bodies.items():
            for media, said in one.get("content", {}).items():
                without += [] if "example" in said else [(name, place, media)]
    assert [] == without
    for webhook in document["webhooks"].values():
        assert "example" in webhook["post"]["requestBody"]["content"]["application/json"]


def test_problems_are_real(document: Json) -> None:
    """The example of a problem says what a caller could really read, but for a few."""
    titles = {f"{kind.title}." for kind in PROBLEMS.values()}
    answers = [one for it in operations(document).values() for one in it["responses"].values()]
    problems = [one["content"].get(PROBLEM_JSON, {}) for one in answers if "content" in one]
    made = {
        code
        for one in problems
        for code, shown in one.get("examples", {}).items()
        if shown["value"]["detail"] in titles
    }
    assert HARD_TO_MEET == made


def test_events_fit(document: Json) -> None:
    """Events in streams, and what is sent to webhooks, are as the document has them by type."""
    contract = Contract(document)
    for name, union in (("listEvents", "KnownEvent"), ("listMyEvents", "KnownAccountEvent")):
        content = operations(document)[name]["responses"]["200"]["content"]
        known = contract.validator({"$ref": f"#/components/schemas/{union}"})
        lines = content[NDJSON]["example"].splitlines()
        lines += [line[6:] for line in content[SSE]["example"].splitlines() if line[:6] == "data: "]
        events = [*content["application/json"]["example"]["items"], *map(json.loads, lines)]
        assert [] == [fault.message for event in events for fault in known(event)]
        assert len(lines) == 6
    for webhook in document["webhooks"].values():
        said = webhook["post"]["requestBody"]["content"]["application/json"]
        assert [] == [
            fault.message for fault in contract.validator(said["schema"])(said["example"])
        ]


def test_answers_are_open(document: Json) -> None:
    """No schema of an answer is closed: clients have to pass over what they don't know."""
    closed = {
        name
        for name, schema in document["components"]["schemas"].items()
        if schema.get("additionalProperties") is False
    }
    asked = {name for one in operations(document).values() for name in names_in(one, document)}

    assert {"NewPlayer", "NewTable", "HouseRulesIn", "QuickMatch", "HandIn"} <= closed
    assert closed <= asked


def names_in(operation: Json, document: Json) -> Iterator[str]:
    """The names of the schemas that the body of a request is made of."""
    left = [operation.get("requestBody")]
    while left:
        match left.pop():
            case {"$ref": str(ref)}:
                name = ref.rpartition("/")[2]
                yield name
                left.append(document["components"]["schemas"][name])
            case dict() as part:
                left += part.values()
            case list() as parts:
                left += parts
