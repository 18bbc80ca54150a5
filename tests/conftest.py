"""The real parts that tests run on: a Redis of their own, the whole service, and clients."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from service.config import Config
from service.store.connection import connect
from tests.support.cluster import Cluster, cluster_of
from tests.support.processes import RunningService, start_redis

SECRET = "a secret that only the tests know, 32+"


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The address of a real server of this test process alone."""
    with tempfile.TemporaryDirectory(prefix="paiute-") as folder, start_redis(Path(folder)) as url:
        yield url


@pytest.fixture(scope="session")
def whole_cluster() -> Iterator[Cluster]:
    """A real cluster of this test process alone; tests leave it whole."""
    with tempfile.TemporaryDirectory(prefix="paiute-") as folder, cluster_of(Path(folder)) as found:
        yield found


@pytest.fixture
def cluster(whole_cluster: Cluster) -> Cluster:
    """A real cluster, which is empty."""
    whole_cluster.flush()
    return whole_cluster


@pytest.fixture
def redis(redis_url: str) -> Iterator[Redis]:
    """A client of the real server, which is empty."""
    client = connect(redis_url)
    client.flushall()
    yield client
    client.close()


@pytest.fixture
def config(redis_url: str) -> Config:
    """Settings over the real server."""
    return Config(secret=SECRET, redis_url=redis_url)


@pytest.fixture(scope="session")
def service() -> Iterator[RunningService]:
    """The whole service: `paiute serve` with two API and two bot workers on an empty folder."""
    with tempfile.TemporaryDirectory(prefix="paiute-") as folder:
        running = RunningService(Path(folder))
        try:
            yield running
        finally:
            running.stop()
