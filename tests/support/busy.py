"""A service that takes few requests: those at a table are put off once, and answered then."""

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import requests

PASSED_ON = ("Content-Type", "ETag", "Retry-After")


@contextlib.contextmanager
def busy(url: str) -> Iterator[tuple[str, list[str]]]:
    """The address of a proxy before a service, and the requests that it has put off."""
    put_off: list[str] = []
    waiting: set[str] = set()

    class Handler(BaseHTTPRequestHandler):
        """Answers a request that comes again."""

        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            """Answer a GET."""
            self._answer()

        def do_POST(self) -> None:
            """Answer a POST."""
            self._answer()

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            asked = f"{self.command} {self.path}"
            if "/v1/tables/" in asked and asked not in waiting:
                waiting.add(asked)
                put_off.append(asked)
                self._send(429, b"{}", {"Retry-After": "0"})
                return
            waiting.discard(asked)
            headers = {n: v for n, v in self.headers.items() if n not in ("Host", "Connection")}
            answer = requests.request(self.command, url + self.path, headers=headers, data=body)
            self._send(answer.status_code, answer.content, dict(answer.headers))

        def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name in PASSED_ON:
                if name in headers:
                    self.send_header(name, headers[name])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", put_off
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
