"""A network that does not last: a proxy before a service whose connections break in the middle."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from random import Random
from urllib.parse import urlsplit

from tests.support.proxy import cut


class CuttingProxy:
    """Passes bytes on, and breaks each connection after some that have come back.

    Args:
        url: the service's address.
        least: so many bytes come back over a connection, at least, before it breaks.
        most: so many at most; over the first connection, these.
    """

    def __init__(self, url: str, least: int, most: int) -> None:
        parts = urlsplit(url)
        self.broken = 0
        self._service = (parts.hostname or "", parts.port or 80)
        self._lasts = (least, most)
        self._chance = Random(1)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._open: list[socket.socket] = [self._listening]
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def close(self) -> None:
        """Cut every connection."""
        cut(self._open, self._threads)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.create_connection(self._service)
                self._open += [client, server]
                left = self._chance.randint(*self._lasts) if self._open[3:] else self._lasts[1]
                for work, arguments in (
                    (self._pass_on, (client, server)),
                    (self._pass_back, (server, client, left)),
                ):
                    self._threads.append(threading.Thread(target=work, args=arguments))
                    self._threads[-1].start()

    def _pass_on(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while asked := client.recv(1 << 16):
                server.sendall(asked)
        _end(client, server)

    def _pass_back(self, server: socket.socket, client: socket.socket, left: int) -> None:
        with contextlib.suppress(OSError):
            while left and (came := server.recv(left)):
                client.sendall(came)
                left -= len(came)
        self.broken += not left
        _end(client, server)


def _end(*connections: socket.socket) -> None:
    for connection in connections:
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def cutting_proxy(url: str, least: int, most: int) -> Iterator[CuttingProxy]:
    """A proxy that is closed in the end."""
    proxy = CuttingProxy(url, least, most)
    try:
        yield proxy
    finally:
        proxy.close()
