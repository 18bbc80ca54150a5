"""Processes that are forked: they are as if they had been started anew, and import no more."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from service.launcher import API_MODULES, WORKER_MODULES

PART = """
import atexit, json, os, signal, sys
what, asked = sys.argv[1], [signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGINT)]
if what == "tell":
    print(json.dumps({
        "argv": sys.argv[1:],
        "env": dict(os.environ),
        "title": open("/proc/self/cmdline").read().rstrip("\\0"),
        "leads": os.getsid(0) == os.getpid(),
        "input": os.read(0, 1).decode(),
        "signals": asked == [signal.SIG_DFL, signal.default_int_handler],
        "blocked": len(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
        "name": __name__,
    }))
elif what == "exit":
    atexit.register(print, "at the end")
    sys.exit(7)
elif what == "raise":
    raise ValueError("of the part")
elif what == "wait":
    signal.pause()
"""
"""A module that is run in a forked process."""

LAUNCHER = """
import signal, sys
from service import forking
for one in forking.OURS:
    signal.signal(one, lambda *_: None)
command = [sys.executable, "-m", *sys.argv[1:]]
try:
    child = forking.fork(command, {"ONLY": "this"}, lambda: None)
    if sys.argv[2] == "wait":
        child.terminate()
    print("ended with", child.wait())
except Exception:
    print("the launcher sees an error")
"""


def forked(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """What a process prints that forks one of the module above, and what that one prints."""
    (folder / "part.py").write_text(PART)
    (folder / "launcher.py").write_text(LAUNCHER)
    return subprocess.run(
        [sys.executable, folder / "launcher.py", "part", *arguments],
        env={**os.environ, "PYTHONPATH": str(folder)},
        input="not for it",
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )


def test_it_is_as_if_started_anew(tmp_path: Path) -> None:
    """It has its own arguments, environment, session and signals, no input, and a telling title."""
    told = json.loads(forked(tmp_path, "tell", "all").stderr)
    assert {
        "argv": ["tell", "all"],
        "env": {"ONLY": "this"},
        "title": f"{sys.executable} -m part tell all",
        "leads": True,
        "input": "",
        "signals": True,
        "blocked": 0,
        "name": "__main__",
    } == told


@pytest.mark.parametrize(
    ("what", "status", "said"),
    [("exit", 7, "at the end\n"), ("nothing", 0, ""), ("wait", -15, "")],
)
def test_it_ends_by_itself(tmp_path: Path, what: str, status: int, said: str) -> None:
    """Its status is its launcher's to see, SIGTERM ends it, and what is to be done at exit is."""
    ended = forked(tmp_path, what)
    assert (f"ended with {status}\n", said) == (ended.stdout, ended.stderr)


def test_its_errors_are_its_own(tmp_path: Path) -> None:
    """What is raised there is said, and never comes to what forked it."""
    ended = forked(tmp_path, "raise")
    assert "ended with 1\n" == ended.stdout
    assert "ValueError: of the part" in ended.stderr


SLOW = (
    "eventlet",
    "gevent",
    "matplotlib",
    "numpy",
    "openskill",
    "opentelemetry.sdk",
    "service.demo",
)
"""What nothing needs before it is at work."""


@pytest.mark.parametrize(
    ("modules", "without"),
    [
        (["service.cli"], ["asyncio", "flask", "marshmallow", "prometheus_client", "redis", "rq"]),
        ([*API_MODULES], ["service.simulate", "workers"]),
        ([*WORKER_MODULES], ["babel", "flask", "jwt", "marshmallow", "service.api", "werkzeug"]),
    ],
    ids=["launcher", "api", "workers"],
)
def test_nothing_slow_is_imported(modules: list[str], without: list[str]) -> None:
    """No kind of process imports at its start what it does not need, or not yet."""
    script = f"import sys, {', '.join(modules)}\nprint(*sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert set() == {*SLOW, *without} & set(found.stdout.split())
