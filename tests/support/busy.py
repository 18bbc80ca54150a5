"""A service that takes few requests: those at a table are put off once, and answered then."""

import contextlib
from collections.abc import Iterator

from tests.support.front import Ask, Reply, before, passed_on


@contextlib.contextmanager
def busy(url: str) -> Iterator[tuple[str, list[str]]]:
    """The address of a proxy before a service, and the requests that it has put off."""
    put_off: list[str] = []
    waiting: set[str] = set()

    def answer(asked: str, ask: Ask) -> Reply:
        if "/v1/tables/" in asked and asked not in waiting:
            waiting.add(asked)
            put_off.append(asked)
            return Reply(429, b"{}", {"Retry-After": "0"})
        waiting.discard(asked)
        return passed_on(ask())

    with before(url, answer) as front:
        yield front, put_off
