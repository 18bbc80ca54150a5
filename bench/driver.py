"""Keep-alive connections with one request under way each, all driven by one thread.

Raw sockets and a parser of a few lines, so that the load costs a fraction of what it measures.
"""

import re
import selectors
import socket
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple, Protocol, Self

STALL_SECONDS = 40
"""How long nothing may happen before the run is given up; a long poll takes 30 at the most."""

WAIT = "wait"
"""The kind of requests whose answers may take long to come."""

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)

Address = tuple[str, int]


class Request(NamedTuple):
    """A request as it goes over the wire, and what it counts as."""

    kind: str
    data: bytes


class Answer(NamedTuple):
    """An answer."""

    status: int
    body: bytes
    size: int


Script = Generator[Request, Answer, None]
"""What a client does: it gives requests and is sent their answers."""


def request(method: str, path: str, token: str = "", body: bytes = b"", headers: str = "") -> bytes:
    """A request with the headers that a plain client sends; `headers` are whole further lines."""
    lines = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: paiute-bench\r\n"
    lines += "Accept: application/json\r\n"
    if token:
        lines += f"Authorization: Bearer {token}\r\n"
    if body:
        lines += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return f"{lines}{headers}\r\n".encode() + body


class Line(Protocol):
    """What a client asks over, with one request under way."""

    def fileno(self) -> int:
        """What a selector watches."""

    def close(self) -> None:
        """Close it."""

    def send(self, data: bytes) -> None:
        """Send a request."""

    def receive(self) -> Answer | None:
        """Take in what has come; None until the answer is whole."""


class Connection:
    """A keep-alive connection."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._open()

    def _open(self) -> None:
        self._socket = socket.create_connection(self._address, timeout=STALL_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._received = b""

    def reopen(self) -> None:
        """Connect anew, where the server may have closed it."""
        self.close()
        self._open()

    def fileno(self) -> int:
        """What a selector watches."""
        return self._socket.fileno()

    def close(self) -> None:
        """Close it."""
        self._socket.close()

    def send(self, data: bytes) -> None:
        """Send a request."""
        self._socket.sendall(data)

    def receive(self) -> Answer | None:
        """Take in what has come; None until the answer is whole."""
        came = self._socket.recv(262_144)
        if not came:
            raise ConnectionError(f"The server has closed the connection after {self._received!r}.")
        self._received += came
        head, separator, body = self._received.partition(b"\r\n\r\n")
        if not separator:
            return None
        length = _LENGTH.search(head)
        if length and len(body) < int(length[1]):
            return None
        size, self._received = len(self._received), b""
        return Answer(int(head[9:12]), body, size)

    def ask(self, data: bytes) -> Answer:
        """Send a request and wait for its answer."""
        self.send(data)
        while (answer := self.receive()) is None:
            pass
        return answer


@dataclass
class Sample:
    """What a crowd did in a while."""

    seconds: float = 0.0
    latencies: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Seconds that each request took, by kind."""
    refusals: Counter[str] = field(default_factory=Counter)
    """Answers of 400 and above, by kind and status."""
    bytes: Counter[str] = field(default_factory=Counter)
    """Bytes of the answers, by kind."""

    def note(self, kind: str, seconds: float, answer: Answer) -> None:
        """Count an answer."""
        self.latencies[kind].append(seconds)
        self.bytes[kind] += answer.size
        if answer.status >= 400:
            self.refusals[f"{kind} {answer.status}"] += 1


class _Is(Enum):
    """What a client is about."""

    READY = auto()
    ASKING = auto()
    WAITING = auto()
    """It asks for what may take long to come, and isn't waited for at the end of a run."""

    THROUGH = auto()


@dataclass
class _Client:
    line: Line
    script: Script
    about: _Is = _Is.READY
    answer: Answer | None = None
    kind: str = ""
    sent: float = 0.0

    def go_on(self) -> _Is:
        """Send the script's next request, if none is under way."""
        if self.about is _Is.READY:
            try:
                step = next(self.script) if self.answer is None else self.script.send(self.answer)
            except StopIteration:
                self.about = _Is.THROUGH
            else:
                self.about = _Is.WAITING if step.kind == WAIT else _Is.ASKING
                self.kind = step.kind
                self.sent = time.perf_counter()
                self.line.send(step.data)
        return self.about


class Crowd:
    """Clients with a connection each.  Scripts go on where they were from one run to the next.

    Args:
        address: where they connect.
        scripts: what they do.
        connect: how they connect.
    """

    def __init__(
        self,
        address: Address,
        scripts: Sequence[Script],
        connect: Callable[[Address], Line] = Connection,
    ) -> None:
        self._clients = [_Client(connect(address), script) for script in scripts]
        self._selector = selectors.DefaultSelector()
        for client in self._clients:
            self._selector.register(client.line, selectors.EVENT_READ, client)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._selector.close()
        for client in self._clients:
            client.line.close()

    def run(self, seconds: float) -> Sample:
        """Keep every client busy for so long, or to its end; then let the last answers come in."""
        sample = Sample()
        start = time.perf_counter()
        until = start + seconds
        under_way = Counter(client.go_on() for client in self._clients)
        while (left := self._left(under_way, until)) > 0:
            ready = self._selector.select(left)
            if not ready and under_way[_Is.ASKING]:
                raise TimeoutError(f"No answer for {STALL_SECONDS} s.")
            for key, _ in ready:
                client: _Client = key.data
                answer = client.line.receive()
                if answer is None:
                    continue
                now = time.perf_counter()
                sample.note(client.kind, now - client.sent, answer)
                under_way[client.about] -= 1
                client.about, client.answer = _Is.READY, answer
                if now < until:
                    under_way[client.go_on()] += 1
        sample.seconds = time.perf_counter() - start
        return sample

    def _left(self, under_way: Counter[_Is], until: float) -> float:
        """How long the next answer may take; 0 or less where none is waited for."""
        if under_way[_Is.ASKING]:
            return STALL_SECONDS
        return until - time.perf_counter() if under_way[_Is.WAITING] else 0
