"""A proxy before a server that loses replies: what a network does at the worst moment."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path


def cut(connections: Iterable[socket.socket], threads: Iterable[threading.Thread]) -> None:
    """Cut connections, and wait for the threads that serve them."""
    for connection in connections:
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
        connection.close()
    for thread in threads:
        thread.join()


class LossyProxy:
    """Passes bytes between clients and a server, until it is told to lose replies.

    Args:
        upstream: the Unix socket of the server.
        path: the Unix socket that clients reach the proxy at.
    """

    def __init__(self, upstream: Path, path: Path) -> None:
        self.url = f"unix://{path}"
        self.lost = 0
        self._upstream = upstream
        self._to_lose = 0
        self._marker = b""
        self._meanwhile: Callable[[], object] = bool
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path))
        self._listening.listen()
        self._open: list[socket.socket] = [self._listening]
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def lose(self, marker: bytes, times: int, meanwhile: Callable[[], object] = bool) -> None:
        """Lose the replies to the next requests that contain a marker, and their connections.

        `meanwhile` is done after the server has replied, before the client learns of the loss.
        """
        self._marker, self._to_lose, self._meanwhile = marker, times, meanwhile

    def close(self) -> None:
        """Cut every connection."""
        cut(self._open, self._threads)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(str(self._upstream))
                self._open += [client, server]
                self._threads.append(threading.Thread(target=self._serve, args=(client, server)))
                self._threads[-1].start()

    def _serve(self, client: socket.socket, server: socket.socket) -> None:
        """Requests and replies take turns: no request is sent before the last one's reply."""
        with contextlib.suppress(OSError), client, server:
            while request := client.recv(1 << 20):
                server.sendall(request)
                reply = server.recv(1 << 20)
                if self._to_lose and self._marker in request:
                    self._to_lose -= 1
                    self.lost += 1
                    self._meanwhile()
                    return
                client.sendall(reply)


@contextlib.contextmanager
def lossy_proxy(upstream: Path, path: Path) -> Iterator[LossyProxy]:
    """A proxy that is closed in the end."""
    proxy = LossyProxy(upstream, path)
    try:
        yield proxy
    finally:
        proxy.close()
