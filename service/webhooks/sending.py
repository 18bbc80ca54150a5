"""One try at a delivery: signed as Standard Webhooks has it, and over within some seconds."""

import base64
import hashlib
import hmac
import logging
import re
import secrets
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from http.client import HTTPException

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError, SSLError
from urllib3.response import BaseHTTPResponse

from service.engine.errors import PaiuteError
from service.store.webhooks import Delivery, Webhook
from service.webhooks.targets import (
    ForbiddenTarget,
    Resolve,
    Target,
    Unresolved,
    addresses_of,
    in_time,
    look_up,
    target_of,
)

CONNECT_SECONDS = 3
"""How long one try of a connect may take."""

WHOLE_SECONDS = 6
"""How long all of a try may take, from the look-up of the name to the status of the answer."""

TRIED_ADDRESSES = 3
"""How many addresses of a name are tried."""

SECRET_PREFIX = "whsec_"  # noqa: S105 - what every secret begins with
SECRET_BYTES = 32

USER_AGENT = "Paiute-Webhooks/1"

logging.getLogger("urllib3.connection").setLevel(logging.ERROR)  # It warns in endpoints' words.


class BadSecret(PaiuteError):
    """What was given as a webhook's secret is none."""

    code = "validation_failed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a try.

    Args:
        fault: what went wrong, in a word; None where the endpoint has taken the delivery.
        gone: whether the endpoint said that it is gone for good.
        retry_after: for how many seconds the endpoint has asked not to be tried again.
        took_ms: how long the try took, in milliseconds.
    """

    fault: str | None = None
    gone: bool = False
    retry_after: float = 0
    took_ms: int = 0


class OutOfTime(Exception):
    """A try has taken too long."""


def new_secret() -> str:
    """A secret that nobody has yet."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def check_secret(secret: str) -> None:
    """Refuse what is no secret of 24 to 64 bytes.

    Raises:
        BadSecret: it is none.
    """
    encoded = secret.removeprefix(SECRET_PREFIX)
    fits = secret.startswith(SECRET_PREFIX) and re.fullmatch(r"[A-Za-z0-9+/]+={0,2}", encoded)
    if not fits or len(encoded) % 4 or not 24 <= len(base64.b64decode(encoded)) <= 64:
        raise BadSecret(
            "A secret is `whsec_` and then 24 to 64 random bytes in base64.", field="secret"
        )


def signature(secret: str, delivery: Delivery, timestamp: int) -> str:
    """The signature of a delivery at a time, in seconds since 1970 (Standard Webhooks, v1)."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = f"{delivery.id}.{timestamp}.{delivery.body}".encode()
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


class Sender:
    """Makes tries.

    Args:
        private: whether private addresses, and HTTP without TLS, may be called.
        resolve: what looks names up.
        tls: what certificates are checked by; None is the system's authorities.
        seconds: how long all of a try may take.
    """

    def __init__(
        self,
        *,
        private: bool = False,
        resolve: Resolve = look_up,
        tls: ssl.SSLContext | None = None,
        seconds: float = WHOLE_SECONDS,
    ) -> None:
        self.private = private
        self._resolve = resolve
        self._given_tls = tls
        self._seconds = seconds

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        """Made when it is needed: reading the system's authorities takes a while."""
        return self._given_tls or ssl.create_default_context()

    def send(self, webhook: Webhook, delivery: Delivery, at: int) -> Outcome:
        """Try a delivery once.

        Args:
            webhook: the webhook.
            delivery: what is sent.
            at: the time, in milliseconds since 1970.
        """
        begun = time.monotonic()
        outcome = self._try(webhook, delivery, at, begun + self._seconds)
        return replace(outcome, took_ms=int(1000 * (time.monotonic() - begun)))

    def _try(self, webhook: Webhook, delivery: Delivery, at: int, until: float) -> Outcome:
        try:
            target = target_of(webhook.url, private=self.private)
            resolve = in_time(self._resolve, _left(until))
            addresses = addresses_of(target, resolve, private=self.private)
            headers = _headers(webhook, delivery, target, at // 1000)
            with self._connected(target, addresses, until) as connection:
                answer = _asked(connection, target, headers, delivery.body, until)
                return _outcome(answer, at)
        except ForbiddenTarget as error:
            return Outcome(error.code)
        except Unresolved:
            return Outcome("unresolved")
        except (HTTPError, HTTPException, OSError, OutOfTime, ValueError) as error:
            return Outcome(_named(error, late=time.monotonic() >= until))

    @contextmanager
    def _connected(
        self, target: Target, addresses: list[str], until: float
    ) -> Iterator[HTTPConnection]:
        """A connection to the first of some addresses that takes one."""
        tried = addresses[:TRIED_ADDRESSES]
        for address in tried:
            connection = self._connection(target, address, _left(until))
            try:
                connection.connect()
                break
            except ConnectTimeoutError:  # Also one that was refused.
                connection.close()
                if address == tried[-1]:
                    raise
            except BaseException:
                connection.close()
                raise
        try:
            yield connection
        finally:
            connection.close()

    def _connection(self, target: Target, address: str, left: float) -> HTTPConnection:
        """A connection to be made to an address, and to no other, under the target's name."""
        timeout = min(CONNECT_SECONDS, left / 2)  # The handshake of TLS may take it once more.
        if not target.secure:
            return HTTPConnection(address, target.port, timeout=timeout)
        return HTTPSConnection(
            address,
            target.port,
            timeout=timeout,
            ssl_context=self._tls,
            server_hostname=target.host.rstrip("."),
        )


def _left(until: float) -> float:
    """How many seconds are left; raises `OutOfTime` where none are."""
    left = until - time.monotonic()
    if left <= 0:
        raise OutOfTime
    return left


def _headers(
    webhook: Webhook, delivery: Delivery, target: Target, timestamp: int
) -> dict[str, str]:
    host = f"[{target.host}]" if ":" in target.host else target.host
    usual = target.port == (443 if target.secure else 80)
    return {
        "Host": host if usual else f"{host}:{target.port}",
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "Connection": "close",
        "webhook-id": delivery.id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature(webhook.secret, delivery, timestamp),
    }


def _asked(
    connection: HTTPConnection, target: Target, headers: dict[str, str], body: str, until: float
) -> BaseHTTPResponse:
    """What an endpoint answers; its body is not read, and nowhere else is gone to."""
    left = _left(until)
    connection.timeout = left
    stop = threading.Timer(left, _cut, [connection.sock])
    stop.start()
    try:
        connection.request("POST", target.path, body.encode(), headers, preload_content=False)
        answer = connection.getresponse()
    finally:
        stop.cancel()
    _left(until)  # Headers that were cut off look like their end.
    return answer


def _outcome(answer: BaseHTTPResponse, at: int) -> Outcome:
    if 200 <= answer.status < 300:
        return Outcome()
    asked = answer.headers.get("Retry-After", "")
    return Outcome(f"status_{answer.status}", answer.status == 410, _seconds(asked, at))


def _cut(sock: socket.socket) -> None:
    """End a connection whose other side sends just enough to keep each read going."""
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        return


def _seconds(retry_after: str, at: int) -> float:
    """What a Retry-After asks for: seconds, or until a date; 0 where it can't be read."""
    text = retry_after.strip()
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    try:
        return (parsedate_to_datetime(text).astimezone(UTC) - _moment(at)).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return 0


def _moment(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)


def _named(error: Exception, *, late: bool) -> str:
    """What went wrong in a word; the error's own text may hold what an endpoint has sent."""
    if not late and isinstance(error, NewConnectionError):  # It is a kind of timeout to urllib3.
        return "unreachable"
    if late or isinstance(error, ConnectTimeoutError | TimeoutError | OutOfTime):
        return "timeout"
    return "tls" if isinstance(error, SSLError | ssl.SSLError) else "broken_answer"
