"""Processes that go on from a copy of this one, with what it has imported.

Importing the service takes far longer than all else that a process does until it is at work, so the
launcher does it once, and its children share the memory too.
"""

import os
import runpy
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NoReturn

POSSIBLE = sys.platform == "linux"
"""Elsewhere libraries of the system may not be used after a fork."""

LOOK_SECONDS = 0.01
"""How often it is looked whether a process has ended."""

OURS = (signal.SIGTERM, signal.SIGINT)
"""The signals that the launcher has handlers for, and its children have not."""


class Forked:
    """A process that was forked; what is asked of it is as `subprocess.Popen` has it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._status: int | None = None

    def poll(self) -> int | None:
        """Its exit status, negative for a signal; None while it runs."""
        if self._status is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            self._status = os.waitstatus_to_exitcode(status) if ended else None
        return self._status

    def wait(self) -> int:
        """Its exit status, once it has ended."""
        while (status := self.poll()) is None:
            time.sleep(LOOK_SECONDS)
        return status

    def terminate(self) -> None:
        """Send SIGTERM."""
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self._send(signal.SIGKILL)

    def _send(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


def fork(command: list[str], env: Mapping[str, str], prepare: Callable[[], None]) -> Forked:
    """Start `python -m MODULE ...` from a copy of this process; there this never returns.

    The copy ends by `SystemExit`, which has to find its way through whatever has called this.

    Args:
        command: the command, which is what `ps` shows too.
        env: all of its environment.
        prepare: called there first.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, OURS)  # None is lost, or ends in our handler.
    pid = os.fork()
    if pid == 0:
        with _ended_by_errors():
            prepare()
            _let_go_of_the_terminal()
            _have_usual_signals(before)
            _show(command)  # Before its environment goes, beside which the title is kept.
            os.environ.clear()
            os.environ.update(env)
            become(command)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return Forked(pid)


def become(command: list[str]) -> NoReturn:
    """Go on as `python -m MODULE ...`, without importing anew what is there."""
    _show(command)
    _, _, module, *arguments = command
    sys.argv = [module, *arguments]
    with _ended_by_errors():
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        sys.exit(0)


@contextmanager
def _ended_by_errors() -> Iterator[None]:
    """End this process where something is raised: it is nothing to whoever has called this."""
    try:
        yield
    except Exception:  # noqa: BLE001 - whatever it is
        traceback.print_exc()
        sys.exit(1)


def _show(command: list[str]) -> None:
    """Have `ps` show a command."""
    if POSSIBLE:
        from setproctitle import setproctitle  # noqa: PLC0415 - it is there on Linux alone

        setproctitle(" ".join(command))


def _let_go_of_the_terminal() -> None:
    """A session of its own, as Ctrl-C is for the launcher alone; no input, and outputs are one."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)


def _have_usual_signals(mask: set[int | signal.Signals]) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
