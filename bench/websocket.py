"""A WebSocket (RFC 6455) of a few lines, for the servers that don't speak plain HTTP."""

import base64
import secrets
import socket
import struct

from bench.driver import STALL_SECONDS, Address, Answer

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
UNMASKED = bytes(4)
"""A mask of zeros is a mask as well, and changes nothing."""


class WebSocket:
    """A connection whose messages count as requests and answers.

    Args:
        address: where.
        path: the path, with its query.
        kind: TEXT or BINARY.
    """

    def __init__(self, address: Address, path: str, kind: int) -> None:
        self._kind = kind
        self._received = b""
        self._socket = socket.create_connection(address, timeout=STALL_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        self._socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        while b"\r\n\r\n" not in self._received:
            self._take_in()
        head, _, self._received = self._received.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101"):
            raise ConnectionError(f"This is no WebSocket: {head!r}")

    def fileno(self) -> int:
        """What a selector watches."""
        return self._socket.fileno()

    def close(self) -> None:
        """Close it."""
        self._socket.close()

    def send(self, data: bytes) -> None:
        """Send a message."""
        self._send(self._kind, data)

    def receive(self) -> Answer | None:
        """Take in what has come; None until there is an answer among it."""
        self._take_in()
        while (frame := self._frame()) is not None:
            if (answer := self._answer(*frame)) is not None:
                return answer
        return None

    def wait_for(self, beginning: bytes) -> bytes:
        """The next message, which has to begin so."""
        while (frame := self._frame()) is None:
            self._take_in()
        if not frame[1].startswith(beginning):
            raise ConnectionError(f"Not {beginning!r} but {frame[1]!r}")
        return frame[1]

    def answer(self, message: bytes) -> Answer | None:
        """What a message answers, or None where it is a notice."""
        return Answer(200, message, len(message))

    def _answer(self, kind: int, message: bytes) -> Answer | None:
        if kind == CLOSE:
            raise ConnectionError(f"The server has closed the WebSocket: {message!r}")
        if kind == PING:
            self._send(PONG, message)
        return self.answer(message) if kind in (TEXT, BINARY) else None

    def _take_in(self) -> None:
        came = self._socket.recv(262_144)
        if not came:
            raise ConnectionError(f"The server has closed the connection after {self._received!r}.")
        self._received += came

    def _send(self, kind: int, data: bytes) -> None:
        size = len(data)
        length = bytes([0x80 | size]) if size < 126 else struct.pack("!BH", 0x80 | 126, size)
        self._socket.sendall(bytes([0x80 | kind]) + length + UNMASKED + data)

    def _frame(self) -> tuple[int, bytes] | None:
        """The kind and the content of the next whole frame; servers don't split theirs here."""
        received = self._received
        if len(received) < 2:
            return None
        size, start = received[1], 2
        if size >= 126:
            start = 4 if size == 126 else 10
            if len(received) < start:
                return None
            size = int.from_bytes(received[2:start], "big")
        if len(received) < start + size:
            return None
        self._received = received[start + size :]
        return received[0] & 0x0F, received[start : start + size]
