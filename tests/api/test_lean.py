"""What Flask is spared here changes no answer."""

from io import BytesIO

from flask import Flask, request
from flask.testing import FlaskClient

from service.api.lean import LeanFlask
from tests.api.world import Caller

NEW = b'{"name": "Keola"}'


def test_any_host(anybody: Caller) -> None:
    """The path alone decides, whatever host a request names."""
    for host in ("paiute.example", "paiute.example:8000", "[::1]", "a b", ""):
        answer = anybody.get("/v1/rules", Host=host)
        assert 200 == answer.status, host


def test_a_body_without_a_length() -> None:
    """A body in chunks is read to its end, and one that is too long is refused as any other."""
    client = _echo(most=16)
    assert (200, NEW[:16]) == _sent(client, NEW[:16], chunked=True)
    assert 413 == _sent(client, NEW, chunked=True)[0]


def test_a_body_with_its_length() -> None:
    """As long as allowed it is read, and a longer one is refused unread."""
    client = _echo(most=16)
    assert (200, NEW[:16]) == _sent(client, NEW[:16])
    assert 413 == _sent(client, NEW)[0]


def test_hooks_of_the_application() -> None:
    """What answers before the view is the answer, and what comes after sees it."""
    app = LeanFlask("lean", static_folder=None)
    app.add_url_rule("/", view_func=lambda: "the view")
    app.before_request(lambda: "before")
    app.after_request(lambda response: response)
    assert "before" == app.test_client().get("/").text


def _echo(most: int) -> FlaskClient:
    """An application that gives back what it is sent, up to so many bytes."""
    app: Flask = LeanFlask("lean", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = most
    app.add_url_rule("/", view_func=_given_back, methods=["POST"])
    return app.test_client()


def _given_back() -> bytes:
    return request.get_data(cache=True)


def _sent(client: FlaskClient, body: bytes, *, chunked: bool = False) -> tuple[int, bytes]:
    chunks = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
    said = {"input_stream": BytesIO(body)} if chunked else {"data": body}
    answer = client.post("/", environ_overrides=chunks if chunked else {}, **said)
    return answer.status_code, answer.data
