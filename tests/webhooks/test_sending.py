"""One try at a delivery, against real endpoints."""

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from standardwebhooks import Webhook as Verifier
from standardwebhooks.webhooks import WebhookVerificationError

from service.store.webhooks import Delivery, Webhook
from service.webhooks.sending import (
    BadSecret,
    Sender,
    check_secret,
    new_secret,
    signature,
)
from tests.support.receiver import receiver

TLS = Path(__file__).parents[1] / "data/tls"
NAME = "hooks.example.com"
SECRET = "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
DELIVERY = Delivery("msg_1", '{"type":"ping","data":{"name":"Kahanamoku \u2660"}}')


def webhook(url: str) -> Webhook:
    """A webhook at an address."""
    return Webhook("hook", "keola", url, (), SECRET, 0)


def now_ms() -> int:
    """The time."""
    return int(time.time() * 1000)


def here(*_: object) -> list[str]:
    """Every name leads to this machine."""
    return ["127.0.0.1"]


def trusting() -> ssl.SSLContext:
    """What takes the tests' own authority for one."""
    return ssl.create_default_context(cafile=str(TLS / "ca.pem"))


def serving() -> ssl.SSLContext:
    """What proves to be `hooks.example.com`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / "server.pem")
    return context


@contextlib.contextmanager
def raw(*answer: bytes, pause: float = 0) -> Iterator[str]:
    """An endpoint that sends these bytes to whoever comes, one after the other; gives its URL."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with contextlib.suppress(OSError):
                came, _ = listening.accept()
                with came:
                    came.recv(65536)
                    for part in answer:
                        came.sendall(part)
                        time.sleep(pause)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        thread.join(10)


def test_a_delivery_is_signed_for_others() -> None:
    """An endpoint gets body, id, time and a signature that another implementation finds right."""
    with receiver() as endpoint:
        outcome = Sender(private=True).send(webhook(endpoint.url), DELIVERY, now_ms())
    assert (None, False) == (outcome.fault, outcome.gone)
    (got,) = endpoint.got
    assert ("/hook", DELIVERY.body, "msg_1") == (got.path, got.body.decode(), got.id)
    assert "application/json" == got.headers["content-type"]
    got.verify(SECRET)
    with pytest.raises(WebhookVerificationError):
        got.verify(new_secret())


def test_a_signature_signs_id_time_and_body() -> None:
    """With another id, time or body the signature is another one."""
    signed = signature(SECRET, DELIVERY, 1_700_000_000)
    assert signed == signature(SECRET, DELIVERY, 1_700_000_000)
    others = {
        signature(SECRET, Delivery("msg_2", DELIVERY.body), 1_700_000_000),
        signature(SECRET, Delivery("msg_1", "{}"), 1_700_000_000),
        signature(SECRET, DELIVERY, 1_700_000_001),
    }
    assert 3 == len(others - {signed})


def test_the_published_example() -> None:
    """The signature of the example in the Standard Webhooks' own tests is theirs."""
    example = Delivery("msg_p5jXN8AQM9LWM0D4loKWxJek", '{"test": 2432232314}')
    assert "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" == signature(
        SECRET, example, 1_614_265_330
    )


def test_secrets() -> None:
    """A new secret is one, for others too; what is too short, too long or no base64 is none."""
    secret = new_secret()
    check_secret(secret)
    assert secret != new_secret()
    Verifier(secret)
    for wrong in (
        "",
        "whsec_",
        "secret",
        SECRET[6:],
        "whsec_AAAA",
        "whsec_" + "A" * 92,
        SECRET + "=",
    ):
        with pytest.raises(BadSecret):
            check_secret(wrong)
    for wrong in (f"{SECRET}\n", "whsec_" + "é" * 32):
        with pytest.raises(BadSecret):
            check_secret(wrong)


@pytest.mark.parametrize("status", [200, 201, 204, 299])
def test_any_success_is_one(status: int) -> None:
    """Any 2xx is taken for a success."""
    with receiver() as endpoint:
        endpoint.statuses = [status]
        assert None is Sender(private=True).send(webhook(endpoint.url), DELIVERY, 0).fault


@pytest.mark.parametrize("status", [302, 400, 404, 429, 500, 503])
def test_any_other_status_is_a_failure(status: int) -> None:
    """Anything else is a failure, and nobody is sent elsewhere."""
    with receiver() as endpoint:
        endpoint.statuses, endpoint.headers = [status], {"Location": endpoint.url}
        outcome = Sender(private=True).send(webhook(endpoint.url), DELIVERY, 0)
    assert (f"status_{status}", False) == (outcome.fault, outcome.gone)
    assert 1 == len(endpoint.got)


def test_gone_is_told_from_other_failures() -> None:
    """410 says that the endpoint is gone for good."""
    with receiver() as endpoint:
        endpoint.statuses = [410]
        assert Sender(private=True).send(webhook(endpoint.url), DELIVERY, 0).gone


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [("120", 120), ("Thu, 01 Jan 1970 00:01:00 GMT", 60), ("soon", 0), ("-5", 0), ("", 0)],
)
def test_an_endpoint_may_ask_for_a_pause(asked: str, seconds: int) -> None:
    """Retry-After is read in both of its forms, and nonsense is no pause."""
    with receiver() as endpoint:
        endpoint.statuses, endpoint.headers = [503], {"Retry-After": asked}
        outcome = Sender(private=True).send(webhook(endpoint.url), DELIVERY, 0)
    assert seconds == outcome.retry_after


def test_tls_is_checked_by_name() -> None:
    """Over TLS the connection is made to the address looked up, under the name of the URL."""
    with receiver(serving()) as endpoint:
        url = endpoint.url.replace("127.0.0.1", NAME)
        good = Sender(private=True, resolve=here, tls=trusting())
        assert None is good.send(webhook(url), DELIVERY, 0).fault
        (got,) = endpoint.got
        assert url.split("/")[2] == got.headers["host"]

        other = url.replace(NAME, "other.example.com")
        assert "tls" == good.send(webhook(other), DELIVERY, 0).fault
        unknown = Sender(private=True, resolve=here)
        assert "tls" == unknown.send(webhook(url), DELIVERY, 0).fault
    assert 1 == len(endpoint.got)


def test_a_name_is_looked_up_once_for_each_try() -> None:
    """What was checked is what is called: a second answer of the name's server is not asked for."""
    asked: list[str] = []

    def changing(name: str, _port: int) -> list[str]:
        asked.append(name)
        return ["127.0.0.1"] if len(asked) == 1 else ["192.0.2.1"]

    with receiver() as endpoint:
        url = endpoint.url.replace("127.0.0.1", NAME)
        assert None is Sender(private=True, resolve=changing).send(webhook(url), DELIVERY, 0).fault
    assert [NAME] == asked


def test_the_next_address_is_tried() -> None:
    """Where an address takes no connection, the next one of the name is tried."""
    with receiver() as endpoint:
        url = endpoint.url.replace("127.0.0.1", NAME)
        both = Sender(private=True, resolve=lambda *_: ["127.0.0.2", "127.0.0.1"])
        assert None is both.send(webhook(url), DELIVERY, 0).fault


@pytest.mark.parametrize("url", ["https://127.0.0.1/", "https://hooks.example.com:9000/"])
def test_private_addresses_are_not_called(url: str) -> None:
    """Without the setting neither an address nor a name that leads inside is called."""
    assert "forbidden_target" == Sender(resolve=here).send(webhook(url), DELIVERY, 0).fault


def test_what_can_go_wrong_has_a_name() -> None:
    """No name, no port, no HTTP, and an end before the answer are each a failure."""
    sender = Sender(private=True)
    assert "unresolved" == sender.send(webhook("http://nowhere.invalid/"), DELIVERY, 0).fault
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert "unreachable" == sender.send(webhook(f"http://127.0.0.1:{port}"), DELIVERY, 0).fault
    for answer in (
        b"",
        b"SSH-2.0-x\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200,
    ):
        with raw(answer) as url:
            assert "broken_answer" == sender.send(webhook(url), DELIVERY, 0).fault


def test_a_name_that_is_never_found_is_given_up() -> None:
    """A try is over in time though the look-up of the name goes on."""
    over = threading.Event()

    def endless(*_: object) -> list[str]:
        over.wait(20)
        return ["127.0.0.1"]

    sender = Sender(private=True, resolve=endless, seconds=0.2)
    outcome = sender.send(webhook("http://hooks.example.com/"), DELIVERY, 0)
    over.set()
    assert "timeout" == outcome.fault
    assert outcome.took_ms < 1000


def test_a_connection_without_a_handshake_is_given_up() -> None:
    """A try is over in time where connections are taken, and TLS never begins."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"https://{NAME}:{silent.getsockname()[1]}/"
        sender = Sender(private=True, resolve=here, seconds=0.3)
        outcome = sender.send(webhook(url), DELIVERY, 0)
    assert "timeout" == outcome.fault
    assert outcome.took_ms < 1000


def test_an_endpoint_that_drips_is_cut_off() -> None:
    """A try is over in time, though each byte of the answer comes soon after the last one."""
    sender = Sender(private=True, seconds=0.4)
    with raw(b"HTTP/1.1 200 OK\r\n", *[b"a"] * 12, pause=0.1) as url:
        outcome = sender.send(webhook(url), DELIVERY, 0)
    assert "timeout" == outcome.fault
    assert outcome.took_ms < 1000


def test_an_endpoint_that_says_nothing_is_cut_off() -> None:
    """A try is over in time where no answer comes."""
    with receiver() as endpoint:
        endpoint.hold.clear()
        sender = Sender(private=True, seconds=0.3)
        assert "timeout" == sender.send(webhook(endpoint.url), DELIVERY, 0).fault
        endpoint.hold.set()
