"""Addresses of a Redis, and what a client does while it is away."""

import gc
from pathlib import Path
from typing import Any

import pytest
from redis import Redis, exceptions
from redis.connection import SSLConnection, UnixDomainSocketConnection
from redis.sentinel import SentinelManagedSSLConnection

from service.store import connection
from service.store.base import Unavailable
from service.store.cluster import GuardedCluster
from service.store.connection import (
    BadAddress,
    available,
    check_address,
    connect,
    pool_at,
)
from service.store.pool import SentinelPool
from tests.support.waiting import wait_until


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("redis://store", {"host": "store"}),
        ("redis://u:p%23@store:7/3", {"host": "store", "port": 7, "db": 3, "password": "p#"}),
        ("rediss://store/0?ssl_cert_reqs=none", {"host": "store", "ssl_cert_reqs": "none"}),
        ("unix:///run/redis.sock?db=2", {"path": "/run/redis.sock", "db": 2}),
        ("redis://store?socket_timeout=3", {"socket_timeout": 3.0}),
    ],
)
def test_plain_addresses(url: str, wanted: dict[str, object]) -> None:
    """What the client's own addresses say is what is connected to, and their options win."""
    pool = pool_at(url, socket_timeout=1)
    kwargs = pool.connection_kwargs
    assert wanted == {name: kwargs[name] for name in wanted}
    tls = issubclass(pool.connection_class, SSLConnection)
    assert url.startswith("rediss") is tls
    assert url.startswith("unix") is issubclass(pool.connection_class, UnixDomainSocketConnection)


def sentinels(pool: SentinelPool) -> list[tuple[str, int]]:
    """The sentinels that are asked."""
    asked = [client.connection_pool.connection_kwargs for client in pool.sentinel_manager.sentinels]
    return [(one["host"], one["port"]) for one in asked]


def test_sentinels() -> None:
    """An address of sentinels names them, the service, and what Redis itself wants to know."""
    pool = pool_at("redis+sentinel://me:p%40ss@one:1,[::2]:2,three/games/4", max_connections=7)
    assert isinstance(pool, SentinelPool)
    assert "games" == pool.service_name
    assert [("one", 1), ("::2", 2), ("three", 26379)] == sentinels(pool)
    kwargs = pool.connection_kwargs
    assert ("me", "p@ss", 4) == (kwargs["username"], kwargs["password"], kwargs["db"])
    assert 7 == pool.max_connections
    for client in pool.sentinel_manager.sentinels:
        assert client.connection_pool.connection_kwargs["password"] is None


def test_sentinels_over_tls() -> None:
    """`rediss+sentinel` is TLS to the sentinels too, who may have a password of their own."""
    url = "rediss+sentinel://:p@one/games?ssl_cert_reqs=none&sentinel_password=q"
    pool = pool_at(url)
    assert isinstance(pool, SentinelPool)
    assert issubclass(pool.connection_class, SentinelManagedSSLConnection)
    [client] = pool.sentinel_manager.sentinels
    asked = client.connection_pool
    assert issubclass(asked.connection_class, SSLConnection)
    wanted = {"password": "q", "ssl_cert_reqs": "none"}
    assert wanted == {name: asked.connection_kwargs[name] for name in wanted}
    assert "p" == pool.connection_kwargs["password"]


def test_a_cluster() -> None:
    """An address of a cluster names some servers; all have the same user, password and options."""
    url = "rediss+cluster://me:p%40ss@one:1,[::2]:2,three?ssl_cert_reqs=none"
    client = connect(url, connections=7)
    assert isinstance(client, GuardedCluster)
    assert (("one", 1), ("::2", 2), ("three", 6379)) == client.members.seeds
    for host, port in (*client.members.seeds, ("found", 4)):
        pool = client.members.server((host, port)).connection_pool
        kwargs = pool.connection_kwargs
        wanted = (host, port, "me", "p@ss", "none")
        names = ("host", "port", "username", "password", "ssl_cert_reqs")
        assert wanted == tuple(kwargs[name] for name in names)
        assert (SSLConnection, 7) == (pool.connection_class, pool.max_connections)
    assert "p@ss" not in repr(client)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("redis+cluster://", "names no host"),
        ("redis+cluster://one,,two", "names no host"),
        ("redis+cluster://:secret@one:port", "port is no number"),
        ("redis+cluster://one/1", "no other database than 0"),
        ("redis+cluster://one/secret", "no other database than 0"),
        ("redis+cluster://one?secret=1", "option that is not known"),
    ],
)
def test_what_is_no_cluster(url: str, why: str) -> None:
    """What is no address of a cluster is refused as well, by whoever would connect to it."""
    for check in (check_address, connect):
        with pytest.raises(BadAddress, match=why) as refused:
            check(url)
        assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("redis+cluster://one", "one Redis is needed here"),
        ("", "begin with one of redis://, rediss://, unix://, redis"),
        ("store:6379", "begin with one of"),
        ("http://store", "begin with one of"),
        ("redis://", "names no host"),
        ("redis://:secret@/0", "names no host"),
        ("redis://store:port", "port is no number"),
        ("redis://store:99999", "port is no number"),
        ("redis://:secret/secret@store", "port is no number"),
        ("redis://:secret#secret@store", "a # in it has to be written %23"),
        ("redis://store/games", "database is no number"),
        ("redis://store/0?secret=1", "option that is not known"),
        ("redis://store/0?socket_timeout=secret", "wrong value"),
        ("redis://[::1", "can't be read"),
        ("unix://", "names no socket"),
        ("redis+sentinel://one,two", "names no service"),
        ("redis+sentinel://one,,two/games", "names no host"),
        ("redis+sentinel://one:1:2/games", "port is no number"),
        ("redis+sentinel://one/games/secret", "database is no number"),
    ],
)
def test_what_is_no_address(url: str, why: str) -> None:
    """What is no address is refused with the reason, which shows nothing of a password."""
    with pytest.raises(BadAddress, match=why) as refused:
        pool_at(url)
    assert "secret" not in str(refused.value)


def test_while_away_calls_fail_at_once(tmp_path: Path) -> None:
    """Once a client knows that its Redis is away, commands and pipelines don't try."""
    client = connect(f"unix://{tmp_path}/nothing.sock")
    with pytest.raises(exceptions.ConnectionError, match="No such file"):
        client.ping()
    with pytest.raises(exceptions.ConnectionError, match="away a moment ago"):
        client.ping()
    pipe = client.pipeline()
    pipe.ping()
    with pytest.raises(exceptions.ConnectionError, match="away a moment ago"):
        pipe.execute()


def test_each_client_finds_out_for_itself(redis: Redis, redis_url: str, tmp_path: Path) -> None:
    """That one Redis is away says nothing of another one."""
    away, there = connect(f"unix://{tmp_path}/nothing.sock"), connect(redis_url)
    with pytest.raises(exceptions.ConnectionError):
        away.ping()
    assert there.ping()
    there.close()


def test_a_forgotten_client_leaves_no_connection_open(redis: Redis, redis_url: str) -> None:
    """A client that goes with a cycle of garbage takes its connections with it."""
    cycle: dict[str, Any] = {"client": connect(redis_url)}
    cycle["itself"] = cycle
    assert cycle["client"].ping()
    name = f"forgotten-{id(cycle)}"
    cycle["client"].client_setname(name)
    del cycle
    gc.collect()

    wait_until(lambda: name not in {client["name"] for client in redis.client_list()})


def test_refusals_are_unavailable(
    redis: Redis, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Redis refuses is `Unavailable`, and the log names the kind once, not the content."""
    monkeypatch.setattr(connection, "_told", {})
    for _ in range(3):
        with (
            pytest.raises(Unavailable, match=r"can't take this now .`thing`"),
            available("thing"),
        ):
            redis.eval("return redis.error_reply('ODD Ah Kd')", 0)
    [said] = caplog.messages
    assert "ResponseError" in said
    assert "Ah" not in said
