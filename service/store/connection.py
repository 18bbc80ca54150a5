"""Connections to Redis, with the settings that were measured to matter.

A call that gets no answer fails within two seconds, whatever has become of the server: so long may
a caller of the API wait to hear that the service is unavailable. Two tries of a reply, or one reply
and two connects, and the wait for a free connection stay below that; the next ones fail at once.
"""

import hashlib
import logging
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast
from urllib.parse import SplitResult, urlsplit

from redis import Redis, exceptions
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff
from redis.client import Pipeline
from redis.connection import parse_url
from redis.maint_notifications import MaintNotificationsConfig
from redis.retry import Retry
from redis.sentinel import Sentinel

from service import faults
from service.observe import metrics
from service.store.base import Unavailable
from service.store.breaker import Breaker
from service.store.cluster import GuardedCluster
from service.store.pool import Command, Connection, Pool, SentinelPool
from service.store.scripts import QuickScript, script
from service.store.slots import Address

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

REDIS_PORT = 6379

SCHEMES = (
    *("redis", "rediss", "unix", "redis+sentinel", "rediss+sentinel"),
    *("redis+cluster", "rediss+cluster"),
)

RETRIED = (exceptions.ConnectionError, exceptions.TimeoutError)
"""After what a command is sent again, once."""


class BadAddress(ValueError):
    """This is no address of a Redis; the text says why, without the password that it may have."""


READS = ("GET", "HGET", "HMGET", "HGETALL", "HKEYS", "XRANGE", "ZRANGE", "ZSCORE", "SMEMBERS")
"""Commands that are timed as `read`."""

_KINDS = dict.fromkeys(READS, "read") | {
    hashlib.sha1(script("commit").encode()).hexdigest(): "commit"  # noqa: S324 - as Redis names it
}


TO_SEND_ON = (exceptions.NoScriptError, exceptions.AskError)
"""No refusals: the script is to be sent first, or the command to another server of a cluster."""


def kind_of(command: Command) -> str:
    """As what a command is timed: `read`, `commit` or `other`."""
    return _KINDS.get(str(command[command[0] == "EVALSHA"]), "other")


class GuardedPipeline(Pipeline):
    """Commands of a `GuardedRedis` that are sent at once."""

    server: "GuardedRedis"
    transaction: bool  # type: ignore[assignment]

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Send all commands, and give their answers."""
        stack, scripts = self.command_stack, self.scripts
        self.reset()
        commands: list[Command] = [args for args, _ in stack]
        if not commands:
            return []
        if self.transaction:
            commands = [("MULTI",), *commands, ("EXEC",)]
        answers = self.server.ask(*commands)
        if any(isinstance(answer, exceptions.NoScriptError) for answer in answers):
            for one in scripts:
                self.server.script_load(one.script)
            answers = self.server.ask(*commands)
        if self.transaction:
            answers = self.server.read(answers[-1], "", {})
        return [
            self.server.read(answer, args[0], options, raise_on_error=raise_on_error)
            for answer, (args, options) in zip(answers, stack, strict=True)
        ]


class GuardedRedis(Redis):
    """A client whose commands fail at once while the server is known to be away."""

    breaker: Breaker
    connection_pool: Pool

    def ask(self, *commands: Command) -> list[Any]:
        """The answers to some commands in one round trip, as they come; errors are answers."""
        kind = kind_of(commands[-1]) if len(commands) <= 2 else "pipeline"
        with self.breaker.call(kind):
            answers = self.connection_pool.ask(commands)
        for answer in answers:
            if isinstance(answer, exceptions.ResponseError) and not isinstance(answer, TO_SEND_ON):
                metrics.REDIS_ERRORS.labels("refused").inc()
        return answers

    def register_script(self, script: Any) -> QuickScript:
        """A script to call."""
        return QuickScript(self, script)

    @contextmanager
    def line(self) -> Iterator[Connection]:
        """A connection of its caller's own, to hear on what is published."""
        connection = self.connection_pool.get_connection()
        try:
            yield connection
        finally:
            connection.disconnect()
            self.connection_pool.release(connection)

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Send a command, and give its answer."""
        (answer,) = self.ask(args)
        return self.read(answer, args[0], options)

    def read(
        self, answer: Any, command: str, options: dict[str, Any], *, raise_on_error: bool = True
    ) -> Any:
        """An answer as redis-py's methods give it."""
        if isinstance(answer, Exception):
            if raise_on_error:
                raise answer
            return answer
        options.pop("keys", None)  # For redis-py's cache.
        callback = cast(Any, self.response_callbacks).get(command)
        return callback(answer, **options) if callback else answer

    def pipeline(self, transaction: bool = True, shard_hint: Any = None) -> GuardedPipeline:
        """A pipeline of this client."""
        pipe = GuardedPipeline(
            self.connection_pool, self.response_callbacks, transaction, shard_hint
        )
        pipe.server = self
        return pipe


def connect(url: str, connections: int = 64) -> GuardedRedis | GuardedCluster:
    """A client that may be shared between threads.

    A command is sent again once after a lost connection: the commit script knows a commit that it
    has written already, and every other write is the same when done twice.

    Args:
        url: where the Redis is, or a cluster of them.
        connections: how many connections to a server there are at most.

    Raises:
        BadAddress: it is none.
    """
    if not is_cluster(url):
        return _connect_to_server(url, connections)
    check_address(url)
    seeds, url_of = _cluster(url)
    # One call may meet two servers that hang, so none is waited for twice.
    once = (exceptions.ConnectionError,)
    return GuardedCluster(seeds, lambda one: _connect_to_server(url_of(one), connections, once))


def is_cluster(url: str) -> bool:
    """Whether an address is that of a cluster."""
    return url.partition(":")[0].endswith("+cluster")


def check_address(url: str) -> None:
    """Check an address of a Redis, or of a cluster.

    Raises:
        BadAddress: it is none.
    """
    if not is_cluster(url):
        pool_at(url)
        return
    seeds, url_of = _cluster(url)
    for seed in seeds:
        pool_at(url_of(seed))


def _connect_to_server(
    url: str, connections: int, retried: tuple[type[Exception], ...] = RETRIED
) -> GuardedRedis:
    pool = pool_at(
        url,
        max_connections=connections,
        timeout=FREE_SECONDS,
        socket_timeout=REPLY_SECONDS,
        socket_connect_timeout=CONNECT_SECONDS,
        retry=Retry(ExponentialWithJitterBackoff(cap=0.05, base=0.01), 1, retried),
        retry_on_error=list(retried),
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


def pool_at(url: str, **options: Any) -> Pool:
    """The connections to the Redis at an address; none is opened yet.

    Raises:
        BadAddress: it is none, or that of a cluster.
    """
    parts = _split(url)
    if is_cluster(url):
        raise BadAddress("one Redis is needed here, and no cluster")
    # Notices of maintenance would stretch the timeouts; only Redis Enterprise sends them.
    options["maint_notifications_config"] = MaintNotificationsConfig(enabled=False)
    try:
        if parts.scheme.endswith("+sentinel"):
            pool = _sentinel_pool(parts, options)
        else:
            _check_plain(parts)
            pool = Pool.from_url(url, **options)
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
        _host(parts.netloc.rpartition("@")[2], REDIS_PORT)
        _check_database(parts.path.removeprefix("/"))
    elif not parts.path:
        raise BadAddress("it names no socket, as unix:///run/redis.sock does")


def _sentinel_pool(parts: SplitResult, options: dict[str, Any]) -> Pool:
    """Connections to the master of `redis+sentinel://USER:PASSWORD@HOST:PORT,HOST:PORT/SERVICE/DB`.

    User and password are Redis' own; `sentinel_username` and `sentinel_password` in the query are
    for the sentinels.
    """
    service, _, database = parts.path.removeprefix("/").partition("/")
    if not service:
        raise BadAddress("it names no service, as redis+sentinel://HOST:26379/SERVICE does")
    _check_database(database)
    user, at, hosts = parts.netloc.rpartition("@")
    sentinels = [_host(one, SENTINEL_PORT) for one in hosts.split(",")]
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
    return SentinelPool(service, sentinel, ssl=tls, **(options | found))


def _cluster(url: str) -> tuple[list[Address], Callable[[Address], str]]:
    """The servers that `redis+cluster://USER:PASSWORD@HOST:PORT,HOST:PORT` names.

    With it comes what makes the address of any server, with the same user, password and options.
    """
    parts = _split(url)
    if parts.path.removeprefix("/") not in ("", "0"):
        raise BadAddress("a cluster has no other database than 0")
    user, at, hosts = parts.netloc.rpartition("@")
    seeds = [_host(one, REDIS_PORT) for one in hosts.split(",")]
    scheme = parts.scheme.removesuffix("+cluster")

    def url_of(server: Address) -> str:
        host = f"[{server[0]}]" if ":" in server[0] else server[0]
        return f"{scheme}://{user}{at}{host}:{server[1]}/0?{parts.query}"

    return seeds, url_of


def _host(text: str, usual_port: int) -> Address:
    """A host and its port, if it is not the usual one."""
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BadAddress("its port is no number up to 65535") from None
    if not host:
        raise BadAddress("it names no host")
    return host, usual_port if port is None else port


def _check_database(text: str) -> None:
    if text and not (text.isascii() and text.isdigit()):
        raise BadAddress("its database is no number")


class available:  # noqa: N801 - it reads as a clause: `with available():`
    """Turns whatever the client says of a Redis that is away, or full, into `Unavailable`."""

    __slots__ = ("_what",)

    def __init__(self, what: str = "tables") -> None:
        self._what = what

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        what = self._what
        if isinstance(error, exceptions.ResponseError):
            _tell(error)
            raise Unavailable("The store can't take this now (`{what}`).", what=what) from error
        if isinstance(error, exceptions.RedisError):
            raise Unavailable("The store can't be reached now (`{what}`).", what=what) from error


def _tell(error: exceptions.ResponseError) -> None:
    """Log that Redis refuses commands, once a minute for each kind of error."""
    kind, now = type(error).__name__, time.monotonic()
    if now >= _told.get(kind, -TELL_SECONDS) + TELL_SECONDS:
        _told[kind] = now
        logger.warning("Redis refuses commands: %s", faults.describe(error))
