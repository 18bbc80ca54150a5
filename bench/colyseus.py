"""Clients of Colyseus, by its requests over a WebSocket: each plays both players of a room."""

import json

import msgspec

from bench.driver import Address, Answer, Connection, Request, Script, request
from bench.websocket import BINARY, WebSocket

JOINED, REQUEST = bytes([10]), bytes([21, 1])
"""The first bytes of its messages: the protocol's codes, and a request's number."""


class Colyseus(WebSocket):
    """A connection to a room of its own."""

    def __init__(self, address: Address) -> None:
        lobby = Connection(address)
        body = lobby.ask(request("POST", "/matchmake/create/paiute", body=b"{}")).body
        lobby.close()
        seat = json.loads(body)
        where = f"/{seat['processId']}/{seat['roomId']}?sessionId={seat['sessionId']}"
        super().__init__(address, where, BINARY)
        self.wait_for(JOINED)
        self.send(JOINED)

    def answer(self, message: bytes) -> Answer | None:
        """The answer to a request, after its code, its number and its status."""
        if message[0] != 22:
            return None
        return Answer(409 if message[2] else 200, message[3:], len(message))


class _You(msgspec.Struct):
    drawn: str | None


class _View(msgspec.Struct):
    you: _You


_decode = msgspec.msgpack.Decoder(_View).decode


def people() -> Script:
    """Both players of a new room: draw, discard that card, and so on by turns."""
    while True:
        for seat in (1, 2):
            answer = yield Request("draw", _message("draw", {"seat": seat}))
            card = _decode(answer.body).you.drawn
            yield Request("discard", _message("discard", {"seat": seat, "card": card}))


def _message(kind: str, content: object) -> bytes:
    return REQUEST + msgspec.msgpack.encode(kind) + msgspec.msgpack.encode(content)
