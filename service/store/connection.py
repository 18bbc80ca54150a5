"""Connections to Redis, with the settings that were measured to matter."""

from collections.abc import Iterator
from contextlib import contextmanager

from redis import BlockingConnectionPool, Redis, exceptions
from redis.backoff import ExponentialWithJitterBackoff
from redis.retry import Retry

from service.store.base import Unavailable

TIMEOUT_SECONDS = 1.0
"""How long a connect or a reply may take; two tries make two seconds at the most."""


def connect(url: str, connections: int = 64) -> Redis:
    """A client that may be shared between threads.

    A command is sent again once after a lost connection: the commit script knows a commit that it
    has written already, and every other write is the same when done twice.
    """
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=connections,
        timeout=TIMEOUT_SECONDS,
        socket_timeout=TIMEOUT_SECONDS,
        socket_connect_timeout=TIMEOUT_SECONDS,
        retry=Retry(ExponentialWithJitterBackoff(cap=0.1, base=0.01), retries=1),
        retry_on_error=[exceptions.ConnectionError, exceptions.TimeoutError],
    )
    return Redis.from_pool(pool)


def connect_for_jobs(url: str) -> Redis:
    """A client for an RQ worker, which sets its own timeouts for the calls that block."""
    return Redis.from_url(url, retry=Retry(ExponentialWithJitterBackoff(cap=1, base=0.05), 3))


@contextmanager
def available() -> Iterator[None]:
    """Turn whatever the client says of a store that is away, or full, into `Unavailable`."""
    try:
        yield
    except exceptions.RedisError as error:
        raise Unavailable("The store of the tables can't be reached now.") from error
