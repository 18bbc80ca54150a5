"""The service under test: its parts, their supervisor, and the bad networks before them."""

import contextlib
import os
import secrets
import signal
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import redis
import requests

from service import embedded, launcher
from service.store.base import now_ms
from tests.chaos.outages import NETWORK, Outage, Outages
from tests.chaos.processes import Part, ProxyProcess, has_connected
from tests.support.processes import UNLIMITED, answers, children_of
from tests.support.waiting import wait_until

RESTART_SECONDS = 0.5
"""The pause before a part that died by itself is started again, as the launcher makes it."""

START_SECONDS = 60
API_THREADS = 64

AIM_SECONDS = 1.0
"""How long to wait for a worker to take a job, to be killed at it."""

API_WORKER = "api worker"
"""What faults call one process of the API, which gunicorn starts again by itself."""


@dataclass(frozen=True, slots=True)
class Size:
    """How many processes of a kind there are.

    Args:
        api: of the API.
        workers: of workers of the queue `bots`.
        nodes: of servers that share the tables; 0 is one Redis for everything.
    """

    api: int = 2
    workers: int = 2
    nodes: int = 0


USUAL = Size()


class System:
    """All processes of the service in a folder, and the two proxies.

    The API and the workers reach the store through a proxy.  Clients reach the API at `url`, or
    over a network that loses connections at `bad_url`.

    Args:
        folder: for the store's data and the logs; its path is short.
        seed: of what the proxies do by chance.
        size: how many processes there are.
    """

    stores: tuple[str, ...] = ("redis",)
    """The parts that keep something."""

    def __init__(self, folder: Path, seed: int, size: Size = USUAL) -> None:
        self.outages = Outages()
        self.kills: Counter[str] = Counter()
        self.halts: Counter[str] = Counter()
        self.deaths: Counter[str] = Counter()
        self.kills_at_work = 0
        self.traffic: Counter[str] = Counter()
        self.moved = 0
        self._folder, self._seed, self.size = folder, seed, size
        self._halted: list[tuple[int, float]] = []
        self._listening = launcher.listen("127.0.0.1", 0)
        self.url = launcher.url_of(self._listening)
        self.store_url = f"unix://{folder / 'redis.sock'}"
        self.env = {name: v for name, v in os.environ.items() if not name.startswith("PAIUTE_")}
        self.env |= UNLIMITED | {
            "PAIUTE_SECRET": secrets.token_urlsafe(48),
            "PAIUTE_REDIS_URL": f"unix://{folder / 'proxy.sock'}",
            "PAIUTE_LOG_LEVEL": "WARNING",
        }
        self._client = redis.Redis.from_url(self.store_url, socket_timeout=0.2)
        self.parts = {part.name: part for part in self._parts()}
        self._proxies: list[ProxyProcess] = []

    def _parts(self) -> list[Part]:
        data = self._folder / "data"
        data.mkdir()
        store = embedded.server_command(data, self._folder / "redis.sock")
        api = launcher.gunicorn_command(
            launcher.bind_of(self._listening), self.size.api, API_THREADS
        )
        workers = {f"bots {number}": "bots" for number in range(1, self.size.workers + 1)}
        workers |= {"settlement": "settlement", "clock": "clock", "sweep": "sweep"}
        return [
            self._part("redis", "redis", store, lambda _: answers(self._client)),
            *(
                self._part(name, kind, launcher.worker_command(kind), has_connected)
                for name, kind in workers.items()
            ),
            self._part("api", "api", api, lambda pid: len(children_of(pid)) == self.size.api),
        ]

    def _part(self, name: str, kind: str, command: list[str], ready: Callable[[int], bool]) -> Part:
        log = self._folder / f"{name.replace(' ', '-')}.log"
        passed = (self._listening.fileno(),) if kind == "api" else ()
        return Part(name, command, kind=kind, env=self.env, log=log, ready=ready, pass_fds=passed)

    def start(self) -> None:
        """Start everything, and wait until it serves."""
        self.parts["redis"].start()
        wait_until(lambda: answers(self._client), START_SECONDS)
        redis_socket, proxy_socket = (str(self._folder / f"{n}.sock") for n in ("redis", "proxy"))
        port = str(self._listening.getsockname()[1])
        self._proxies.append(ProxyProcess(proxy_socket, redis_socket, f"{self._seed}:store"))
        self._proxies.append(ProxyProcess("0", port, f"{self._seed}:http"))
        self.bad_url = f"http://127.0.0.1:{self._proxies[1].listens_at}"
        for part in self.parts.values():
            if not part.runs:
                part.start()
        wait_until(self._has_started, START_SECONDS)
        wait_until(self.answers, START_SECONDS)
        self._proxies[1].order("lose", requests=0.01, replies=0.02)

    def _has_started(self) -> bool:
        dead = [part.name for part in self.parts.values() if not part.runs]
        if dead:
            raise RuntimeError(f"{', '.join(dead)} ended at once; see the logs in {self._folder}")
        return self.serves

    def answers(self) -> bool:
        """Whether the API can serve."""
        with contextlib.suppress(requests.RequestException):
            return requests.get(f"{self.url}/readyz", timeout=2).ok
        return False

    @property
    def serves(self) -> bool:
        """Whether every part is at work."""
        return all(part.serves for part in self.parts.values())

    def look_after(self) -> None:
        """Start what has died, let go on what was halted long enough, note what is back."""
        now = time.monotonic()
        for pid, until in [one for one in self._halted if one[1] <= now]:
            self._halted.remove((pid, until))
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        for part in self.parts.values():
            part.go_on()
            if not part.runs and part.start_at is None:
                self.deaths[part.kind] += 1
                self._away(part, "died")
                part.start_at = now + RESTART_SECONDS
            if part.start_at is not None and part.start_at <= now:
                part.start()
            if part.outage is not None and part.serves:
                part.outage.ended = now_ms()
                part.outage = None

    def _away(self, part: Part, how: str) -> None:
        if part.outage is None:
            part.outage = self.outages.add(Outage(part.kind, how, now_ms()))

    def kill(self, name: str, back_after: float, *, at_work: bool = False) -> None:
        """Kill a part, or one process of the API; a part is started again after a time.

        A worker may be killed at work: as soon as one of its kind has taken another job.
        """
        if name == API_WORKER:
            for pid in self._an_api_worker():
                self.kills[name] += 1
                os.kill(pid, signal.SIGKILL)
            return
        part = self.parts[name]
        if not part.runs:
            return
        if at_work and self._takes_a_job(part.kind):
            self.kills_at_work += 1
        self.kills[part.kind] += 1
        self._away(part, "killed")
        part.kill()
        part.start_at = time.monotonic() + back_after

    def _takes_a_job(self, kind: str) -> bool:
        """Wait a little for a worker to take a job; whether one did."""
        with contextlib.suppress(AssertionError, redis.RedisError):
            key = f"rq:queue:{kind}:intermediate"  # Where a job is while it is at a worker.
            before = set(cast(Any, self._client.lrange(key, 0, -1)))
            taken = partial(self._client.lrange, key, 0, -1)
            wait_until(lambda: set(cast(Any, taken())) - before, AIM_SECONDS, 0.0005)
            return True
        return False

    def halt(self, name: str, seconds: float) -> None:
        """Halt a part, or one process of the API, for a time."""
        if name == API_WORKER:
            for pid in self._an_api_worker():
                self.halts[name] += 1
                os.kill(pid, signal.SIGSTOP)
                self._halted.append((pid, time.monotonic() + seconds))
            return
        part = self.parts[name]
        if part.runs and not part.halted:
            self.halts[part.kind] += 1
            self._away(part, "halted")
            part.halt(seconds)

    def _an_api_worker(self) -> list[int]:
        """The oldest process of the API, if there is one."""
        return sorted(children_of(self.parts["api"].pid))[:1] if self.parts["api"].runs else []

    def move(self, partition: int) -> None:
        """Move a partition to another server, where there are several."""

    def network(self, do: str, seconds: float = 0, **how: float) -> None:
        """Make the network before the store bad."""
        now = now_ms()
        self.outages.add(Outage(NETWORK, do, now, now + round(1000 * seconds)))
        if seconds:
            how["seconds"] = seconds
        self._proxies[0].order(do, **how)

    def calm(self) -> None:
        """End all faults: everything is started, goes on, and is connected well."""
        for proxy in self._proxies:
            proxy.order("calm")
        self._halted = [(pid, 0.0) for pid, _ in self._halted]
        for part in self.parts.values():
            part.hurry()

    def stop(self, *, but: tuple[str, ...] = ()) -> None:
        """Have all parts but some end in order."""
        for name, part in reversed(self.parts.items()):
            if name not in but:
                part.end()

    def close(self) -> None:
        """Kill what is left."""
        for part in self.parts.values():
            if part.runs:
                part.kill()
        for proxy in self._proxies:
            self.traffic += proxy.end()
        self._proxies.clear()
        self._client.close()
        self._listening.close()
