"""Real processes for tests: a store, and the whole service."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import redis

from service import embedded
from tests.support.waiting import wait_until

ADMIN_TOKEN = "a token that only operators know, 32+"
UNLIMITED = {
    "PAIUTE_PLAY_PER_SECOND": "0",
    "PAIUTE_LOBBY_PER_SECOND": "0",
    "PAIUTE_HISTORY_PER_SECOND": "0",
    "PAIUTE_MAX_TABLES": "0",
    "PAIUTE_ADMIN_TOKEN": ADMIN_TOKEN,
    "PAIUTE_WEBHOOK_PRIVATE": "true",
}
"""Settings that let tests ask as fast as they can, and be called on this machine."""


@contextlib.contextmanager
def start_redis(folder: Path) -> Iterator[str]:
    """A real server that keeps its data in a folder; gives its address."""
    socket = embedded.socket_in(folder)
    server = subprocess.Popen(embedded.server_command(folder, socket), stdout=subprocess.DEVNULL)
    url = f"unix://{socket}"
    try:
        with redis.Redis.from_url(url) as client:
            wait_until(lambda: answers(client))
        yield url
    finally:
        server.terminate()
        server.wait()


def answers(client: redis.Redis) -> bool:
    """Whether a server answers."""
    with contextlib.suppress(redis.RedisError):
        return bool(client.ping())
    return False


class RunningService:
    """`paiute serve` in a process of its own, on a free port.

    Args:
        data: the folder of its store.
        options: further options of the command.
        settings: its settings, as environment variables.
    """

    def __init__(self, data: Path, *options: str, settings: Mapping[str, str] = UNLIMITED) -> None:
        self.data = data
        env = {name: text for name, text in os.environ.items() if not name.startswith("PAIUTE_")}
        env |= settings
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "service.cli",
                "serve",
                "--port",
                "0",
                "--data",
                str(data),
                *options,
            ],
            stdout=subprocess.PIPE,
            env=env,
            text=True,
        )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        assert first.startswith("paiute: http://"), first
        self.url = first.removeprefix("paiute: ").strip()
        self.redis_url = f"unix://{embedded.socket_in(data.absolute())}"

    def stop(self) -> None:
        """Stop it as Ctrl-C does, and wait for it."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def kill(self) -> None:
        """Kill the launcher; the kernel ends its children."""
        children = self.children()
        self.process.kill()
        self.process.wait()
        wait_until(lambda: not any(Path(f"/proc/{child}").exists() for child in children), 60)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def children(self, *words: str) -> list[int]:
        """The process ids of the children whose command has all these words."""
        found = []
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError, IndexError):
                parent = entry.joinpath("stat").read_text().rsplit(")", 1)[1].split()[1]
                if int(parent) == self.process.pid and set(words) <= set(words_of(int(entry.name))):
                    found.append(int(entry.name))
        return sorted(found)


def words_of(process: int) -> list[str]:
    """The words of a process's command; of gunicorn's processes one is `gunicorn:`.

    Raises:
        OSError: it is gone.
    """
    command = Path(f"/proc/{process}/cmdline").read_bytes().decode()
    return command.replace("\0", " ").split()


def children_of(process: int) -> list[int]:
    """The process ids of a process's children."""
    with contextlib.suppress(OSError):
        text = Path(f"/proc/{process}/task/{process}/children").read_text()
        return [int(number) for number in text.split()]
    return []


def descendants_of(process: int) -> list[int]:
    """The process ids of what a process has started, and of what these have."""
    found, todo = [], [process]
    while todo:
        found += todo
        todo = [child for one in todo for child in children_of(one)]
    return found[1:]
