"""A bot for `paiute simulate --bot mine=http://127.0.0.1:9000`: python examples/move_server.py."""

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer


def decide(view: dict) -> dict:
    """Put your ideas here: a move that `you.legal` has."""
    legal = {one["action"]: one for one in view["you"]["legal"]}
    if "call" in legal:
        return {"action": "call"}
    if "draw" in legal:
        return {"action": "draw", "from": "stock"}
    hold = "".join(view["you"]["hand"]) + 9 * view["deal"]["wild_rank"]  # The wild rank stays.
    cards = legal["discard"]["cards"]
    return {"action": "discard", "card": min(cards, key=lambda card: hold.count(card[0]))}


class Moves(BaseHTTPRequestHandler):
    """Answers each view with a move."""

    protocol_version = "HTTP/1.1"  # The connection is kept for the next view,
    disable_nagle_algorithm = True  # and no answer waits for the one before to be received.

    def do_POST(self) -> None:
        """Answer one view."""
        view = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(decide(view)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing of each request."""


server = HTTPServer(("127.0.0.1", int(sys.argv[1]) if sys.argv[1:] else 9000), Moves)
print(f"Moves at http://127.0.0.1:{server.server_port}; Ctrl-C stops.", flush=True)
server.serve_forever()
