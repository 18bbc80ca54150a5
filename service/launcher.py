"""`paiute serve` and `paiute api`: store, API and workers as child processes of one launcher.

It imports little by itself: the store starts while `Launcher.preload` imports what the others need.
"""

import ctypes
import gc
import logging
import math
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from service import drain, embedded, forking
from service.observe import places

logger = logging.getLogger(__name__)

STORE_SECONDS = 20
"""How long the store may take to load its data."""

GRACEFUL_SECONDS = 35
"""How long the API may take to finish the requests it has, long polls among them."""

STOP_SECONDS = 40
"""How long a child may take to finish what it is at before it is killed."""

RESTART_SECONDS = 0.5
"""The pause before a child that has died is started again."""

CONNECTIONS_FOR_STREAMS = 512
"""To Redis, unless set: thousands of streams may ask at once, when all of them begin anew."""

SHARED_MEMORY = "/dev/shm"  # noqa: S108 - gunicorn makes files of its own there
"""Where gunicorn's workers show that they live; a disk may block."""

PR_SET_PDEATHSIG = 1

API_MODULES = (
    *("service.api", "service.gunicorn_config"),
    *("gunicorn.app.wsgiapp", "gunicorn.workers.gthread"),
)
"""What the API's processes import."""

WORKER_MODULES = (
    *("workers.worker", "workers.sweep"),
    *("workers.bots", "workers.settlement", "workers.clock", "workers.webhooks"),
)
"""What the workers and the sweep import."""

METRICS = "service.observe.metrics"
"""What has to know where it counts when it is imported."""


@dataclass
class Child:
    """A process that is kept running.

    Args:
        command: its command.
        env: its environment.
        pass_fds: what it has of the launcher's open files.
        fork: how it is started as a copy of the launcher, where it is.
    """

    command: list[str]
    env: Mapping[str, str]
    pass_fds: tuple[int, ...] = ()
    fork: Callable[["Child"], forking.Forked] | None = field(default=None, repr=False)
    process: subprocess.Popen[bytes] | forking.Forked | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start it, in a session of its own so that Ctrl-C reaches the launcher alone."""
        self.process = self.fork(self) if self.fork else self._execute()

    def _execute(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603 - commands of this module alone
            self.command,
            env=dict(self.env),
            pass_fds=self.pass_fds,
            start_new_session=True,
            preexec_fn=die_with_parent(os.getpid()),  # noqa: PLW1509 - it calls prctl alone
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr,
        )

    @property
    def runs(self) -> bool:
        """Whether it is running."""
        return self.process is not None and self.process.poll() is None

    def ask_to_stop(self) -> None:
        """Send SIGTERM."""
        if self.process is not None and self.runs:
            self.process.terminate()

    def wait(self) -> None:
        """Wait for it to end, and kill it if that takes too long."""
        if self.process is None:
            return
        until = time.monotonic() + STOP_SECONDS
        while self.runs and time.monotonic() < until:
            time.sleep(forking.LOOK_SECONDS)
        self.process.kill()
        self.process.wait()


def die_with_parent(parent: int) -> Callable[[], None]:
    """What has the kernel end a child when its parent is killed (Linux; elsewhere nothing)."""
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None

    def prepare() -> None:
        if libc is not None:
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
            if os.getppid() != parent:
                os._exit(1)

    return prepare


def listen(host: str, port: int) -> socket.socket:
    """A listening socket for the API; port 0 takes a free one.

    Raises:
        OSError: the address can't be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((host, port))
    listening.listen(2048)
    listening.set_inheritable(True)
    return listening


def address(host: str, port: int) -> str:
    """Host and port as they are written in URLs (RFC 3986): IPv6 addresses in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def allow_connections() -> None:
    """Let this process, and what it starts, have as many connections as the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def bind_of(listening: socket.socket) -> str:
    """What gunicorn calls a listening socket that it is handed down."""
    return f"fd://{listening.fileno()}"


def url_of(listening: socket.socket) -> str:
    """The address that a listening socket is reached at."""
    host, port = listening.getsockname()[:2]
    return f"http://{address(host, port)}"


def gunicorn_command(bind: str, workers: int, threads: int) -> list[str]:
    """The command that serves the API: each process answers as many at once as it has threads."""
    return [*_gunicorn(bind, workers), "--worker-class", "gthread", "--threads", str(threads)]


def streams_command(bind: str, workers: int, connections: int) -> list[str]:
    """The command that serves the API to many who wait: a process holds so many connections."""
    many = ["--worker-class", "gevent", "--worker-connections", str(connections)]
    return [*_gunicorn(bind, workers), *many]


def env_of_streams(env: Mapping[str, str], most: int) -> dict[str, str]:
    """The environment of an API process that holds so many streams, and as many long polls."""
    connections = {"PAIUTE_REDIS_CONNECTIONS": str(CONNECTIONS_FOR_STREAMS)}
    return {**connections, **env, "PAIUTE_MAX_STREAMS": str(most), "PAIUTE_MAX_WAITERS": str(most)}


def _gunicorn(bind: str, workers: int) -> list[str]:
    heartbeats = ["--worker-tmp-dir", SHARED_MEMORY] if os.access(SHARED_MEMORY, os.W_OK) else []
    return [
        *(sys.executable, "-m", "gunicorn", "service.api:create_app()"),
        *("--bind", bind, "--workers", str(workers), "--keep-alive", "75"),
        *("--config", "python:service.gunicorn_config", "--no-control-socket"),
        *("--graceful-timeout", str(GRACEFUL_SECONDS), "--log-level", "warning", *heartbeats),
    ]


def worker_command(name: str) -> list[str]:
    """The command of a worker of a queue, or of the sweep."""
    return [sys.executable, "-m", "workers", name]


class Launcher:
    """Children that run until the launcher is told to stop.

    Args:
        drain_seconds: how long all goes on after that, while `/readyz` says that it will stop.
    """

    def __init__(self, drain_seconds: float = 0) -> None:
        self._children: list[Child] = []
        self._drain = drain.Drain()
        self._drain_seconds = drain_seconds
        self._stopping = threading.Event()
        self._hurry = threading.Event()
        self._leftovers: list[Path] = []
        self._held = ExitStack()
        self._folder: Path | None = None
        self._forks = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)

    @property
    def stopping(self) -> bool:
        """Whether it was told to stop."""
        return self._stopping.is_set()

    def preload(self, *modules: str) -> None:
        """Import what children need, for all of them at once; those that are added next are forked.

        Not where that can't be, or where this process counts for itself already.
        """
        if not forking.POSSIBLE or METRICS in sys.modules:
            return
        os.environ[places.FOLDER] = self.counting({})[places.FOLDER]
        gc.disable()  # It would look through all that is imported, which stays, time and again.
        for name in modules:
            import_module(name)
        gc.freeze()
        gc.enable()
        self._forks = True

    def start(self, command: list[str], env: Mapping[str, str], *pass_fds: int) -> Child:
        """Start a child and keep it running."""
        child = Child(command, env, pass_fds)
        child.start()
        self._children.append(child)
        return child

    def add(self, command: list[str], env: Mapping[str, str], *pass_fds: int) -> None:
        """Have a child started when this begins to run, and keep it running."""
        self._children.append(Child(command, env, pass_fds, self._fork if self._forks else None))

    def add_api(self, command: list[str], listening: socket.socket, env: Mapping[str, str]) -> None:
        """Have the API started on a listening socket, which outlives it."""
        self.add(command, {**env, **self._drain.env}, listening.fileno(), self._drain.pipe)

    def counting(self, env: Mapping[str, str]) -> dict[str, str]:
        """The environment of children whose metrics are told together, wherever one asks."""
        if self._folder is None:
            self._folder = self._held.enter_context(places.NewFolder())
        return {**env, places.FOLDER: str(self._folder), "PAIUTE_METRICS_PORT": "0"}

    def run(self) -> None:
        """Start what was added, and again whatever dies, until SIGTERM or Ctrl-C.

        Then drain, and stop all.  A second signal ends the draining.
        """
        for child in self._children:
            if child.process is None and not self.stopping:
                child.start()
        self._keep_running(self._stopping)
        self._drain.begin()
        self._keep_running(self._hurry, self._drain_seconds)
        self.stop()

    def _fork(self, child: Child) -> forking.Forked:
        die = die_with_parent(os.getpid())

        def prepare() -> None:
            die()
            self._drain.begin()  # Lets go of the copy that came with the fork.

        return forking.fork(child.command, child.env, prepare)

    def _keep_running(self, end: threading.Event, seconds: float = math.inf) -> None:
        until = time.monotonic() + seconds
        while not end.wait(min(RESTART_SECONDS, max(until - time.monotonic(), 0))):
            if time.monotonic() >= until:
                return
            for child in self._children:
                if not child.runs:
                    name = " ".join([Path(child.command[0]).name, *child.command[1:4]])
                    logger.warning("starting again: %s", name)
                    child.start()

    def stop(self) -> None:
        """Stop all children at once, but the one that was started first after the others."""
        for children in (self._children[1:], self._children[:1]):
            for child in children:
                child.ask_to_stop()
            for child in children:
                child.wait()
        for folder in self._leftovers:
            shutil.rmtree(folder, ignore_errors=True)
        self._held.close()

    def remove_in_the_end(self, folder: Path) -> None:
        """Remove a folder once all children have stopped."""
        self._leftovers.append(folder)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        if self._stopping.is_set():
            self._hurry.set()
        self._stopping.set()


@contextmanager
def writing_to(data: Path) -> Iterator[None]:
    """Around what writes to the data folder.

    Raises:
        NoServer: it can't.
    """
    try:
        yield
    except OSError as error:
        raise embedded.NoServer(
            f"Cannot keep data in {data.absolute()}: {error.strerror}. "
            "Choose a folder that can be written with --data."
        ) from None


class Store(NamedTuple):
    """A store of our own, which may not answer yet."""

    url: str
    server: Child
    data: Path


def begin_store(launcher: Launcher, data: Path) -> Store:
    """Start a store of our own on a data folder.

    Raises:
        NoServer: there is no server, or the folder is in use or can't be written.
    """
    with writing_to(data):
        held = embedded.lock(data)
    path = embedded.socket_in(data.absolute())
    if path.parent != data.absolute():
        launcher.remove_in_the_end(path.parent)
        embedded.tell_socket(data, path)
    server = launcher.start(embedded.server_command(data, path), os.environ, held)
    return Store(f"unix://{path}", server, data)


def await_store(launcher: Launcher, store: Store) -> str:
    """The URL of a store, once it answers.

    Raises:
        NoServer: it does not start.
    """
    import redis  # noqa: PLC0415 - the store starts meanwhile

    until = time.monotonic() + STORE_SECONDS
    with redis.Redis.from_url(store.url) as client:
        while store.server.runs and not launcher.stopping and time.monotonic() < until:
            try:
                client.ping()
                return store.url
            except redis.RedisError:
                time.sleep(0.02)
    raise embedded.NoServer(f"The store on {store.data} has not started; see its output above.")


def start_store(launcher: Launcher, data: Path) -> str:
    """Start a store of our own on a data folder; gives its URL once it answers.

    Raises:
        NoServer: there is no server, or the folder is in use or can't be written, or the server
            does not start.
    """
    return await_store(launcher, begin_store(launcher, data))
