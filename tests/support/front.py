"""A proxy that stands before a service, and answers in its own way."""

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

import requests

PASSED_ON = ("Content-Type", "ETag", "Location", "Retry-After")


class Reply(NamedTuple):
    """An answer of the proxy."""

    status: int
    body: bytes
    headers: Mapping[str, str]


Ask = Callable[[], requests.Response]
Answer = Callable[[str, Ask], Reply]
"""What answers a request, given its method and path, and a way to ask the service."""


def passed_on(answer: requests.Response) -> Reply:
    """What the service has answered, as it is."""
    headers = {name: answer.headers[name] for name in PASSED_ON if name in answer.headers}
    return Reply(answer.status_code, answer.content, headers)


@contextlib.contextmanager
def before(url: str, answer: Answer) -> Iterator[str]:
    """The address of a proxy before a service."""

    class Handler(BaseHTTPRequestHandler):
        """Answers one request after the other on a connection."""

        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            """Answer a GET."""
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {n: v for n, v in self.headers.items() if n not in ("Host", "Connection")}

            def ask() -> requests.Response:
                there = url + self.path
                return requests.request(self.command, there, headers=headers, data=body)

            reply = answer(f"{self.command} {self.path}", ask)
            self.send_response(reply.status)
            for name, text in reply.headers.items():
                self.send_header(name, text)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        do_POST = do_DELETE = do_GET  # noqa: N815 - as the server calls them

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
