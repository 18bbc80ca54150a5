"""The connections of a client, and one round trip over them."""

import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import hiredis
from redis import BlockingConnectionPool, exceptions
from redis.retry import Retry
from redis.sentinel import (
    SentinelConnectionPool,
    SentinelManagedConnection,
    SentinelManagedSSLConnection,
)

Connection = Any
"""One of `redis.connection`, whose types say little."""

Command = Sequence[Any]
"""The name of a command of Redis, and its arguments: texts, bytes and numbers."""


class Pool(BlockingConnectionPool):
    """Connections that threads share: whoever needs one takes the one that was used last.

    It is handed out unseen, which saves a third of a round trip's time.  One that the server has
    closed is found out by its command, which is then sent again.
    """

    def reset(self) -> None:
        """Begin with no connection, as a process that was just forked has to."""
        super().reset()  # type: ignore[no-untyped-call]
        self._idle: deque[Connection] = deque()
        self._places = threading.Semaphore(self.max_connections)

    def get_connection(self, *_: Any, **__: Any) -> Connection:
        """A connection.

        Raises:
            ConnectionError: none was free in time, or the server is away.
            TimeoutError: the server does not answer.
        """
        connection = self._take()
        try:
            connection.connect()
        except BaseException:
            self.release(connection)
            raise
        return connection

    def _take(self) -> Connection:
        """A connection that may not be connected."""
        self._checkpid()
        if not self._places.acquire(timeout=self.timeout):
            raise exceptions.ConnectionError("No connection is free.")
        try:
            return self._idle.pop()
        except IndexError:
            return self._made()

    def _made(self) -> Connection:
        try:
            return self.make_connection()  # type: ignore[no-untyped-call]
        except BaseException:
            self._places.release()
            raise

    def release(self, connection: Connection) -> None:
        """Take a connection back."""
        self._checkpid()
        if not self.owns_connection(connection):  # It leads to an earlier master.
            connection.disconnect()
        if connection.pid == self.pid:  # Else it is that of the process that was forked.
            self._idle.append(connection)
        self._places.release()

    def _prepare(self, connection: Connection) -> None:
        """Nothing: a command connects by itself, and tries it less often than `connect` does."""

    def disconnect(self, inuse_connections: bool = True) -> None:
        """Cut connections; where only idle ones are meant, nobody can take one meanwhile."""
        if inuse_connections:
            super().disconnect()
            return
        for _ in range(len(self._idle)):
            with suppress(IndexError):
                connection = self._idle.popleft()
                connection.disconnect()
                self._idle.append(connection)

    def ask(self, commands: Sequence[Command]) -> list[Any]:
        """The answers to commands that are sent at once, in one round trip; errors are answers.

        Raises:
            ConnectionError: the server is away.
            TimeoutError: it takes too long to answer.
        """
        sent = b"".join(map(_packed, commands))
        connection = self._take()

        def exchange() -> list[Any]:
            self._prepare(connection)
            connection.send_packed_command((sent,), check_health=False)
            return [_answer(connection) for _ in commands]

        try:
            again: Retry = connection.retry
            return again.call_with_retry(exchange, lambda _: connection.disconnect())
        except BaseException:  # Whatever has interrupted it, an answer may still be under way.
            connection.disconnect()
            raise
        finally:
            self.release(connection)


def _packed(command: Command) -> bytes:
    """A command as it is sent; names of several words are sent word by word."""
    name, *arguments = command
    assert isinstance(name, str)
    packed: bytes = hiredis.pack_command((*name.split(), *arguments))
    return packed


def _answer(connection: Connection) -> Any:
    try:
        return connection.read_response()
    except exceptions.ResponseError as error:
        return error


class ToMaster(SentinelManagedConnection):
    """A connection to the master.

    As any other, and unlike its base, it is cut where an answer was not waited for: that would be
    taken for the answer to the next command.
    """

    def read_response(self, *args: Any, disconnect_on_error: bool | None = True, **how: Any) -> Any:
        """The answer to a command."""
        return super().read_response(*args, disconnect_on_error=disconnect_on_error, **how)


class ToMasterOverTls(ToMaster, SentinelManagedSSLConnection):
    """The same over TLS."""


class SentinelPool(SentinelConnectionPool, Pool):
    """Connections to whichever server is the master."""

    def __init__(self, *args: Any, ssl: bool, **options: Any) -> None:
        kind = ToMasterOverTls if ssl else ToMaster
        super().__init__(  # type: ignore[no-untyped-call]
            *args, connection_class=kind, **options
        )

    def _prepare(self, connection: Connection) -> None:
        """Ask a sentinel where the master is, unless it is connected."""
        connection.connect()
