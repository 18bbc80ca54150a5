"""What one document promised and another one does not keep: `make openapi-diff`.

Clients that were made from the older document go on working with the newer one, as long as nothing
is found: operations, parameters, fields and problem codes are added, never taken away, requests are
taken as before, and answers have all that they had.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.document.schemas import Fit, Json, Schemas

PROBLEM_JSON = "application/problem+json"
METHODS = ("get", "put", "post", "delete", "patch")


def narrowings(old: Json, new: Json) -> list[str]:
    """All that the older document has and the newer one has not, or has narrower."""
    return list(Comparison(old, new).findings())


class Comparison:
    """An older document and a newer one."""

    def __init__(self, old: Json, new: Json) -> None:
        self._old, self._new = old, new
        schemas = (Schemas(old), Schemas(new))
        self._requests = Fit(*schemas, to_callers=False)
        self._answers = Fit(*schemas, to_callers=True)

    def findings(self) -> Iterator[str]:
        """What the newer document does not keep."""
        for section in ("paths", "webhooks"):
            now = dict(_operations(self._new, section))
            for name, operation in _operations(self._old, section):
                if name not in now:
                    yield f"{name}: it is gone"
                elif section == "paths":
                    yield from self._of_operation(name, operation, now[name])
                else:
                    yield from self._of_webhook(name, operation, now[name])

    def _of_operation(self, name: str, old: Json, new: Json) -> Iterator[str]:
        if old["operationId"] != new["operationId"]:
            yield f"{name}: it has another operationId"
        if not _takes_token(old) and _takes_token(new):
            yield f"{name}: it takes a token now"
        yield from self._of_parameters(name, old, new, self._requests)
        yield from self._of_body(f"{name} request", old.get("requestBody"), new.get("requestBody"))
        for status, was in old["responses"].items():
            if status in new["responses"]:
                yield from self._of_answer(f"{name} {status}", was, new["responses"][status])
            else:
                yield f"{name} {status}: the answer is gone"

    def _of_webhook(self, name: str, old: Json, new: Json) -> Iterator[str]:
        """What the service sends of its own accord is judged as answers are."""
        yield from self._of_parameters(name, old, new, self._answers)
        yield from self._of_contents(name, old["requestBody"], new["requestBody"], self._answers)

    def _of_parameters(self, name: str, old: Json, new: Json, fit: Fit) -> Iterator[str]:
        known, named = _parameters(old), _parameters(new)
        for place, one in known.items():
            if place in named:
                now = named[place]["schema"]
                yield from fit.misfits(f"{name} {place}", one["schema"], now)
            else:
                yield f"{name} {place}: the parameter is gone"
        if not fit.to_callers:
            for place in sorted(_required(named) - _required(known)):
                yield f"{name} {place}: it is required now"

    def _of_body(self, name: str, old: Json | None, new: Json | None) -> Iterator[str]:
        if new and new.get("required") and not (old or {}).get("required"):
            yield f"{name}: a body is required now"
        if old and not new:
            yield f"{name}: it takes no body any more"
        elif old and new:
            yield from self._of_contents(name, old, new, self._requests)

    def _of_answer(self, name: str, old: Json, new: Json) -> Iterator[str]:
        for header in sorted(old.get("headers", {}).keys() - new.get("headers", {}).keys()):
            yield f"{name} {header}: the header is gone"
        yield from self._of_contents(name, old, new, self._answers)

    def _of_contents(self, name: str, old: Json, new: Json, fit: Fit) -> Iterator[str]:
        for media, was in old.get("content", {}).items():
            now = new.get("content", {}).get(media)
            if now is None:
                yield f"{name} {media}: the media type is gone"
                continue
            yield from fit.misfits(name, was["schema"], now["schema"])
            if media == PROBLEM_JSON:
                for code in sorted(was["examples"].keys() - now["examples"].keys()):
                    yield f"{name} {code}: the problem code is gone"


def _operations(document: Json, section: str) -> Iterator[tuple[str, Json]]:
    """The operations of a part of a document, each with the parameters of its path."""
    for path, item in document.get(section, {}).items():
        shared = item.get("parameters", [])
        for method in METHODS:
            if method in item:
                own = item[method].get("parameters", [])
                yield f"{method.upper()} {path}", {**item[method], "parameters": shared + own}


def _takes_token(operation: Json) -> bool:
    security = operation.get("security", [])
    return bool(security) and {} not in security


def _parameters(operation: Json) -> dict[str, Json]:
    return {f"{one['in']} {one['name']}": one for one in operation["parameters"]}


def _required(parameters: dict[str, Json]) -> set[str]:
    return {place for place, one in parameters.items() if one.get("required")}


if __name__ == "__main__":
    old_path, new_path = sys.argv[1:]
    found = narrowings(*(json.loads(Path(path).read_text()) for path in (old_path, new_path)))
    for finding in found:
        print(finding)
    print(f"{len(found)} findings: {new_path} against {old_path}")
    sys.exit(1 if found else 0)
