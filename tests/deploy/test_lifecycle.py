"""What the manifests say of health and end is what the processes do.

Each is run as its pod would run it, and its probes are sent as the manifest has them.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests

from tests.support import landlock
from tests.support.client import Client
from tests.support.parts import SECRET, Server, own_server
from tests.support.waiting import wait_until

from .manifests import APIS, COMMANDS, PORTLESS, Manifest
from .pods import Pod, running

START_SECONDS = 150
"""Many processes start at once; on an idle machine it takes a few."""

LONG_AGO = 120
"""Seconds; for longer than any probe lets a process be silent."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A Redis for these tests alone."""
    with own_server(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(scope="module")
def secret(server: Server) -> dict[str, str]:
    """The least that the Secret of production has to hold."""
    return {"secret": SECRET, "redis-url": server.url}


@pytest.fixture(scope="module")
def pods(
    prod: list[Manifest], secret: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Pod]]:
    """One pod of each workload of production, started and ready."""
    with running(prod, list(COMMANDS), secret, tmp_path_factory.mktemp("pods")) as pods:
        for pod in pods.values():
            await_probe(pod, "startupProbe")
        yield pods


def await_probe(pod: Pod, probe: str) -> None:
    """Wait until a probe passes; one that runs a command takes some CPU, so it waits in between."""

    def passes() -> bool:
        assert pod.process.poll() is None, pod.said
        return pod.passes(probe)

    wait_until(passes, START_SECONDS, every=0.2)


def await_status(pod: Pod, path: str, status: int) -> None:
    """Wait until an answer has a status."""
    wait_until(lambda: pod.status(path) == status, every=0.05)


def grow_old(pod: Pod) -> None:
    """Let a process's pulse be so old as though it had done nothing for long."""
    os.utime(pod.tmp / "pulse", (time.time() - LONG_AGO,) * 2)


@pytest.mark.parametrize("workload", COMMANDS)
def test_each_starts_and_lives(pods: dict[str, Pod], workload: str) -> None:
    """With what its manifest gives it, and with nothing else to write to, each process starts."""
    pod = pods[workload]
    assert pod.passes("livenessProbe"), pod.said
    assert pod.process.poll() is None
    assert "Traceback" not in pod.said


@pytest.mark.parametrize("workload", APIS)
def test_readiness_turns_true(pods: dict[str, Pod], workload: str) -> None:
    """What answers requests becomes ready by itself."""
    await_probe(pods[workload], "readinessProbe")


@pytest.mark.parametrize("workload", COMMANDS)
def test_prometheus_is_answered(pods: dict[str, Pod], workload: str) -> None:
    """Each pod has metrics at the one port that its manifest announces."""
    [port] = pods[workload].ports.values()
    answer = requests.get(f"http://127.0.0.1:{port}/metrics", timeout=10)
    assert 200 == answer.status_code
    assert "# HELP paiute_" in answer.text


def test_a_stuck_process_is_noticed(pods: dict[str, Pod]) -> None:
    """A worker that does nothing any more fails its probe, and passes it when it goes on."""
    portless = [pods[workload] for workload in PORTLESS]
    for pod in portless:
        pod.process.send_signal(signal.SIGSTOP)
        grow_old(pod)
    try:
        assert not any(pod.passes("livenessProbe") for pod in portless)
    finally:
        for pod in portless:
            pod.process.send_signal(signal.SIGCONT)
    for pod in portless:
        await_probe(pod, "livenessProbe")


def test_without_redis_all_live(pods: dict[str, Pod], server: Server) -> None:
    """While Redis is away what answers requests is not ready, but nothing has to start again."""
    server.kill()
    try:
        for workload in APIS:
            await_status(pods[workload], "/readyz", 503)
        for workload in PORTLESS:
            grow_old(pods[workload])
        for pod in pods.values():
            await_probe(pod, "livenessProbe")
    finally:
        server.start()
    for workload in APIS:
        await_probe(pods[workload], "readinessProbe")


@pytest.mark.skipif(not landlock.is_there(), reason="The kernel has no Landlock.")
def test_the_rest_of_the_file_system_is_read_only(tmp_path: Path) -> None:
    """The pods of these tests can't write beside their `/tmp`: else they would prove nothing."""
    inside = tmp_path / "tmp"
    inside.mkdir()
    for path, status in ((inside / "a", 0), (tmp_path / "b", 1)):
        done = subprocess.run(
            [sys.executable, "-c", f"open({str(path)!r}, 'w')"],
            check=False,
            capture_output=True,
            preexec_fn=landlock.writing_to([inside]),
        )
        assert status == done.returncode


def long_poll(pod: Pod, client: Client, table: str) -> int:
    """Wait for a table to change; gives the status."""
    headers = {"Authorization": str(client.http.headers["Authorization"]), "If-None-Match": '"1"'}
    url = f"http://127.0.0.1:{pod.ports['http']}/v1/tables/{table}?wait=25"
    return requests.get(url, headers=headers, timeout=60).status_code


def test_each_ends_in_time(pods: dict[str, Pod]) -> None:
    """At SIGTERM an API is not ready first, serves on, answers who waits; all end well in time.

    The last of these tests: the pods are gone then.
    """
    apis = [pods[workload] for workload in APIS]
    client = Client(f"http://127.0.0.1:{apis[0].ports['http']}")
    table = client.create(seats=2)["id"]
    with contextlib.closing(client), ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(long_poll, pod, client, table) for pod in apis]
        with pytest.raises(TimeoutError):
            waiting[0].result(0.5)
        begun = time.monotonic()
        for pod in pods.values():
            pod.ask_to_stop()
        for pod in apis:
            await_status(pod, "/readyz", 503)
            assert 200 == pod.status("/healthz"), "it serves on while others hear of it"
        assert [304, 304] == [one.result() for one in waiting]
    for name, pod in pods.items():
        left = begun + pod.grace_seconds - time.monotonic()
        assert 0 == pod.process.wait(left), f"{name}: {pod.said}"
        assert "Traceback" not in pod.said
