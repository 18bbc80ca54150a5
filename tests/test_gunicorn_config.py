"""What the HTTP server answers by itself, before any request comes to the application."""

import json
import socket
from urllib.parse import urlsplit

import pytest

from service.api.problems import PROBLEM_JSON
from service.config import Config
from service.gunicorn_config import LONGEST_DETAIL
from tests.support.processes import RunningService

HOST = b"Host: paiute\r\n"


def answer(service: RunningService, sent: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of what comes back for these bytes, until the connection ends."""
    where = urlsplit(service.url)
    with socket.create_connection((where.hostname, where.port), timeout=30) as connection:
        connection.sendall(sent)
        received = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = received.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    return int(status.split()[1]), dict(line.lower().split(": ", 1) for line in lines), body


@pytest.mark.parametrize(
    ("status", "sent"),
    [
        (400, b"NONSENSE\r\n\r\n"),
        (400, b"GET /readyz HTTP/9.9\r\n" + HOST + b"\r\n"),
        (400, b"GET /readyz HTTP/1.1\r\n" + HOST + b"Bad Name: 1\r\n\r\n"),
        (400, b"POST /v1/players HTTP/1.1\r\n" + HOST + b"Content-Length: many\r\n\r\n"),
        (414, b"GET /" + 5_000 * b"x" + b" HTTP/1.1\r\n" + HOST + b"\r\n"),
        (431, b"GET /readyz HTTP/1.1\r\n" + HOST + b"X: " + 9_000 * b"x" + b"\r\n\r\n"),
        (431, b"GET /readyz HTTP/1.1\r\n" + HOST + 101 * b"X: 1\r\n" + b"\r\n"),
        (501, b"POST /readyz HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: odd\r\n\r\n"),
    ],
)
def test_what_can_not_be_read(service: RunningService, status: int, sent: bytes) -> None:
    """A request that is no HTTP, or too long, is answered with a problem like any other."""
    found, headers, body = answer(service, sent)
    problem = json.loads(body)

    assert (status, PROBLEM_JSON) == (found, headers["content-type"])
    assert (str(len(body)), "close") == (headers["content-length"], headers["connection"])
    assert (status, "malformed", "/problems/malformed") == (
        *(problem["status"], problem["code"], problem["type"]),
    )
    assert len(problem["detail"]) <= LONGEST_DETAIL


CHUNKED = (
    b"POST /v1/players HTTP/1.1\r\nContent-Type: application/json\r\nConnection: close\r\n"
    b"Transfer-Encoding: chunked\r\n" + HOST + b"\r\n"
)
NAME = b'{"name": "Keola"}'
MOST = Config("a secret of 32 characters or more ..", "unused").max_body_bytes


def chunk(content: bytes) -> bytes:
    """A part of a body (RFC 9112, section 7.1); an empty one ends it."""
    return b"%x\r\n%b\r\n" % (len(content), content)


@pytest.mark.parametrize(
    ("status", "code", "body"),
    [
        (201, None, chunk(NAME[:5]) + chunk(NAME[5:]) + chunk(b"")),
        (413, "too_large", chunk(NAME + MOST * b" ") + chunk(b"")),
        (413, "too_large", chunk(MOST * b" ") + chunk(NAME) + chunk(b"")),
        (400, "malformed", b"zz\r\n" + NAME + b"\r\n" + chunk(b"")),
        (400, "malformed", chunk(NAME).removesuffix(b"\r\n") + b"more"),
    ],
)
def test_bodies_in_chunks(
    service: RunningService, status: int, code: str | None, body: bytes
) -> None:
    """A body in chunks is taken whole, or refused with the reason."""
    found, _, said = answer(service, CHUNKED + body)

    assert (status, code) == (found, json.loads(said).get("code"))


def test_what_is_quoted_does_no_harm(service: RunningService) -> None:
    """What is quoted of a request in its refusal stays a text."""
    _, _, body = answer(service, b'<script>"\xff\\ HTTP/1.1\r\n\r\n')

    assert "malformed" == json.loads(body)["code"]
