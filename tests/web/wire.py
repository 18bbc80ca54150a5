"""A proxy between browsers and the service: keeps all that browsers are sent, and can be cut."""

import contextlib
import http.client
import io
import socket
import threading
from collections.abc import Iterator
from typing import NamedTuple, Self, cast
from urllib.parse import urlsplit


class Answer(NamedTuple):
    """What came back for one request, as far as it came."""

    path: str
    body: bytes


class Wire:
    """Passes bytes between browsers and a service.

    Args:
        url: the service's address.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._service = (parts.hostname or "", parts.port or 80)
        self._whole = threading.Event()
        self._whole.set()
        self._losing = ""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._ends: list[socket.socket] = []
        self._said: list[tuple[bytearray, bytearray]] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def cut(self) -> None:
        """Break all connections, and each one that is made from now on."""
        self._whole.clear()
        for one in list(self._ends):
            _end(one)

    def lose_next(self, word: str) -> None:
        """Cut everything once a POST whose path ends so has its answer, which gets lost."""
        self._losing = word

    def mend(self) -> None:
        """Pass new connections on again."""
        self._whole.set()

    def answers(self) -> list[Answer]:
        """All that has come back so far."""
        return [
            answer
            for asked, came in list(self._said)
            for answer in _answers(bytes(asked), bytes(came))
        ]

    def close(self) -> None:
        """End everything."""
        _end(self._listening)
        self._listening.close()
        self.cut()
        for thread in self._threads:
            thread.join()
        for one in self._ends:
            one.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                browser, _ = self._listening.accept()
                if not self._whole.is_set():
                    browser.close()
                    continue
                service = socket.create_connection(self._service)
                asked, came = bytearray(), bytearray()
                self._said.append((asked, came))
                self._ends += [browser, service]
                for work in (
                    threading.Thread(target=self._ask, args=(browser, service, asked)),
                    threading.Thread(target=self._answer, args=(service, browser, asked, came)),
                ):
                    self._threads.append(work)
                    work.start()

    def _ask(self, browser: socket.socket, service: socket.socket, asked: bytearray) -> None:
        with contextlib.suppress(OSError):
            while said := browser.recv(1 << 16):
                asked += said
                service.sendall(said)
        _end(browser, service)

    def _answer(
        self, service: socket.socket, browser: socket.socket, asked: bytearray, came: bytearray
    ) -> None:
        with contextlib.suppress(OSError):
            while said := service.recv(1 << 16):
                if self._losing and _last_post(asked).endswith(self._losing):
                    self._losing = ""
                    self.cut()
                    break
                came += said
                browser.sendall(said)
        _end(browser, service)


class _Came(io.BytesIO):
    """Bytes that `http.client` takes for a socket, and which stay open after each answer."""

    def makefile(self, _mode: str) -> Self:
        return self

    def close(self) -> None:
        pass


def _answers(asked: bytes, came: bytes) -> Iterator[Answer]:
    """The answers on one connection, in the order of its requests."""
    kept = _Came(came)
    for request in _requests(asked):
        answer = http.client.HTTPResponse(cast(socket.socket, kept), method=request.split()[0])
        try:
            answer.begin()
            body = answer.read()
        except http.client.IncompleteRead as cut_off:
            body = cut_off.partial
        except http.client.HTTPException:
            return  # Nothing has come yet.
        yield Answer(urlsplit(request.split()[1]).path, body)


def _last_post(asked: bytearray) -> str:
    """The path of the last POST on a connection."""
    return bytes(asked).rpartition(b"POST ")[2].partition(b" ")[0].decode("latin-1")


def _requests(asked: bytes) -> Iterator[str]:
    """The first lines of the requests on one connection, without the protocol's version."""
    file = io.BytesIO(asked)
    while line := file.readline():
        headers = http.client.parse_headers(file)
        file.read(int(headers.get("Content-Length", 0)))
        yield line.decode().rpartition(" ")[0]


def _end(*connections: socket.socket) -> None:
    for connection in connections:
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)


def wire(url: str) -> contextlib.closing[Wire]:
    """A wire that is closed in the end."""
    return contextlib.closing(Wire(url))
