"""Answers judged by the OpenAPI document that the service itself serves."""

import copy
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from service.api.problems import PROBLEMS

Json = dict[str, Any]

PROBLEM_JSON = "application/problem+json"
EVENTS = {"/v1/tables/{table_id}/events": "KnownEvent", "/v1/me/events": "KnownAccountEvent"}
"""Where events are listed, and the schema of all types that are known."""

METHODS = ("get", "put", "post", "delete", "patch")


@dataclass(frozen=True)
class Answer:
    """An answer as it came; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    raw: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.raw.decode()

    @property
    def json(self) -> Any:
        """The body read as JSON."""
        return json.loads(self.raw)

    @property
    def media_type(self) -> str:
        """The content type without its parameters."""
        return self.headers.get("content-type", "").partition(";")[0]


class Contract:
    """What a document promises.

    Schemas of answers are closed here: a field that the document does not name is a fault, though
    clients are told to pass over it.
    """

    def __init__(self, document: Json) -> None:
        self.document = document
        self._components = {"schemas": _closed(document["components"]["schemas"])}
        self._templates = {
            template: re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(template)))
            for template in document["paths"]
        }
        self._validator = cache(self._validator_of)
        self._validator_named = cache(self._validator_named_of)

    def check(self, method: str, path: str, answer: Answer) -> None:
        """Fail unless the document has this answer to this request."""
        told = f"{method} {path[:80]} {answer.status} {answer.text[:500]}"
        template = self.template(path.partition("?")[0])
        operation = self.document["paths"].get(template, {}).get(method.lower())
        if answer.status >= 400:
            self._check_problem(answer, told)
        if operation is None:
            return
        promised = operation["responses"].get(str(answer.status))
        assert promised is not None, f"an undocumented status: {told}"
        if "content" not in promised:
            assert answer.raw == b"", f"an undocumented body: {told}"
            return
        assert answer.media_type in promised["content"], f"an undocumented type: {told}"
        self._check_body(template, method.lower(), answer, told)
        if template in EVENTS and answer.status == 200:
            for event in answer.json["items"]:
                self._valid(EVENTS[template], event, told)
        if answer.status >= 400:
            documented = promised["content"][PROBLEM_JSON]["examples"]
            assert answer.json["code"] in documented, f"an undocumented code: {told}"

    def _check_problem(self, answer: Answer, told: str) -> None:
        assert PROBLEM_JSON == answer.media_type, told
        said = answer.json
        assert answer.status == said["status"] == PROBLEMS[said["code"]].status, told
        assert f"/problems/{said['code']}" == said["type"], told
        self._valid("Problem", said, told)

    def _check_body(self, template: str, method: str, answer: Answer, told: str) -> None:
        validator = self._validator(template, method, str(answer.status), answer.media_type)
        faults = [f"{fault.instance_path}: {fault.message}" for fault in validator(answer.json)]
        assert not faults, (told, faults)

    def _validator_of(self, template: str, method: str, status: str, media: str) -> Any:
        promised = self.document["paths"][template][method]["responses"][status]
        return self.validator(promised["content"][media]["schema"])

    def validator(self, schema: Json) -> Any:
        """What gives the faults of a body by a schema of the document."""
        whole = {**schema, "components": self._components}
        return Draft202012Validator(whole, validate_formats=True).iter_errors

    def _validator_named_of(self, name: str) -> Any:
        return self.validator({"$ref": f"#/components/schemas/{name}"})

    def _valid(self, name: str, body: Any, told: str) -> None:
        faults = [fault.message for fault in self._validator_named(name)(body)]
        assert not faults, (told, faults)

    def template(self, path: str) -> str:
        """The path of the document that a request's path is one of; empty if there is none."""
        if path in self._templates:
            return path
        found = (name for name, form in self._templates.items() if form.fullmatch(path))
        return next(found, "")


def operations(document: Json) -> dict[str, Json]:
    """Every operation of a document by its id."""
    return {
        operation["operationId"]: operation | {"path": path, "method": method}
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    }


def takes_token(operation: Json) -> bool:
    """Whether an operation needs a token."""
    return bool(operation["security"]) and {} not in operation["security"]


def _closed(schemas: Json) -> Json:
    """The schemas, with no field but those they name."""
    schemas = copy.deepcopy(schemas)
    for schema in schemas.values():
        if schema.get("type") == "object" and "properties" in schema:
            schema["additionalProperties"] = False
    return schemas
