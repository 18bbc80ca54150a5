"""Whether what one schema lets through fits another one."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

Json = dict[str, Any]

LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
WORDS = ("pattern", "format", "const", "multipleOf", "contentMediaType")
"""What has to be the same, where whoever takes a value asks for it."""


class Schemas:
    """The schemas of a document.

    Args:
        document: with the components that references lead to.
    """

    def __init__(self, document: Json) -> None:
        self._document = document

    def resolved(self, part: Json) -> Json:
        """A part of the document itself, where a reference to it is given."""
        while "$ref" in part:
            found: Any = self._document
            for step in part["$ref"].removeprefix("#/").split("/"):
                found = found[step]
            part = {**found, **{key: said for key, said in part.items() if key != "$ref"}}
        return part

    def alternatives(self, schema: Json) -> Iterator[Json]:
        """The schemas with one type each, or with none, that together say what this one says."""
        schema = self.resolved(schema)
        for key in ("anyOf", "oneOf"):
            if key in schema:
                rest = {name: said for name, said in schema.items() if name not in (key, "type")}
                for one in schema[key]:
                    yield from self.alternatives({**rest, **self.resolved(one)})
                return
        if "allOf" in schema:
            rest = {name: said for name, said in schema.items() if name != "allOf"}
            yield from self.alternatives(_merged([*map(self.resolved, schema["allOf"]), rest]))
        elif isinstance(schema.get("type"), list):
            yield from (_of_type(schema, kind) for kind in schema["type"])
        else:
            yield schema


def _merged(parts: list[Json]) -> Json:
    whole = {name: said for part in parts for name, said in part.items()}
    properties = [part["properties"] for part in parts if "properties" in part]
    if properties:
        whole["properties"] = {name: said for some in properties for name, said in some.items()}
        whole["required"] = [name for part in parts for name in part.get("required", ())]
    return whole


def _of_type(schema: Json, kind: str) -> Json:
    alone = {**schema, "type": kind}
    if "enum" in schema:
        alone["enum"] = [value for value in schema["enum"] if (value is None) == (kind == "null")]
    return alone


@dataclass(frozen=True)
class Fit:
    """Whether what is given fits those who take it.

    Callers give requests to the service, and the service gives answers to callers.  Either way the
    old document is the promise: all that it names has to be there still.

    Args:
        old: the schemas that were promised.
        new: the schemas as they are.
        to_callers: whether the service gives, rather than takes.
        seen: the pairs of references that were compared.
    """

    old: Schemas
    new: Schemas
    to_callers: bool
    seen: set[tuple[str, str]] = field(default_factory=set)

    def misfits(self, where: str, old: Json, new: Json) -> Iterator[str]:
        """All that was promised and does not hold any more: where it is, and what it is."""
        if "$ref" in old and "$ref" in new:
            pair = (old["$ref"], new["$ref"])
            if pair in self.seen:
                return
            self.seen.add(pair)
        olds = list(self.old.alternatives(old))
        news = list(self.new.alternatives(new))
        given, taken = (news, olds) if self.to_callers else (olds, news)
        for one in given:
            yield from self._misfits_of(where, one, taken)
        for gone in sorted(_kinds(olds) - _kinds(news)):
            yield f"{where}: the type {gone} is gone"

    def _misfits_of(self, where: str, given: Json, taken: list[Json]) -> Iterator[str]:
        """One alternative has to fit one of those that are taken."""
        alike = [one for one in taken if _alike(given, one)]
        if len(alike) == 1:
            yield from self._compare(where, given, alike[0])
        elif self.to_callers and _kind(given) and _kind(given) not in _kinds(taken):
            return  # Callers pass over a type of event that they don't know.
        elif not any(self._fits(given, one) for one in alike):
            said = "comes now" if self.to_callers else "is taken no more"
            yield f"{where}: {given.get('type', 'anything')} {said}"

    def _fits(self, given: Json, taken: Json) -> bool:
        trial = replace(self, seen=set(self.seen))
        return not any(trial._compare("", given, taken))

    def _compare(self, where: str, given: Json, taken: Json) -> Iterator[str]:
        """Two alternatives of the same type."""
        yield from (f"{where}: {said}" for said in _misfits(given, taken, self.to_callers))
        old, new = (taken, given) if self.to_callers else (given, taken)
        new_fields = new.get("properties", {})
        for name, promised in old.get("properties", {}).items():
            if name in new_fields:
                yield from self.misfits(f"{where}.{name}", promised, new_fields[name])
            else:
                yield f"{where}.{name}: the field is gone"
        for name in sorted({*taken.get("required", ())} - {*given.get("required", ())}):
            yield f"{where}.{name}: it {'may be missing' if self.to_callers else 'is required'} now"
        for key, mark in (("items", "[]"), ("contentSchema", "()"), ("additionalProperties", ".*")):
            if isinstance(old.get(key), dict) and isinstance(new.get(key), dict):
                yield from self.misfits(where + mark, old[key], new[key])


def _misfits(given: Json, taken: Json, to_callers: bool) -> Iterator[str]:
    """What two alternatives say of values that does not agree."""
    for key in WORDS:
        if key in taken and taken[key] != given.get(key):
            yield f"{key} was or is another one"
    if to_callers:
        return  # That an answer may have further values and greater numbers is allowed for.
    yield from _beyond(given, taken)
    if "enum" in taken and not set(given.get("enum", [object()])) <= set(taken["enum"]):
        yield "a value of enum is gone"
    if taken.get("uniqueItems") and not given.get("uniqueItems"):
        yield "uniqueItems is new"
    if taken.get("additionalProperties") is False and "additionalProperties" not in given:
        yield "further fields are refused now"


def _beyond(given: Json, taken: Json) -> Iterator[str]:
    """The bounds that are narrower for those who take."""
    for key in LOWER:
        if key in taken and taken[key] > given.get(key, -math.inf):
            yield f"{key} is greater"
    for key in UPPER:
        if key in taken and taken[key] < given.get(key, math.inf):
            yield f"{key} is smaller"


def _alike(given: Json, taken: Json) -> bool:
    """Whether one may fit the other by its type, and by the kind of event that it is."""
    if "type" not in taken:
        return True
    whole = (given.get("type"), taken["type"]) == ("integer", "number")
    return (whole or given.get("type") == taken["type"]) and _kind(given) == _kind(taken)


def _kind(schema: Json) -> str | None:
    """What an alternative says that `type` is in its values, if anything."""
    kind = schema.get("properties", {}).get("type", {}).get("const")
    return None if kind is None else str(kind)


def _kinds(schemas: list[Json]) -> set[str]:
    return {kind for kind in map(_kind, schemas) if kind}
