"""Servers of which one is the master, and a sentinel that makes another one the master."""

import contextlib
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from redis import Redis, RedisError

from service import embedded
from tests.support.waiting import wait_until

SERVICE = "games"
PASSWORD = "a pass/word#1"
IN_URL = "a%20pass%2Fword%231"

SENTINEL = """
port {sentinel}
dir {folder}
sentinel monitor {service} 127.0.0.1 {master} 1
sentinel auth-pass {service} "{password}"
sentinel down-after-milliseconds {service} 500
sentinel failover-timeout {service} 3000
"""


class Watched:
    """Two servers, the second one a replica of the first, and a sentinel.

    Args:
        folder: where they keep their files.
        careful: whether a master without a replica refuses to write.
    """

    def __init__(self, folder: Path, careful: bool) -> None:
        self._folder = folder
        self._careful = careful
        self.ports = [free_port(), free_port()]
        self.sentinel = free_port()
        master, replica = self.ports
        self.servers = {
            master: self._serve(master),
            replica: self._serve(replica, "--replicaof", f"127.0.0.1 {master}"),
        }
        wait_until(lambda: self._role(replica)[:4:3] == ["slave", "connected"])
        config = folder / "sentinel.conf"
        config.write_text(
            SENTINEL.format(
                sentinel=self.sentinel,
                folder=folder,
                service=SERVICE,
                master=master,
                password=PASSWORD,
            )
        )
        self._watching = self._run(str(config), "--sentinel")
        wait_until(self._is_watched)

    @property
    def url(self) -> str:
        """The address of the service, at sentinels of which the first is not there."""
        hosts = f"127.0.0.1:{free_port()},127.0.0.1:{self.sentinel}"
        return f"redis+sentinel://:{IN_URL}@{hosts}/{SERVICE}/0"

    @property
    def master(self) -> int:
        """The port of the master, as the sentinel sees it."""
        with Redis(port=self.sentinel) as redis:
            return int(redis.sentinel_get_master_addr_by_name(SERVICE)[1])

    def is_master(self, port: int) -> bool:
        """Whether a server takes itself for the master."""
        return self._role(port)[0] == "master"

    def hand_over(self) -> None:
        """Have the sentinel make the replica the master, and the master a replica.

        No write is taken while the replica leaves the master, so that it has all of them.
        """
        with Redis(port=self.master, password=PASSWORD) as redis:
            redis.client_pause(1000, all=False)
            assert redis.wait(1, 1000) == 1
        with Redis(port=self.sentinel) as redis:
            redis.sentinel_failover(SERVICE)

    def close(self) -> None:
        """End all of them."""
        for process in (self._watching, *self.servers.values()):
            process.kill()
            process.wait()

    def _serve(self, port: int, *options: str) -> subprocess.Popen[bytes]:
        folder = self._folder / str(port)
        folder.mkdir()
        return self._run(
            *("--port", str(port), "--dir", str(folder), "--appendonly", "yes", "--save", ""),
            *("--requirepass", PASSWORD, "--masterauth", PASSWORD),
            *("--repl-diskless-sync-delay", "0", "--maxmemory-policy", "noeviction"),
            *("--min-replicas-to-write", str(int(self._careful)), "--min-replicas-max-lag", "2"),
            *options,
        )

    def _run(self, *arguments: str) -> subprocess.Popen[bytes]:
        command = [embedded.find_server(), *arguments]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL)

    def _role(self, port: int) -> list[str]:
        with (
            contextlib.suppress(RedisError),
            Redis(port=port, password=PASSWORD, decode_responses=True) as redis,
        ):
            return cast(list[str], redis.role())
        return ["away"]

    def _is_watched(self) -> bool:
        with contextlib.suppress(RedisError), Redis(port=self.sentinel) as redis:
            state = redis.sentinel_masters()[SERVICE]
            return bool(state["num-slaves"] == 1 and not state["is_sdown"])
        return False


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextlib.contextmanager
def watched_servers(folder: Path, careful: bool) -> Iterator[Watched]:
    """Servers that are ended afterwards."""
    watched = Watched(folder, careful)
    try:
        yield watched
    finally:
        watched.close()
