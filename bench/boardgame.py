"""Clients of boardgame.io, by socket.io: each plays both players of a match of its own."""

import json
import uuid

import msgspec

from bench.driver import Address, Answer, Request, Script
from bench.websocket import TEXT, WebSocket

SPACE = b"/paiute,"


class Boardgame(WebSocket):
    """A socket.io connection to the game's namespace."""

    def __init__(self, address: Address) -> None:
        super().__init__(address, "/socket.io/?EIO=4&transport=websocket", TEXT)
        self.wait_for(b"0")
        self.send(b"40" + SPACE)
        self.wait_for(b"40" + SPACE)

    def answer(self, message: bytes) -> Answer | None:
        """A match as it is now; pings are answered, and notices are dropped."""
        if message == b"2":
            self.send(b"3")
        if message.startswith((b'42/paiute,["update"', b'42/paiute,["sync"')):
            return Answer(200, message[10:], len(message))
        return None


class _State(msgspec.Struct, rename={"number": "_stateID"}):
    number: int


class _Update(msgspec.Struct, array_like=True):
    event: str
    match: str
    state: _State


_decode = msgspec.json.Decoder(_Update).decode


def people() -> Script:
    """Both players of a new match: draw, discard that card, and so on by turns."""
    match = uuid.uuid4().hex
    answer = yield Request("sync", _event("sync", match, "0", None, 2))
    number, turns = 0, 0
    while True:
        player = str(turns // 2 % 2)
        move = ("draw", "discard")[turns % 2]
        action = {"type": "MAKE_MOVE", "payload": {"type": move, "args": [], "playerID": player}}
        answer = yield Request(move, _event("update", action, number, match, player))
        number, turns = _decode(answer.body).state.number, turns + 1


def _event(*words: object) -> bytes:
    return b"42" + SPACE + json.dumps(words).encode()
