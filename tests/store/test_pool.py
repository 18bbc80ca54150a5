"""The connections of a client: whatever interrupts a command, the next one gets its own answer."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis, exceptions

from service.store.connection import GuardedRedis, connect, connect_for_jobs, pool_at
from tests.support.sentinels import free_port, watched_servers


class Interrupted(Exception):
    """What a signal raises here, as those do that end a worker or a job that takes too long."""


@contextmanager
def interrupted() -> Iterator[None]:
    """Interrupt what is done within, in which a command is waited for."""

    def interrupt(*_: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(Interrupted):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture
def one(redis: Redis, redis_url: str) -> Iterator[GuardedRedis]:
    """A client of the real server with one connection."""
    client = connect(redis_url, connections=1)
    assert isinstance(client, GuardedRedis)
    yield client
    client.close()


def test_interrupted(one: GuardedRedis) -> None:
    """An answer that was not waited for is not taken for that to the next command."""
    with interrupted():
        one.ask(("BLPOP", "nothing", 9))
    assert [b"next"] == one.ask(("ECHO", "next"))


def test_interrupted_at_sentinels_master(tmp_path: Path) -> None:
    """Nor is it where a worker waits for a job, and a sentinel has said where."""
    with watched_servers(tmp_path, careful=False) as watched:
        client = connect_for_jobs(watched.url)
        with interrupted():
            client.blpop("nothing", 9)
        assert b"next" == client.echo("next")
        client.close()


def test_what_can_not_be_sent(one: GuardedRedis) -> None:
    """A command that can't be written down takes no connection with it."""
    for _ in range(2):
        with pytest.raises(TypeError):
            one.ask(("GET", None))
    assert one.ping()


def test_all_idle_ones_are_cut(redis_url: str) -> None:
    """Where idle connections are to be cut, as they lead to an earlier master, all of them are."""
    pool = pool_at(redis_url)
    taken = [pool.get_connection() for _ in range(3)]
    for connection in taken:
        pool.release(connection)
    pool.disconnect(inuse_connections=False)
    assert [False] * 3 == [connection.is_connected for connection in taken]


def test_while_the_sentinels_are_away() -> None:
    """A connection that can't be made is tried again, rather than another one each time."""
    pool = pool_at(f"redis+sentinel://127.0.0.1:{free_port()}/games")
    for _ in range(3):
        with pytest.raises(exceptions.ConnectionError):
            pool.ask([("PING",)])
    assert 1 == len(pool._connections)
