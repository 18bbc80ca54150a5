"""Metrics while Redis is away, and of processes that run by themselves."""

import socket
from pathlib import Path

import requests

from tests.api.world import World
from tests.observe.games import Game
from tests.observe.scrapes import Scrape, scrape
from tests.support.parts import Api, Part, ended, own_server
from tests.support.sentinels import free_port
from tests.support.waiting import wait_until


def test_queues_away() -> None:
    """Where the queues are away all is told but how they are."""
    world = World()
    world.queue.away = True
    told = Scrape(world.anybody.get("/metrics").text)

    assert (1, 0) == (told.sum("paiute_store_up"), told.sum("paiute_queues_up"))
    assert "paiute_queue_jobs" not in told.families


def test_parts_by_themselves(tmp_path: Path) -> None:
    """Workers tell theirs on a port; with Redis away all go on telling what they know.

    Afterwards nothing has been lost, and what was away is counted.
    """
    port = free_port()
    workers = f"http://127.0.0.1:{port}"
    with own_server(tmp_path) as server:
        api = Api(tmp_path / "api.log", server.url, "--workers", "1")
        settings = {"PAIUTE_METRICS_PORT": str(port)}
        others = Part(tmp_path / "worker.log", server.url, "worker", settings=settings)
        with ended(api, others):
            wait_until(lambda: api.is_ready, 120)
            wait_until(lambda: answers(workers), 120)
            game = Game(api.url)
            wait_until(lambda: moves_at(api.url) + moves_at(workers) == sum(game.moves.values()))
            told = [moves_at(api.url), moves_at(workers)]
            assert game.own_moves == told[0]
            assert scrape(workers).sum("paiute_jobs_total", kind="play_bot", result="done") >= 1

            server.halt()
            away = wait_until(lambda: 0 == scrape(api.url).sum("paiute_store_up"))
            assert away
            for url, before in zip((api.url, workers), told, strict=True):
                assert before == moves_at(url)
            wait_until(lambda: scrape(api.url).sum("paiute_redis_away") >= 1)
            assert scrape(api.url).sum("paiute_redis_errors_total", error="timeout") >= 1
            server.go_on()
            wait_until(lambda: 1 == scrape(api.url).sum("paiute_store_up"))
            wait_until(lambda: 0 == scrape(api.url).sum("paiute_redis_away"))


def moves_at(url: str) -> float:
    """How many moves are told at an address."""
    return scrape(url).sum("paiute_moves_total")


def answers(url: str) -> bool:
    """Whether there are metrics at an address."""
    try:
        return requests.get(f"{url}/metrics", timeout=5).ok
    except requests.ConnectionError:
        return False


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    """A worker whose port somebody else has ends, and says so."""
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        settings = {"PAIUTE_METRICS_PORT": port}
        sweep = Part(tmp_path / "sweep.log", "redis://unused.invalid", "sweep", settings=settings)
        assert 1 == sweep.process.wait(60)
    assert f"Cannot tell metrics on port {port}: Address already in use." in sweep.said
