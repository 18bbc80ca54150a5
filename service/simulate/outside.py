"""A bot that is asked over HTTP: it is sent what the API would show it, and answers with a move.

That is less than the house's bots are given here: of the discard pile only the top, and nothing of
what happens between its own turns, which at a real table it would hear (docs/bots.md).
"""

from time import monotonic
from typing import Any

import msgspec
import urllib3
from urllib3.exceptions import (
    HTTPError,
    NewConnectionError,
    ProtocolError,
    SSLError,
    TimeoutError,  # noqa: A004 - it is no other one that is meant here
)

from service.engine import cards
from service.engine.commands import Call, Command, Discard, Draw, Source
from service.engine.errors import NotACard

Json = dict[str, Any]

LARGEST = 1 << 16
"""Bytes of an answer at most; a move takes a few dozen."""

PIECE = 1 << 12
"""Bytes that are read of it at a time."""

CONNECTIONS = 1
"""Kept alive by each process, which asks for one move at a time."""


class _Draw(msgspec.Struct, tag_field="action", tag="draw"):
    source: Source = msgspec.field(name="from")


class _Discard(msgspec.Struct, tag_field="action", tag="discard"):
    card: str


class _Call(msgspec.Struct, tag_field="action", tag="call"):
    discard: str | None = None


_answer = msgspec.json.Decoder(_Draw | _Discard | _Call)


LATE = "no whole answer in time"


class BadAnswer(Exception):
    """The bot's answer is no move."""


class LateAnswer(Exception):
    """The bot's answer did not come in time."""


class Gone(Exception):
    """Nobody answers there."""


class Outside:
    """An outside bot.

    Args:
        url: where views are sent, with POST.
        seconds: how long an answer may take, from the question to its last byte.
    """

    fault = ""
    """What was wrong with the last answer that was no move."""

    def __init__(self, url: str, seconds: float) -> None:
        self._url = url
        self._seconds = seconds
        self._pool = urllib3.PoolManager(maxsize=CONNECTIONS, retries=False)

    def move(self, view: Json) -> Command:
        """The bot's move at a table of which it is shown this view.

        Raises:
            BadAnswer: its answer is no move.
            LateAnswer: it took too long.
            Gone: there was no connection.
        """
        try:
            return self._move(view)
        except (BadAnswer, LateAnswer) as error:
            self.fault = str(error)
            raise

    def _move(self, view: Json) -> Command:
        answer = self._ask(msgspec.json.encode(view), monotonic() + self._seconds)
        try:
            return _command(_answer.decode(answer))
        except (msgspec.DecodeError, NotACard, RecursionError) as error:
            raise BadAnswer(str(error)) from error

    def _ask(self, body: bytes, deadline: float) -> bytes:
        try:
            answer = self._post(body, deadline)
            try:
                return _read(answer, deadline)
            except BaseException:
                answer.close()  # What is still to come on this connection is of no use.
                raise
        except (NewConnectionError, SSLError) as error:
            raise Gone(f"{self._url} does not answer: {error}") from error
        except TimeoutError as error:
            raise LateAnswer(LATE) from error
        except HTTPError as error:
            raise BadAnswer(str(error)) from error

    def _post(self, body: bytes, deadline: float) -> urllib3.BaseHTTPResponse:
        try:
            return self._once(body, deadline)
        except ProtocolError:
            # It had closed a connection that was kept alive: once more, on a new one.
            return self._once(body, deadline)

    def _once(self, body: bytes, deadline: float) -> urllib3.BaseHTTPResponse:
        left = deadline - monotonic()
        if left <= 0:
            raise LateAnswer(LATE)
        return self._pool.request(
            "POST",
            self._url,
            body=body,
            headers={"Content-Type": "application/json"},
            timeout=urllib3.Timeout(total=left),
            preload_content=False,
        )


def _read(answer: urllib3.BaseHTTPResponse, deadline: float) -> bytes:
    """The body of an answer, however slowly it comes, as long as it comes in time."""
    body = b""
    while len(body) <= LARGEST and (piece := answer.read1(PIECE)):
        body += piece
        if monotonic() > deadline:
            raise LateAnswer(LATE)
    if answer.status != 200:
        raise BadAnswer(f"HTTP status {answer.status}")
    if len(body) > LARGEST:
        raise BadAnswer(f"more than {LARGEST:,} bytes")
    return body


def _command(answer: _Draw | _Discard | _Call) -> Command:
    match answer:
        case _Draw(source=source):
            return Draw(source)
        case _Discard(card=card):
            return Discard(cards.parse(card))
        case _Call(discard=card):
            return Call(cards.parse(card) if card is not None else None)
