"""What Redis does for a request, by its own counts."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from redis import Redis

from bench import cpu
from bench.driver import Answer, Connection
from bench.measure import Json
from bench.servers import Server
from bench.subjects import Subject

COUNTED, BEFORE = 100, 10
"""Over how many requests it is counted, and how many come before: it is the same for each."""


def work(subject: Subject) -> Json:
    """The commands and round trips of a request, with the sweep and the workers held meanwhile.

    A round trip is one read that Redis makes from a connection, whether one command comes with it,
    a script, or a pipeline of many.  Commands within scripts are counted, and the scripts too.
    """
    connection = Connection(subject.server.address)
    [script] = subject.scripts(1)
    with Redis.from_url(subject.server.url) as redis, _held_workers(subject.server):
        answer: Answer | None = None
        for number in range(BEFORE + COUNTED):
            if number == BEFORE:
                before, reads = _commands(redis), _reads(redis)
            step = next(script) if answer is None else script.send(answer)
            answer = connection.ask(step.data)
            assert answer.status < 400, answer
        after, reads = _commands(redis), _reads(redis) - reads
    connection.close()
    with suppress(StopIteration):  # Tables that are made are all to be joined.
        script.send(answer)  # type: ignore[arg-type]
    # Reading the counts took two round trips, one before `reads` and one after.
    calls = {name: (after[name] - before.get(name, 0)) / COUNTED for name in sorted(after)}
    calls = {name: each for name, each in calls.items() if each and name != "info"}
    return {
        "round_trips": (reads - 2) / COUNTED,
        "commands": sum(calls.values()),
        "by_command": calls,
    }


def _commands(redis: Redis) -> dict[str, int]:
    stats: Json = redis.info("commandstats")
    return {name.removeprefix("cmdstat_"): of["calls"] for name, of in stats.items()}


def _reads(redis: Redis) -> int:
    stats: Json = redis.info("stats")
    return int(stats["total_reads_processed"])


@contextmanager
def _held_workers(server: Server) -> Iterator[None]:
    """Stop the sweep and the workers, all of them processes of this run, for a while."""
    pids = [
        pid
        for part in ("sweep", "worker bots", "worker settlement", "worker clock")
        for pid in cpu.pids_of(server.pid, part)
    ]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(0.1)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
