"""The processes that are measured: the whole service, those of others, and a Redis by itself."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import redis

from bench.driver import Address
from bench.flask_draw import URL
from service import embedded, launcher
from service.cli import THREADS
from service.config import BUDGETS
from tests.support import npm

START_SECONDS = 30
WIDE: dict[str, Any] = {
    f"{budget}_{what}": 1_000_000 for budget in BUDGETS for what in ("per_second", "burst")
} | {"max_tables": 0, "streams_per_token": 0}
"""Settings by which requests are counted as ever, and none is refused."""

SETTINGS = {f"PAIUTE_{name.upper()}": str(number) for name, number in WIDE.items()}
"""The same as environment variables."""

SERVICE = "service.api:create_app()"
HELLO = "bench.hello:create_app()"
BY_HAND = "bench.flask_draw:create_app()"


@contextlib.contextmanager
def pinned(cores: set[int] | None) -> Iterator[None]:
    """Let this process, and what it starts meanwhile, run on some cores only."""
    if cores is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@dataclass(frozen=True, slots=True)
class Server:
    """A running server.

    Args:
        pid: the process that everything else of it is under.
        address: where it listens.
        store: the process of its Redis, where that is not under the other one.
        url: the address of its Redis; empty if it has none.
    """

    pid: int
    address: Address
    store: int | None = None
    url: str = ""

    @property
    def pids(self) -> tuple[int, ...]:
        """All roots."""
        return (self.pid,) if self.store is None else (self.pid, self.store)


@contextlib.contextmanager
def service(data: Path, workers: int) -> Iterator[Server]:
    """`paiute serve` on a free port and a data folder."""
    command = [sys.executable, "-m", "service.cli", "serve", "--port", "0"]
    options = ["--data", str(data), "--workers", str(workers)]
    with _running([*command, *options], stdout=subprocess.PIPE, settings=SETTINGS) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        if not first.startswith("paiute: http://"):
            raise RuntimeError(f"`paiute serve` has not started; it said {first!r}.")
        host, _, port = first.removeprefix("paiute: http://").strip().rpartition(":")
        yield Server(process.pid, (host, int(port)), url=store_url(data))


@contextlib.contextmanager
def flask(application: str, workers: int, redis_url: str = "") -> Iterator[Server]:
    """A Flask application under the command that serves the API."""
    with launcher.listen("127.0.0.1", 0) as listening:
        command = launcher.gunicorn_command(launcher.bind_of(listening), workers, THREADS)
        assert SERVICE in command
        command = [application if word == SERVICE else word for word in command]
        with _on(listening, command, {URL: redis_url}) as server:
            yield server


@contextlib.contextmanager
def fastapi(workers: int, redis_url: str) -> Iterator[Server]:
    """The draw by hand in FastAPI, under uvicorn.

    It is told a port: sockets that are handed down it takes for Unix sockets, without TCP_NODELAY.
    """
    address = _free_address()
    command = [sys.executable, "-m", "uvicorn", "bench.fastapi_draw:create_app", "--factory"]
    command += ["--port", str(address[1]), "--workers", str(workers)]
    command += ["--no-access-log", "--log-level", "warning"]
    with _running(command, settings={URL: redis_url}) as process:
        _wait_until(lambda: socket.create_connection(address).close())
        yield Server(process.pid, address)


@contextlib.contextmanager
def node(script: Path, *arguments: str) -> Iterator[Server]:
    """A server for Node.js, which is told a free port."""
    address = _free_address()
    command = [npm.node(), str(script), str(address[1]), *arguments]
    with _running(command, settings={"NODE_ENV": "production"}) as process:
        _wait_until(lambda: socket.create_connection(address).close())
        yield Server(process.pid, address)


@contextlib.contextmanager
def streams(data: Path, most: int) -> Iterator[Server]:
    """One process of `paiute streams`, beside the service of a data folder."""
    store = {"PAIUTE_REDIS_URL": store_url(data), "PAIUTE_SECRET": embedded.secret_in(data)}
    with launcher.listen("127.0.0.1", 0) as listening:
        command = launcher.streams_command(launcher.bind_of(listening), 1, 3 * most)
        with _on(listening, command, launcher.env_of_streams(SETTINGS | store, most)) as server:
            yield server


@contextlib.contextmanager
def _on(
    listening: socket.socket,
    command: list[str],
    settings: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Server]:
    """A server on a listening socket."""
    with _running(command, pass_fds=(listening.fileno(),), settings=settings) as process:
        yield Server(process.pid, listening.getsockname()[:2])


@contextlib.contextmanager
def store(data: Path) -> Iterator[tuple[str, int]]:
    """A Redis by itself, as the service starts it; gives its URL and its process id."""
    socket = embedded.socket_in(data)
    with _running(embedded.server_command(data, socket)) as process:
        url = store_url(data)
        with redis.Redis.from_url(url) as client:
            _wait_until(client.ping)
        yield url, process.pid


def store_url(data: Path) -> str:
    """Where the Redis of a data folder is reached."""
    return f"unix://{embedded.socket_in(data)}"


@contextlib.contextmanager
def _running(
    command: list[str],
    stdout: int = subprocess.DEVNULL,
    pass_fds: tuple[int, ...] = (),
    settings: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[subprocess.Popen[str]]:
    env = {name: text for name, text in os.environ.items() if not name.startswith("PAIUTE_")}
    env |= settings
    process = subprocess.Popen(command, stdout=stdout, env=env, pass_fds=pass_fds, text=True)
    with process:
        try:
            yield process
        finally:
            process.terminate()


def _free_address() -> Address:
    with launcher.listen("127.0.0.1", 0) as listening:
        host, port = listening.getsockname()
        return host, port


def _wait_until(answers: Callable[[], object]) -> None:
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            answers()
        except (redis.RedisError, OSError):
            if time.monotonic() > until:
                raise
            time.sleep(0.02)
        else:
            return
