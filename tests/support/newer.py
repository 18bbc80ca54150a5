"""A service of a later release: its answers have fields and events that nobody knows yet."""

import contextlib
import json
from collections.abc import Iterator
from typing import Any

from tests.support.front import Ask, Reply, before, passed_on

NEW: dict[str, Any] = {
    "a_new_field": {"deep": [{"deeper": None}]},
    "anotherNewField": ["text", 1, 2.5, True, None],
}
NEW_EVENT = {
    "id": 0,
    "type": "something_new",
    "at": "2026-01-31T18:00:00.250Z",
    "table": "01M5W0N3S84E9WQ2J5R7K1X6ZC",
    "data": {},
}


@contextlib.contextmanager
def newer(url: str) -> Iterator[str]:
    """The address of a proxy that makes a service look newer than it is."""

    def answer(_: str, ask: Ask) -> Reply:
        reply = passed_on(ask())
        if "json" not in reply.headers.get("Content-Type", ""):
            return reply
        return reply._replace(body=json.dumps(grown(json.loads(reply.body))).encode())

    with before(url, answer) as front:
        yield front


def grown(said: Any) -> Any:
    """An answer with new fields in each of its objects, and with a new event among others."""
    match said:
        case list():
            events = said and isinstance(said[0], dict) and NEW_EVENT.keys() <= said[0].keys()
            return [*map(grown, said), *([grown(NEW_EVENT)] if events else [])]
        case dict():
            return NEW | {name: grown(value) for name, value in said.items()}
        case _:
            return said
