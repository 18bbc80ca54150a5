"""An outside bot: a web server that is asked for moves, and answers as a test tells it."""

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any

from service.bots.bot import Bot
from service.bots.turn import Turn

Json = dict[str, Any]


def plain(view: Json) -> Json:
    """A legal move of a simple player: it draws from the stock and throws what it drew."""
    moves = {move["action"]: move for move in view["you"]["legal"]}
    if "draw" in moves:
        return {"action": "draw", "from": "stock"}
    if "call" in moves:
        return {"action": "call"}
    return {"action": "discard", "card": view["you"]["drawn"]}


class Plain(Bot):
    """The same player as a class of Python."""

    def takes(self, turn: Turn) -> bool:  # noqa: ARG002 - it never does.
        return False

    def throws(self, turn: Turn, rng: Random) -> int:  # noqa: ARG002
        return turn.drawn


@dataclass
class BotServer:
    """What a bot was shown, and where it is.

    Args:
        url: where it takes views.
        views: the views that it was sent, in order.
        connections: how many connections were made to it.
    """

    url: str = ""
    views: list[Json] = field(default_factory=list)
    connections: int = 0


@contextlib.contextmanager
def bot_server(decide: Callable[[Json], Any], *, status: int = 200) -> Iterator[BotServer]:
    """A bot on a port of this machine.  `decide` gives the answer's body, text or JSON."""
    told = BotServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            told.connections += 1
            super().setup()

        def do_POST(self) -> None:
            view = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            told.views.append(view)
            try:
                answer = decide(view)
                body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except OSError:  # Whoever asked waits no more, or the test wants it so.
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    told.url = f"http://127.0.0.1:{server.server_port}/move"
    thread = threading.Thread(target=server.serve_forever, args=[0.02])
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
