"""CPU seconds of a tree of processes, and of the whole machine, as /proc counts them (Linux)."""

import os
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class _Process:
    parent: int
    seconds: float


def seconds_by_part(*roots: int) -> dict[str, float]:
    """CPU seconds so far of processes and everything under them, by what each process is.

    Children that have ended are in their parents' figures.
    """
    processes = _processes()
    parts: dict[str, float] = defaultdict(float)
    for pid in (pid for root in roots for pid in _tree(root, processes)):
        parts[_part(pid)] += processes[pid].seconds
    return parts


def pids_of(root: int, part: str) -> list[int]:
    """The processes under `root` that are one part of the service."""
    return [pid for pid in _tree(root, _processes()) if _part(pid) == part]


def own_seconds() -> float:
    """CPU seconds so far of this process."""
    times = os.times()
    return times.user + times.system


def machine_seconds() -> float:
    """CPU seconds so far that all cores together were not idle; what a host took away counts."""
    line = PROC.joinpath("stat").read_text().splitlines()[0]
    user, nice, system, _idle, _iowait, *others = map(int, line.split()[1:9])
    return (user + nice + system + sum(others)) / TICKS_PER_SECOND


def _processes() -> dict[int, _Process]:
    found = {}
    for entry in PROC.iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = entry.joinpath("stat").read_text()
        except OSError:
            continue
        # The name in brackets may hold anything; after it, fields 4 and 14 to 17 of proc(5).
        fields = stat.rsplit(")", 1)[1].split()
        ticks = sum(map(int, fields[11:15]))
        found[int(entry.name)] = _Process(int(fields[1]), ticks / TICKS_PER_SECOND)
    return found


def _tree(root: int, processes: dict[int, _Process]) -> list[int]:
    tree = [root] if root in processes else []
    for pid in tree:
        tree += [child for child, process in processes.items() if process.parent == pid]
    return tree


def _part(pid: int) -> str:
    """`api`, `redis`, `sweep`, `worker QUEUE`, `node`, or `launcher`."""
    try:
        words = PROC.joinpath(str(pid), "cmdline").read_text().replace("\0", " ").split()
    except OSError:
        words = []
    if {"gunicorn", "gunicorn:", "uvicorn"} & set(words):
        return "api"
    if words[0:1] and words[0].endswith("/node"):
        return "node"
    if any(word.endswith(("valkey-server", "redis-server")) for word in words[:1]):
        return "redis"
    if "workers" in words:
        name = words[words.index("workers") + 1]
        return name if name == "sweep" else f"worker {name}"
    return "launcher"
