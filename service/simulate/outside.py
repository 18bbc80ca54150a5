"""A bot that is asked over HTTP: it is sent what the API would show it, and answers with a move."""

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

CONNECTIONS = 1
"""Kept alive by each process, which asks for one move at a time."""


class _Draw(msgspec.Struct, tag_field="action", tag="draw"):
    source: Source = msgspec.field(name="from")


class _Discard(msgspec.Struct, tag_field="action", tag="discard"):
    card: str


class _Call(msgspec.Struct, tag_field="action", tag="call"):
    discard: str | None = None


_answer = msgspec.json.Decoder(_Draw | _Discard | _Call)


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
        seconds: how long an answer may take.
    """

    def __init__(self, url: str, seconds: float) -> None:
        self._url = url
        self._pool = urllib3.PoolManager(
            maxsize=CONNECTIONS, timeout=urllib3.Timeout(total=seconds), retries=False
        )

    def move(self, view: Json) -> Command:
        """The bot's move at a table of which it is shown this view.

        Raises:
            BadAnswer: its answer is no move.
            LateAnswer: it took too long.
            Gone: there was no connection.
        """
        answer = self._ask(msgspec.json.encode(view))
        if answer.status != 200:
            raise BadAnswer(f"HTTP status {answer.status}")
        try:
            return _command(_answer.decode(answer.data))
        except (msgspec.DecodeError, NotACard, RecursionError) as error:
            raise BadAnswer(str(error)) from error

    def _ask(self, body: bytes) -> urllib3.BaseHTTPResponse:
        try:
            return self._post(body)
        except (NewConnectionError, SSLError) as error:
            raise Gone(f"{self._url} does not answer: {error}") from error
        except TimeoutError as error:
            raise LateAnswer(str(error)) from error
        except HTTPError as error:
            raise BadAnswer(str(error)) from error

    def _post(self, body: bytes) -> urllib3.BaseHTTPResponse:
        headers = {"Content-Type": "application/json"}
        try:
            return self._pool.request("POST", self._url, body=body, headers=headers)
        except ProtocolError:
            # It had closed a connection that was kept alive: once more, on a new one.
            return self._pool.request("POST", self._url, body=body, headers=headers)


def _command(answer: _Draw | _Discard | _Call) -> Command:
    match answer:
        case _Draw(source=source):
            return Draw(source)
        case _Discard(card=card):
            return Discard(cards.parse(card))
        case _Call(discard=card):
            return Call(cards.parse(card) if card is not None else None)
