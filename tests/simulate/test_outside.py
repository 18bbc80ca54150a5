"""A bot that is asked over HTTP."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from time import monotonic

import pytest

from service.engine.cards import Card
from service.engine.commands import Call, Command, Discard, Draw, Source
from service.simulate.outside import BadAnswer, Gone, LateAnswer, Outside
from tests.simulate.server import Json, bot_server

VIEW: Json = {"you": {"hand": ["As"]}}


@pytest.mark.parametrize(
    ("answer", "command"),
    [
        ({"action": "draw", "from": "stock"}, Draw(Source.STOCK)),
        ({"action": "draw", "from": "discard"}, Draw(Source.DISCARD)),
        ({"action": "discard", "card": "7c"}, Discard(Card("7c"))),
        ({"action": "discard", "card": "10♥"}, Discard(Card("Th"))),
        ({"action": "call"}, Call()),
        ({"action": "call", "discard": None}, Call()),
        ({"action": "call", "discard": "As"}, Call(Card("As"))),
        ({"action": "call", "why": "it is a good hand"}, Call()),
    ],
)
def test_answers_are_moves(answer: Json, command: Command) -> None:
    """A bot is sent the view as JSON, and its answer is its move, whatever else it says."""
    with bot_server(lambda _: answer) as bot:
        assert command == Outside(bot.url, 5).move(VIEW)
        assert [VIEW] == bot.views


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"draw",
        b"[" * 20_000,
        [],
        {"action": "fold"},
        {"action": "draw"},
        {"action": "draw", "from": "hand"},
        {"action": "discard"},
        {"action": "discard", "card": "1x"},
        {"action": "discard", "card": 7},
        {"action": "call", "discard": "joker"},
    ],
)
def test_what_is_no_move(answer: object) -> None:
    """Any other answer is refused."""
    with bot_server(lambda _: answer) as bot, pytest.raises(BadAnswer):
        Outside(bot.url, 5).move(VIEW)


@pytest.mark.parametrize("status", [204, 302, 404, 500])
def test_other_statuses(status: int) -> None:
    """An answer that isn't 200 is no move, whatever it says."""
    with bot_server(lambda _: {"action": "call"}, status=status) as bot, pytest.raises(BadAnswer):
        Outside(bot.url, 5).move(VIEW)


def test_late_answers() -> None:
    """A bot that does not answer in time is late, and is asked anew the next time."""
    slow = iter([True, False])
    go_on = threading.Event()

    def decide(_: Json) -> Json:
        if next(slow):
            go_on.wait(20)
        return {"action": "call"}

    with bot_server(decide) as bot:
        outside = Outside(bot.url, 2)
        with pytest.raises(LateAnswer):
            outside.move(VIEW)
        assert Call() == outside.move(VIEW)
        go_on.set()


def test_one_connection_serves_many_moves() -> None:
    """The connection is kept alive."""
    with bot_server(lambda _: {"action": "call"}) as bot:
        outside = Outside(bot.url, 5)
        for _ in range(20):
            outside.move(VIEW)

    assert (20, 1) == (len(bot.views), bot.connections)


def test_a_bot_that_breaks_off() -> None:
    """A bot that fails before it answers has made no move."""

    def fails(_: Json) -> Json:
        raise BrokenPipeError

    with bot_server(fails) as bot, pytest.raises(BadAnswer):
        Outside(bot.url, 5).move(VIEW)


def test_nobody_there() -> None:
    """Where nobody listens the bot is gone, and the text says where it should be."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(Gone, match=f"http://127.0.0.1:{port}/move does not answer"):
        Outside(f"http://127.0.0.1:{port}/move", 5).move(VIEW)


@pytest.fixture
def hangs_up() -> Iterator[str]:
    """A server that ends every connection after one answer, without saying so beforehand."""
    body = b'{"action": "call"}'
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            for _ in range(3):
                connection, _address = listening.accept()
                with connection:
                    connection.recv(65536)
                    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n"
                    connection.sendall(head.encode() + body)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/move"
        thread.join()


def test_connections_that_are_ended(hangs_up: str) -> None:
    """A bot that ends connections between moves is asked on new ones."""
    outside = Outside(hangs_up, 5)

    assert [Call()] * 3 == [outside.move(VIEW) for _ in range(3)]


@contextlib.contextmanager
def trickling(head: bytes, piece: bytes) -> Iterator[str]:
    """A server that sends this head, and then a piece every now and then without end."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _address = listening.accept()
            with connection, contextlib.suppress(OSError):  # Until nobody reads it any more.
                connection.recv(65536)
                connection.sendall(head)
                while not over.wait(0.02):
                    connection.sendall(piece)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/move"
        over.set()
        thread.join()


def test_answers_that_trickle() -> None:
    """An answer whose bytes come one by one is late when its time is up."""
    started = monotonic()
    with (
        trickling(b"HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n", b" ") as url,
        pytest.raises(LateAnswer, match="in time"),
    ):
        Outside(url, 0.3).move(VIEW)
    assert 0.3 <= monotonic() - started < 5


def test_answers_without_end() -> None:
    """An answer far longer than a move is none, and no more of it is read."""
    with (
        trickling(b"HTTP/1.1 200 OK\r\n\r\n", b" " * 30_000) as url,
        pytest.raises(BadAnswer, match="more than 65,536 bytes"),
    ):
        Outside(url, 30).move(VIEW)


def test_the_last_fault_is_kept() -> None:
    """What was wrong with an answer can be told afterwards."""
    with bot_server(lambda _: {}, status=503) as bot:
        outside = Outside(bot.url, 5)
        with pytest.raises(BadAnswer):
            outside.move(VIEW)

    assert "HTTP status 503" == outside.fault
