"""Connections to Redis, with the settings that were measured to matter.

A call that gets no answer fails within two seconds, whatever has become of the server: so long may
a caller of the API wait to hear that the service is unavailable. Two tries of a reply, or one reply
and two connects, and the wait for a free connection stay below that; the next ones fail at once.
"""

import logging
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Empty
from typing import Any, cast
from urllib.parse import SplitResult, urlsplit

from redis import BlockingConnectionPool, Redis, exceptions
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff
from redis.client import Pipeline
from redis.connection import parse_url
from redis.maint_notifications import MaintNotificationsConfig
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelConnectionPool

from service import faults
from service.store.base import Unavailable
from service.store.breaker import Breaker

logger = logging.getLogger(__name__)

REPLY_SECONDS = 0.6
"""How long one try of a reply may take."""

CONNECT_SECONDS = 0.3
"""How long one try of a connect may take."""

FREE_SECONDS = 0.2
"""How long a caller waits for one of the connections to be free."""

SENTINEL_SECONDS = 0.15
"""How long one sentinel may take to say where the master is; then the next one is asked."""

SENTINEL_PORT = 26379

TELL_SECONDS = 60
"""How often it is logged that Redis refuses commands."""

_told: dict[str, float] = {}

SCHEMES = ("redis", "rediss", "unix", "redis+sentinel", "rediss+sentinel")


class BadAddress(ValueError):
    """This is no address of a Redis; the text says why, without the password that it may have."""


class GuardedPipeline(Pipeline):
    """A pipeline that fails at once while the server is known to be away."""

    breaker: Breaker

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Send all commands, and give their answers."""
        with self.breaker.call():
            return super().execute(raise_on_error)


class GuardedRedis(Redis):
    """A client whose commands fail at once while the server is known to be away."""

    breaker: Breaker

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Send a command, and give its answer."""
        with self.breaker.call():
            return super().execute_command(*args, **options)  # type: ignore[no-untyped-call]

    def pipeline(self, transaction: bool = True, shard_hint: Any = None) -> GuardedPipeline:
        """A pipeline of this client."""
        pipe = GuardedPipeline(
            self.connection_pool, self.response_callbacks, transaction, shard_hint
        )
        pipe.breaker = self.breaker
        return pipe


class SentinelPool(SentinelConnectionPool, BlockingConnectionPool):
    """Connections to whichever server is the master, where callers wait for a free one."""

    def disconnect(self, inuse_connections: bool = True) -> None:
        """Cut connections; where only idle ones are meant, nobody can take one meanwhile."""
        if inuse_connections:
            super().disconnect()
            return
        taken = []
        with suppress(Empty):
            while True:
                taken.append(self.pool.get_nowait())
        for connection in reversed(taken):
            if connection is not None:
                connection.disconnect()
            self.pool.put_nowait(connection)


def connect(url: str, connections: int = 64) -> GuardedRedis:
    """A client that may be shared between threads.

    A command is sent again once after a lost connection: the commit script knows a commit that it
    has written already, and every other write is the same when done twice.
    """
    pool = pool_at(
        url,
        max_connections=connections,
        timeout=FREE_SECONDS,
        socket_timeout=REPLY_SECONDS,
        socket_connect_timeout=CONNECT_SECONDS,
        retry=Retry(ExponentialWithJitterBackoff(cap=0.05, base=0.01), retries=1),
        retry_on_error=[exceptions.ConnectionError, exceptions.TimeoutError],
    )
    client = cast(GuardedRedis, GuardedRedis.from_pool(pool))
    client.breaker = Breaker()
    # A client that is forgotten leaves no open connection behind, not even as part of a cycle.
    weakref.finalize(client, pool.disconnect).atexit = False
    return client


def connect_for_jobs(url: str) -> Redis:
    """A client for an RQ worker, which sets its own timeouts for the calls that block."""
    retry = Retry(ExponentialWithJitterBackoff(cap=0.5, base=0.05), retries=1)
    return Redis.from_pool(pool_at(url, socket_connect_timeout=1, retry=retry))


def pool_at(url: str, **options: Any) -> BlockingConnectionPool:
    """The connections to the Redis at an address; none is opened yet.

    Raises:
        BadAddress: it is none.
    """
    parts = _split(url)
    # Notices of maintenance would stretch the timeouts; only Redis Enterprise sends them.
    options["maint_notifications_config"] = MaintNotificationsConfig(enabled=False)
    try:
        if parts.scheme.endswith("+sentinel"):
            pool = _sentinel_pool(parts, options)
        else:
            _check_plain(parts)
            pool = BlockingConnectionPool.from_url(url, **options)
        pool.connection_class(**pool.connection_kwargs)
    except BadAddress:
        raise
    except (ValueError, TypeError):
        raise BadAddress("it has an option that is not known, or a wrong value of one") from None
    return pool


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
    except ValueError:
        raise BadAddress("it can't be read") from None
    if parts.scheme not in SCHEMES:
        raise BadAddress(f"it has to begin with one of {', '.join(f'{s}://' for s in SCHEMES)}")
    if parts.fragment:
        raise BadAddress("a # in it has to be written %23")
    return parts


def _check_plain(parts: SplitResult) -> None:
    if parts.scheme != "unix":
        _host(parts.netloc.rpartition("@")[2])
        _check_database(parts.path.removeprefix("/"))
    elif not parts.path:
        raise BadAddress("it names no socket, as unix:///run/redis.sock does")


def _sentinel_pool(parts: SplitResult, options: dict[str, Any]) -> BlockingConnectionPool:
    """Connections to the master of `redis+sentinel://USER:PASSWORD@HOST:PORT,HOST:PORT/SERVICE/DB`.

    User and password are Redis' own; `sentinel_username` and `sentinel_password` in the query are
    for the sentinels.
    """
    service, _, database = parts.path.removeprefix("/").partition("/")
    if not service:
        raise BadAddress("it names no service, as redis+sentinel://HOST:26379/SERVICE does")
    _check_database(database)
    user, at, hosts = parts.netloc.rpartition("@")
    sentinels = [_host(one) for one in hosts.split(",")]
    scheme = parts.scheme.removesuffix("+sentinel")
    found = parse_url(  # type: ignore[no-untyped-call]
        f"{scheme}://{user}{at}unused/{database}?{parts.query}"
    )
    del found["host"]
    tls = found.pop("connection_class", None) is not None
    asking = {
        "username": found.pop("sentinel_username", None),
        "password": found.pop("sentinel_password", None),
        "socket_timeout": SENTINEL_SECONDS,
        "socket_connect_timeout": SENTINEL_SECONDS,
        "retry": Retry(NoBackoff(), 0),
        "ssl": tls,
        **{name: value for name, value in found.items() if name.startswith("ssl_")},
    }
    sentinel = Sentinel(sentinels, sentinel_kwargs=asking)  # type: ignore[no-untyped-call]
    return SentinelPool(  # type: ignore[no-untyped-call]
        service, sentinel, ssl=tls, **(options | found)
    )


def _host(text: str) -> tuple[str, int]:
    """A host and its port, which is a sentinel's where none is named."""
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BadAddress("its port is no number up to 65535") from None
    if not host:
        raise BadAddress("it names no host")
    return host, SENTINEL_PORT if port is None else port


def _check_database(text: str) -> None:
    if text and not (text.isascii() and text.isdigit()):
        raise BadAddress("its database is no number")


@contextmanager
def available(what: str = "tables") -> Iterator[None]:
    """Turn whatever the client says of a Redis that is away, or full, into `Unavailable`."""
    try:
        yield
    except exceptions.ResponseError as error:
        _tell(error)
        raise Unavailable("The store can't take this now (`{what}`).", what=what) from error
    except exceptions.RedisError as error:
        raise Unavailable("The store can't be reached now (`{what}`).", what=what) from error


def _tell(error: exceptions.ResponseError) -> None:
    """Log that Redis refuses commands, once a minute for each kind of error."""
    kind, now = type(error).__name__, time.monotonic()
    if now >= _told.get(kind, -TELL_SECONDS) + TELL_SECONDS:
        _told[kind] = now
        logger.warning("Redis refuses commands: %s", faults.describe(error))
