"""A proxy before a server that can swallow all that is sent: a network cut without a word."""

import contextlib
import socket
import threading
from pathlib import Path

from tests.support.proxy import cut


class BlackHole:
    """Passes bytes between clients and a server, until it is told to swallow them.

    While it swallows, connections stay open and nobody gets through to make a new one. What was
    sent meanwhile never arrives, and neither does anything that is sent in such a connection later.

    Args:
        upstream: the Unix socket of the server.
    """

    def __init__(self, upstream: Path) -> None:
        self._upstream = upstream
        self._passing = threading.Event()
        self._passing.set()
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=1)
        self.port: int = self._listening.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}"
        self._open: list[socket.socket] = []
        self._waiting: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def swallow(self) -> None:
        """Let nothing through from now on, and nobody in: the places to wait at are taken."""
        self._passing.clear()
        for _ in range(4):
            waiting = socket.socket()
            waiting.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                waiting.connect(("127.0.0.1", self.port))
            self._waiting.append(waiting)

    def let_through(self) -> None:
        """Let everything through again."""
        for waiting in self._waiting:
            waiting.close()
        self._waiting.clear()
        self._passing.set()

    def close(self) -> None:
        """Cut every connection."""
        self.let_through()
        cut((self._listening, *self._open), self._threads)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                self._passing.wait()
                self._join(client)

    def _join(self, client: socket.socket) -> None:
        """Join a client to the server; one that is not there refuses."""
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(str(self._upstream))
        except OSError:
            server.close()
            client.close()
            return
        self._open += [client, server]
        for pair in ((client, server), (server, client)):
            self._threads.append(threading.Thread(target=self._pass_on, args=pair))
            self._threads[-1].start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        swallowed = False
        with contextlib.suppress(OSError):
            while sent := source.recv(1 << 20):
                swallowed = swallowed or not self._passing.is_set()
                if not swallowed:
                    target.sendall(sent)
            target.shutdown(socket.SHUT_WR)


def black_hole(upstream: Path) -> contextlib.closing[BlackHole]:
    """A proxy that is closed in the end."""
    return contextlib.closing(BlackHole(upstream))
