"""What gunicorn's command line can't say; the rest is in `service.launcher.gunicorn_command`."""

import json
import socket
from http import HTTPStatus
from typing import Any

from gunicorn import util
from gunicorn.glogging import Logger

from service import drain
from service.observe import logs


class GunicornLogger(Logger):
    """Gunicorn's own log, in the form of ours."""

    def setup(self, cfg: Any) -> None:
        """As gunicorn does it, but for the form."""
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(logs.formatter())


logger_class = GunicornLogger

LONGEST_DETAIL = 200
"""How much is told of what gunicorn says: it quotes what it was sent."""


def write_problem(client: socket.socket, status: int, reason: str, said: str) -> None:
    """Answer a request that never comes to the application, as gunicorn can't read it."""
    from service.api import problems  # noqa: PLC0415 - slow to import, and only workers answer

    code = "internal" if status == HTTPStatus.INTERNAL_SERVER_ERROR else "malformed"
    body = json.dumps(problems.body(code, said[:LONGEST_DETAIL]) | {"status": status})
    head = [
        f"HTTP/1.1 {status} {reason}",
        f"Content-Type: {problems.PROBLEM_JSON}",
        f"Content-Length: {len(body)}",
        *("Cache-Control: no-store", "Connection: close", "", body),
    ]
    util.write_nonblock(client, "\r\n".join(head).encode())


util.write_error = write_problem


def pre_request(_worker: Any, request: Any) -> None:
    """Lead the clients of a process that is about to be stopped elsewhere: keep none alive."""
    if drain.begun():
        request.force_close()
