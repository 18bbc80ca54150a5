"""Streams over HTTP: Server-Sent Events, or a line of JSON for each event (NDJSON).

A stream holds a place of its process, and one of its token, until its connection is closed.
"""

import secrets
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from itertools import chain
from typing import Any, Literal

import msgspec
from flask import Response, g, request

from service import drain
from service.api import auth, examples, limits
from service.api.credentials import InvalidToken
from service.api.event_schemas import ref
from service.engine.errors import PaiuteError
from service.game import Game
from service.store.base import Unavailable
from service.streams import KEEP_ALIVE_SECONDS, Batch, Follower
from service.tables.views import Json

SSE, NDJSON, JSON = "text/event-stream", "application/x-ndjson", "application/json"

Follow = Callable[[Follower], Iterator[Batch]]

HEADERS = {
    "Cache-Control": "no-store",
    "Vary": "Authorization, Accept",
    "X-Accel-Buffering": "no",  # Has nginx pass each event on at once.
}

DEAF_SECONDS = 20
"""How long a client may take over what it is sent, before its place goes to others."""

RECONNECT = b"retry: 1000\n\n"
"""After so many milliseconds a browser connects again."""

_encode = msgspec.json.Encoder().encode


def described(operation: str, events: str) -> dict[str, Any]:
    """What an operation that may answer with a stream has in the document.

    Args:
        operation: its id.
        events: the schema of all that may come.
    """
    text = {"type": "string", "contentMediaType": JSON, "contentSchema": ref(events)}
    sse = text | {"description": "Server-Sent Events: an event is in each `data`."}
    ndjson = text | {"description": "An event in each line; empty lines are signs of life."}
    return {
        "200": {
            "content": {
                form: {"schema": schema, **examples.of_stream(operation, form)}
                for form, schema in ((SSE, sse), (NDJSON, ndjson))
            }
        },
        "204": {"description": "There is nothing to follow any more: the table is closed."},
    }


class TooManyStreams(PaiuteError):
    """The token has as many streams open as it may have."""

    code = "rate_limited"

    def __init__(self, most: int) -> None:
        super().__init__(
            "Your token has {most} streams open, as many as it may have. Close one first; one "
            "whose connection was lost counts for 20 seconds more.",
            most=most,
            limit="streams",
        )


def wanted() -> Literal["text/event-stream", "application/x-ndjson", "application/json"]:
    """The form in which the caller wants events, by Accept; JSON, if it does not matter."""
    return request.accept_mimetypes.best_match([JSON, SSE, NDJSON], JSON)  # type: ignore[return-value]


def stream(follow: Follow, player: str | None, name: str) -> Response:
    """Answer with a stream of events, in the form that the caller wants.

    Args:
        follow: gives the events.
        player: the id of the player who follows them, if any.
        name: the table or the player that it follows.

    Raises:
        TooManyStreams: the token has as many open as it may have.
        Unavailable: the process has as many open as it may have.
        PaiuteError: whatever `follow` refuses at the beginning.
    """
    with ExitStack() as held:
        place = _Place()
        place.take()
        held.callback(place.free)
        names = (name, place.permit.woken_by)
        watch = held.enter_context(g.game.store.watches.watching("stream", *names))
        if watch is None:
            raise Unavailable("As many streams are open here as can be; try again in a moment.")
        until = time.monotonic() + place.permit.seconds_left
        codes_of = auth.inviter_id()
        events = follow(Follower(g.game, player, watch, place.goes_on, until, codes_of))
        held.callback(events.close)  # type: ignore[attr-defined]
        try:
            first = next(events)
        except StopIteration:
            nothing = Response(status=204, headers=HEADERS)
            del nothing.headers["Content-Type"]
            return nothing
        _let_go_of_the_deaf()
        form = wanted()
        response = Response(_written(form, first, events), mimetype=form, headers=HEADERS)
        response.call_on_close(held.pop_all().close)
        return response


def _let_go_of_the_deaf() -> None:
    """Have the connection end where a client does not take what it is sent."""
    connection: socket.socket | None = request.environ.get("gunicorn.socket")
    if connection is not None:
        connection.settimeout(DEAF_SECONDS)


class _Place:
    """A place among the streams of a token; without a token, among those of an address."""

    def __init__(self) -> None:
        self.permit = auth.permit()
        self._holder = f"streams:{g.token.id if g.token else limits.address()}"
        self._id = secrets.token_hex(8)
        self._game: Game = g.game
        self._most: int = g.config.streams_per_token
        self._renew_at = 0.0

    def take(self) -> None:
        """Take the place.

        Raises:
            TooManyStreams: the token has as many as it may have.
        """
        with suppress(Unavailable):
            if not self._hold():
                raise TooManyStreams(self._most)

    def _hold(self) -> bool:
        self._renew_at = time.monotonic() + KEEP_ALIVE_SECONDS / 2
        leases = self._game.store.leases
        return not self._most or leases.hold(self._holder, self._id, self._game.now(), self._most)

    def goes_on(self, woken_by: frozenset[str]) -> bool:
        """Whether the stream goes on; as long as it does, its place is held."""
        try:
            self.permit.check(woken_by)
        except InvalidToken:
            return False
        if drain.begun():
            return False
        if time.monotonic() >= self._renew_at:
            with suppress(Unavailable):
                self._hold()
        return True

    def free(self) -> None:
        """Let the place go."""
        with suppress(Unavailable):
            self._game.store.leases.free(self._holder, self._id)


def _written(form: str, first: Batch, rest: Iterator[Batch]) -> Iterator[bytes]:
    """What goes over the wire, a batch at a time."""
    write, sign_of_life = (_sse, b":\n\n") if form == SSE else (_ndjson, b"\n")
    if form == SSE:
        yield RECONNECT
    for batch in chain([first], rest):
        yield b"".join(map(write, batch)) or sign_of_life


def _sse(event: Json) -> bytes:
    """An event by the HTML standard ("Server-sent events")."""
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (
        str(event["id"]).encode(),
        event["type"].encode(),
        _encode(event),
    )


def _ndjson(event: Json) -> bytes:
    """An event in a line of its own."""
    return _encode(event) + b"\n"
