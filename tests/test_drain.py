"""How the processes of the service end: what they still do, and that it does not take long."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests
from redis import Redis
from rq import Worker as RqWorker
from rq.job import Job

from service.store.keys import CHANGED
from service.store.queues import queue
from tests.support.client import Client, Json
from tests.support.parts import Api, Part, Server, ended, own_server
from tests.support.waiting import wait_until
from tests.test_launcher import is_there

DRAIN_SECONDS = 100

SOON = 15
"""Within so many seconds what should come at once is there, on a very busy machine too."""

STOP_SECONDS = 30
"""A few seconds on an idle machine, and less than a long poll may take."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A Redis for these tests alone."""
    with own_server(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def redis(server: Server) -> Iterator[Redis]:
    """A client of it; it is empty."""
    with Redis.from_url(server.url) as client:
        client.flushall()
        yield client


@pytest.fixture
def api(server: Server, redis: Redis, tmp_path: Path) -> Iterator[Api]:
    """An API of one process that would drain for long."""
    options = ("--workers", "1", "--drain-seconds", str(DRAIN_SECONDS))
    api = Api(tmp_path / "api", server.url, *options)
    with ended(api):
        wait_until(lambda: api.is_ready)
        yield api


@pytest.fixture
def keola(api: Api) -> Iterator[Client]:
    """A player."""
    client = Client(api.url)
    yield client
    client.close()


def poll(client: Client, view: Json) -> tuple[int, float]:
    """Wait for a table to change; gives the status, and how many seconds it took."""
    begun = time.monotonic()
    headers = {
        "Authorization": str(client.http.headers["Authorization"]),
        "If-None-Match": f'"{view["version"]}"',
    }
    url = f"{client.url}/v1/tables/{view['id']}?wait=30"
    answer = requests.get(url, headers=headers, timeout=60)
    return answer.status_code, time.monotonic() - begun


def test_it_serves_on_while_it_is_not_ready(api: Api, keola: Client) -> None:
    """After SIGTERM it is not ready, but serves on, keeps nobody, and nobody begins to wait."""
    view = keola.create(seats=2)
    with ThreadPoolExecutor(8) as pool:
        polls = [pool.submit(poll, keola, view) for _ in range(8)]
        with pytest.raises(TimeoutError):
            polls[0].result(0.5)
        api.ask_to_stop()
        wait_until(lambda: api.status() == 503, SOON)
        assert {304} == {one.result(SOON)[0] for one in polls}, "who waits is answered early"
    assert 200 == api.status("/healthz")
    answer = keola.get(f"/tables/{view['id']}")
    assert (200, "close") == (answer.status_code, answer.headers["Connection"])
    assert 200 == keola.post(f"/tables/{view['id']}/leave").status_code
    status, seconds = poll(keola, keola.create(seats=2))
    assert 304 == status
    assert seconds < SOON
    assert "Traceback" not in api.said


def test_it_ends_when_its_time_is_over(server: Server, tmp_path: Path) -> None:
    """It drains for as long as it was told to, and then ends in peace."""
    api = Api(tmp_path / "api", server.url, "--workers", "1", "--drain-seconds", "1.5")
    with ended(api):
        wait_until(lambda: api.is_ready)
        begun = time.monotonic()
        assert 0 == api.stop(STOP_SECONDS)
        assert time.monotonic() - begun >= 1.5
        assert api.status("/healthz") is None


def test_without_draining_open_requests_are_finished(
    server: Server, redis: Redis, tmp_path: Path
) -> None:
    """Where nothing is to be drained SIGTERM ends it at once, but not before all are answered."""
    api = Api(tmp_path / "api", server.url, "--workers", "1")
    with ended(api), ThreadPoolExecutor(1) as pool:
        wait_until(lambda: api.is_ready)
        client = Client(api.url)
        waiting = pool.submit(poll, client, client.create(seats=2))
        wait_until(lambda: redis.pubsub_channels(f"{CHANGED}*"))
        assert 0 == api.stop(STOP_SECONDS)
        assert 304 == waiting.result()[0]
        client.close()


def test_a_second_signal_ends_the_draining(api: Api) -> None:
    """Who sends SIGTERM twice does not want to wait."""
    api.ask_to_stop()
    wait_until(lambda: api.status() == 503, SOON)
    assert 0 == api.stop(STOP_SECONDS)


@pytest.mark.parametrize("draining", [False, True])
def test_a_dead_gunicorn_is_started_again(api: Api, draining: bool) -> None:
    """Where gunicorn dies another one takes its place, on the same port, while draining too."""
    if draining:
        api.ask_to_stop()
        wait_until(lambda: api.status() == 503, SOON)
    before = api.descendants()
    os.kill(before[0], signal.SIGKILL)
    wait_until(lambda: not any(map(is_there, before)))  # Its workers serve on until they notice.
    wait_until(lambda: api.status("/healthz") == 200)
    assert (503 if draining else 200) == api.status()


def test_a_port_in_use(api: Api, server: Server, tmp_path: Path) -> None:
    """A port that somebody else has is refused with a plain message."""
    port = api.url.rpartition(":")[2]
    second = Part(tmp_path / "second", server.url, "api", "--port", port)
    assert 1 == second.process.wait(30)
    assert f"Error: Cannot listen on 127.0.0.1:{port}: Address already in use." in second.said
    assert "Traceback" not in second.said


def test_a_worker_finishes_its_job(server: Server, redis: Redis, tmp_path: Path) -> None:
    """SIGTERM in the middle of a job lets the job be done; then the worker takes no other one."""
    worker = Part(tmp_path / "worker", server.url, "worker", "bots")
    with ended(worker):
        bots, begun, done = queue("bots", redis), tmp_path / "begun", tmp_path / "done"
        at_work = f"touch {begun}; sleep 1; touch {done}"
        jobs = [bots.enqueue_call("subprocess.call", (["sh", "-c", at_work],)) for _ in range(2)]
        wait_until(begun.exists)
        assert 0 == worker.stop(STOP_SECONDS)
    assert done.exists()
    assert [False, True] == [Job.exists(job.id, redis) for job in jobs]
    assert ([jobs[1].id], []) == (bots.job_ids, bots.intermediate_queue.get_job_ids())


@pytest.mark.parametrize("command", [["sweep"], ["worker", "clock"], ["worker"]])
def test_idle_processes_stop_at_once(
    server: Server, redis: Redis, tmp_path: Path, command: list[str]
) -> None:
    """A sweep, and a worker without a job, end within a moment."""
    part = Part(tmp_path / "part", server.url, *command)
    with ended(part):
        wait_until(lambda: part.said or len(redis.client_list()) > 1)
        wait_until(lambda: command == ["sweep"] or at_rest(redis))
        begun = time.monotonic()
        assert 0 == part.stop(STOP_SECONDS)
        assert time.monotonic() - begun < STOP_SECONDS / 3
        assert "Traceback" not in part.said


def at_rest(redis: Redis) -> bool:
    """Whether there are workers, and all of them wait for a job."""
    workers = RqWorker.all(redis)
    return bool(workers) and all(worker.get_state() == "idle" for worker in workers)


def test_workers_without_redis_stop_too(tmp_path: Path) -> None:
    """A worker that can't reach its queues says so, tries again, and ends when it is told to."""
    part = Part(tmp_path / "part", f"unix://{tmp_path}/nothing.sock", "worker", "bots")
    with ended(part):
        wait_until(lambda: part.said.count("the worker goes on when the queues are back") > 1)
        part.ask_to_stop()
        assert part.process.wait(STOP_SECONDS) in (0, -signal.SIGTERM)
        assert "Traceback" not in part.said
