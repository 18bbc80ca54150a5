"""An endpoint that webhooks are sent to: it keeps what it gets, and answers as it is told."""

import contextlib
import json
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook

Json = dict[str, Any]


@dataclass(frozen=True)
class Received:
    """A request as it came; header names are in lower case."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        """The delivery's id."""
        return self.headers["webhook-id"]

    @property
    def json(self) -> Json:
        """The body read as JSON."""
        said: Json = json.loads(self.body)
        return said

    @property
    def type(self) -> str:
        """What it tells of."""
        return str(self.json["type"])

    def verify(self, secret: str) -> None:
        """Fail unless an implementation of others' finds the signature right."""
        Webhook(secret).verify(self.body, self.headers)


@dataclass
class Receiver:
    """What came, and what is answered.

    Args:
        url: where it is.
        got: what came, in order, refused or not.
        statuses: what is answered to the next requests; 200 to those after them.
        headers: headers of every answer.
        hold: while it is clear, requests wait for their answer.
    """

    url: str = ""
    got: list[Received] = field(default_factory=list)
    taken: list[Received] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    hold: threading.Event = field(default_factory=threading.Event)

    def types(self) -> list[str]:
        """The types of what was taken, in order."""
        return [one.type for one in self.taken]


@contextlib.contextmanager
def receiver(tls: ssl.SSLContext | None = None, port: int = 0) -> Iterator[Receiver]:
    """An endpoint on a port of this machine."""
    receiver = Receiver()
    receiver.hold.set()

    class Handler(BaseHTTPRequestHandler):
        """Answers a request."""

        def do_POST(self) -> None:
            """Keep what came, and answer."""
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): text for name, text in self.headers.items()}
            received = Received(self.path, headers, body)
            receiver.got.append(received)
            receiver.hold.wait(20)
            status = receiver.statuses.pop(0) if receiver.statuses else 200
            if status < 300:
                receiver.taken.append(received)
            with contextlib.suppress(OSError):
                self.send_response(status)
                for name, text in receiver.headers.items():
                    self.send_header(name, text)
                self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    receiver.url = f"http{'s' if tls else ''}://127.0.0.1:{server.server_port}/hook"
    thread = threading.Thread(target=server.serve_forever, args=[0.05])
    thread.start()
    try:
        yield receiver
    finally:
        receiver.hold.set()
        server.shutdown()
        thread.join()
        server.server_close()
