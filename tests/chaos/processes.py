"""The whole service as processes that can each be killed, halted and started again by itself."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from service import launcher
from tests.chaos.outages import Outage


def _dying_with_us() -> list[str]:
    """What has the kernel end a command when the harness is killed, where there is such a tool."""
    return ["setpriv", "--pdeathsig", "KILL", "--"] if shutil.which("setpriv") else []


class Part:
    """A process of the service.

    Args:
        name: what faults call it.
        command: what starts it.
        kind: what it does; parts of one kind stand in for each other.
        env: its environment.
        log: the file that gets its output.
        ready: whether the process with an id serves already.
        pass_fds: open files that it is given.
    """

    def __init__(
        self,
        name: str,
        command: list[str],
        *,
        kind: str,
        env: Mapping[str, str],
        log: Path,
        ready: Callable[[int], bool],
        pass_fds: tuple[int, ...] = (),
    ) -> None:
        self.name, self.kind = name, kind
        self.outage: Outage | None = None
        self.start_at: float | None = None
        self._command, self._env, self._log = command, env, log
        self._ready, self._pass_fds = ready, pass_fds
        self._process: subprocess.Popen[bytes] | None = None
        self._halted_until: float | None = None

    @property
    def pid(self) -> int:
        """Its process id, which is its process group's too."""
        assert self._process is not None
        return self._process.pid

    @property
    def runs(self) -> bool:
        """Whether the process is there, be it halted."""
        return self._process is not None and self._process.poll() is None

    @property
    def halted(self) -> bool:
        """Whether it is halted."""
        return self._halted_until is not None

    @property
    def serves(self) -> bool:
        """Whether it is at work."""
        return self.runs and not self.halted and self._ready(self.pid)

    def start(self) -> None:
        """Start it, in a process group of its own."""
        self.start_at = None
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*_dying_with_us(), *self._command],
                env=dict(self._env),
                pass_fds=self._pass_fds,
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to all its processes."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    def kill(self) -> None:
        """Kill it, and wait for its end."""
        self.signal(signal.SIGKILL)
        self._halted_until = None
        if self._process is not None:
            self._process.wait()

    def halt(self, seconds: float) -> None:
        """Halt it for a time."""
        self.signal(signal.SIGSTOP)
        self._halted_until = time.monotonic() + seconds

    def go_on(self) -> None:
        """Let it go on, once the time that it is halted for is over."""
        if self._halted_until is not None and time.monotonic() >= self._halted_until:
            self.signal(signal.SIGCONT)
            self._halted_until = None

    def hurry(self) -> None:
        """Do at the next look what it waits for: its start, or going on."""
        if self.start_at is not None:
            self.start_at = 0.0
        if self._halted_until is not None:
            self._halted_until = 0.0

    def end(self) -> None:
        """Have it end in order; killed where that takes too long."""
        if self._process is None:
            return
        self.signal(signal.SIGCONT)
        self._process.terminate()
        try:
            self._process.wait(launcher.STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()


class ProxyProcess:
    """A proxy, and the line that orders are given over."""

    def __init__(self, where: str, upstream: str, seed: str) -> None:
        command = [sys.executable, "-m", "tests.chaos.proxy", where, upstream, seed]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        assert self._process.stdout is not None
        self.listens_at = self._process.stdout.readline().decode().strip()

    def order(self, do: str, **how: Any) -> None:
        """Have it do something."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": do} | how).encode() + b"\n")
        self._process.stdin.flush()

    def end(self) -> Counter[str]:
        """End it; gives what it has done to the traffic."""
        words, _ = self._process.communicate()
        return Counter(json.loads(words or b"{}"))


def has_connected(pid: int) -> bool:
    """Whether a process has an open socket: workers connect to the store and begin."""
    with contextlib.suppress(OSError):
        files = Path(f"/proc/{pid}/fd").iterdir()
        return any(str(file.readlink()).startswith("socket:") for file in files)
    return False
