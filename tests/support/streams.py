"""Clients of event streams: they read Server-Sent Events or lines of JSON, and may be cut off."""

import json
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

from tests.support.client import Client

Json = dict[str, Any]

SSE, NDJSON = "text/event-stream", "application/x-ndjson"


class EventStream:
    """An open stream.

    Args:
        client: whose stream it is.
        path: what it follows, under /v1.
        form: the media type to ask for.
        last: the id of the last event that the client has, if any.
    """

    def __init__(self, client: Client, path: str, form: str = SSE, last: Any = None) -> None:
        headers = {"Accept": form} | ({} if last is None else {"Last-Event-ID": str(last)})
        self.answer = client.get(path, headers=headers, stream=True, timeout=30)
        self._lines = self._read()
        self._form = form

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        self.answer.close()

    def __iter__(self) -> Iterator[Json]:
        return self._sse() if self._form == SSE else self._ndjson()

    def take(self, most: int) -> list[Json]:
        """The next events, so many of them, or fewer where it ends."""
        return [event for _, event in zip(range(most), self, strict=False)]

    def _read(self) -> Iterator[bytes]:
        """The lines as they come."""
        begun = b""
        for chunk in self.answer.iter_content(None):
            *lines, begun = (begun + chunk).split(b"\n")
            yield from lines

    def sign_of_life(self) -> bytes:
        """The next line that only says that it lives."""
        sign = b":" if self._form == SSE else b""
        return next(line for line in self._lines if line == sign)

    def _ndjson(self) -> Iterator[Json]:
        for line in self._lines:
            if line:
                yield json.loads(line)

    def _sse(self) -> Iterator[Json]:
        """Events by the HTML standard's rules: fields in lines, an empty line after each event."""
        fields: dict[str, str] = {}
        for line in self._lines:
            name, _, value = line.decode().partition(":")
            if name:
                fields[name] = value.removeprefix(" ")
            elif not line and "data" in fields:
                event = json.loads(fields["data"])
                assert (str(event["id"]), event["type"]) == (fields["id"], fields["event"])
                yield event
                fields = {}


def pages(client: Client, path: str, after: Any) -> Iterator[Json]:
    """The events after one, page by page, for as long as there are any."""
    while True:
        query = {"wait": 5} | ({} if after is None else {"after": after})
        answer = client.get(path, params=query)
        assert answer.status_code == 200, answer.text
        items = answer.json()["items"]
        yield from items
        if not items:
            return
        after = items[-1]["id"]
