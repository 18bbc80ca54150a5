"""The parts of the service, each a process of its own as on servers, over a server of the test."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import requests
from redis import Redis

from service import embedded
from tests.support.processes import UNLIMITED, answers, descendants_of
from tests.support.waiting import wait_until

SECRET = "a secret that only the tests know, 32+"


class Killable:
    """A process that is killed or halted in a test."""

    process: subprocess.Popen[bytes]

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait()

    def halt(self) -> None:
        """Let it do nothing more, with its connections open."""
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on."""
        self.process.send_signal(signal.SIGCONT)


class Server(Killable):
    """A server that can be killed, and started again on the same data."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = embedded.socket_in(folder)
        self.url = f"unix://{self.socket}"
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.process = subprocess.Popen(
            embedded.server_command(self.folder, self.socket), stdout=subprocess.DEVNULL
        )
        with Redis.from_url(self.url) as client:
            wait_until(lambda: answers(client))


@contextlib.contextmanager
def own_server(folder: Path) -> Iterator[Server]:
    """A server that is ended afterwards, whatever its state."""
    server = Server(folder)
    try:
        yield server
    finally:
        server.kill()


class Part:
    """A command of `paiute`, whose complaints go to a file."""

    def __init__(
        self, log: Path, redis_url: str, *arguments: str, settings: Mapping[str, str] = {}
    ) -> None:
        self._log = log
        self.command = [sys.executable, "-m", "service.cli", *arguments]
        env = {name: text for name, text in os.environ.items() if "PAIUTE_" not in name}
        self._env = env | UNLIMITED | {"PAIUTE_SECRET": SECRET, "PAIUTE_REDIS_URL": redis_url}
        self._env |= settings
        self.start()

    def start(self) -> None:
        """Start it, once more where it has ended."""
        with self._log.open("a") as log:
            self.process = subprocess.Popen(self.command, stderr=log, stdout=log, env=self._env)

    @property
    def said(self) -> str:
        """What it has complained of."""
        return self._log.read_text()

    def ask_to_stop(self) -> None:
        """Send SIGTERM."""
        self.process.terminate()

    def stop(self, seconds: float = 60) -> int:
        """Send SIGTERM, and wait for the end; gives its code."""
        self.ask_to_stop()
        return self.process.wait(seconds)

    def end(self) -> None:
        """Send SIGTERM again and again until it has ended, drained or not."""
        for _ in range(60):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(2)
                return
            self.ask_to_stop()
        self.process.kill()
        self.process.wait()

    def descendants(self) -> list[int]:
        """The processes that it has started, and theirs."""
        return descendants_of(self.process.pid)

    def threads(self) -> int:
        """How many threads it and its descendants have."""
        return sum(_threads(process) for process in [self.process.pid, *self.descendants()])


class Api(Part):
    """`paiute api` on a free port, or another command that serves it."""

    def __init__(
        self,
        log: Path,
        redis_url: str,
        *options: str,
        command: str = "api",
        settings: Mapping[str, str] = {},
    ) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        super().__init__(log, redis_url, command, "--port", str(port), *options, settings=settings)

    def status(self, path: str = "/readyz") -> int | None:
        """The status of an answer, or None where there is none."""
        with contextlib.suppress(requests.RequestException):
            return requests.get(self.url + path, timeout=10).status_code
        return None

    @property
    def is_ready(self) -> bool:
        """Whether requests should be sent to it."""
        return self.status() == 200


@contextlib.contextmanager
def ended(*parts: Part) -> Iterator[None]:
    """End these parts afterwards, all at once, whatever their state."""
    try:
        yield
    finally:
        for part in parts:
            part.ask_to_stop()
        for part in parts:
            part.end()


def _threads(process: int) -> int:
    with contextlib.suppress(OSError):
        return len(list(Path(f"/proc/{process}/task").iterdir()))
    return 0
