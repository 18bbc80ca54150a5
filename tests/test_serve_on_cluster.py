"""`paiute serve` and `paiute audit` with the tables on a cluster."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from service.store.connection import connect
from service.store.redis_store import RedisStore
from tests.support.cluster import Cluster
from tests.support.patient import Patient, check
from tests.support.processes import UNLIMITED, RunningService

TABLES = 4
"""So many that they lie on more than one server, and on another one than their player."""


@pytest.fixture
def stores(cluster: Cluster, redis: Redis, redis_url: str) -> dict[str, str]:
    """The settings that name the cluster, and another Redis for the queues."""
    return {"PAIUTE_REDIS_URL": cluster.url, "PAIUTE_QUEUE_REDIS_URL": redis_url}


@pytest.fixture
def url(stores: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """The address of the whole service on them."""
    running = RunningService(tmp_path, settings=UNLIMITED | stores)
    yield running.url
    running.stop()


def test_deals_on_a_cluster(stores: dict[str, str], cluster: Cluster, url: str) -> None:
    """Deals against bots are played to their end, every move once, and all chips are there."""
    player = Patient(lambda: url)
    store = RedisStore(connect(cluster.url), 3600, 4)
    bots = [{"level": "easy"}] * 2
    for _ in range(TABLES):
        view = player.create(seats=3, bots=bots, deals=1, turn_seconds=0, thinking_ms=0)
        assert check(store, view["id"], player.play(view))
    player.close()
    said = subprocess.run(
        [sys.executable, "-m", "service.cli", "audit"],
        env={**os.environ, **stores},
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == said.returncode, said.stdout + said.stderr
    assert f"tables: {TABLES}," in said.stdout


def test_a_cluster_without_queues(stores: dict[str, str], tmp_path: Path) -> None:
    """Without another Redis for the queues it says what is missing, and does not start."""
    env = {name: text for name, text in os.environ.items() if not name.startswith("PAIUTE_")}
    said = subprocess.run(
        [sys.executable, "-m", "service.cli", "serve", "--port", "0", "--data", str(tmp_path)],
        env={**env, "PAIUTE_REDIS_URL": stores["PAIUTE_REDIS_URL"]},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert 1 == said.returncode
    assert "PAIUTE_QUEUE_REDIS_URL has to name a Redis for the queues" in said.stderr
