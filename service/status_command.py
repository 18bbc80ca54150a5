"""What `paiute status` does: how store, queues and workers are now, and what is not well."""

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
import urllib3
from prometheus_client.parser import text_string_to_metric_families

from service import embedded, operators, wiring
from service.config import Config
from service.game import Game
from service.store import breaker
from service.store.base import now_ms
from service.store.connection import is_cluster
from service.store.queues import QueueHealth

LATE_MS = 5000
"""So late nothing should ever be: what a queue has lost is found again in two seconds."""

ASK_SECONDS = 3
"""How long the API may take to tell its metrics."""

TOLD = {"streams": "paiute_open_streams", "polls": "paiute_waiting_polls", "moves": "paiute_moves"}
"""What is shown of the API's metrics."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where to look: the addresses of the store and the queues, and of an API if one is known."""

    store: str
    queues: str
    api: str | None


@dataclass(frozen=True, slots=True)
class Status:
    """How everything is.

    Args:
        seen: how store and queues are.
        asked: the address of the API that was asked, if one is known.
        api: what that tells of itself, if it does.
        at: when, in milliseconds since 1970.
    """

    seen: operators.Overview
    asked: str | None
    api: Mapping[str, int] | None
    at: int

    @property
    def faults(self) -> tuple[str, ...]:
        """What is not well, a sentence each."""
        silent = self.asked is not None and self.api is None
        told = (f"The API at {self.asked} does not tell its metrics.",) if silent else ()
        return (*_faults(self.seen, self.at), *told)


def places(
    url: str | None, data: Path | None, api: str | None, env: Mapping[str, str] = os.environ
) -> Places:
    """Where to look, by what was said, or by the settings, or in the folder of `paiute serve`.

    Raises:
        NoServer: nothing runs on the folder, or it is not said where the queues of a cluster are.
    """
    api = api and (api if "://" in api else f"http://{api}")
    named = url or (env.get("PAIUTE_REDIS_URL") if data is None else None)
    if named:
        queues = "" if url else env.get("PAIUTE_QUEUE_REDIS_URL", "")
        if is_cluster(named) and not queues:
            raise embedded.NoServer(
                "A cluster holds no queues: name it in PAIUTE_REDIS_URL, and the Redis of the "
                "queues in PAIUTE_QUEUE_REDIS_URL, without --url."
            )
        return Places(named, queues, api)
    data = data or embedded.DATA
    if not embedded.holds_store(data) or not embedded.is_locked(data):
        raise embedded.NoServer(
            f"Nothing runs on {data.absolute()}. Name the data folder of `paiute serve` with "
            "--data, a Redis with --url, or set PAIUTE_REDIS_URL."
        )
    store = f"unix://{embedded.socket_of_running(data.absolute())}"
    with suppress(OSError):
        api = api or (data / embedded.ADDRESS).read_text().strip()
    return Places(store, "", api)


def game_at(found: Places) -> Game:
    """The application over what is looked at; it signs nothing, so its secret does not matter."""
    return wiring.build_game(Config(secret="", redis_url=found.store, queue_redis_url=found.queues))


def look(game: Game, api: str | None) -> Status:
    """How everything is now."""
    with _said_once(breaker.logger):
        seen = operators.overview(game)
    return Status(seen, api, _asked(api) if api else None, now_ms())


@contextmanager
def _said_once(logger: logging.Logger) -> Iterator[None]:
    """Have the same line of a log written once: tables and queues may lie on one Redis."""
    said: set[str] = set()

    def is_new(record: logging.LogRecord) -> bool:
        before = len(said)
        said.add(record.getMessage())
        return len(said) > before

    logger.addFilter(is_new)
    try:
        yield
    finally:
        logger.removeFilter(is_new)


def _asked(api: str) -> dict[str, int] | None:
    """What the API tells of itself, if it answers."""
    try:
        answer = urllib3.request("GET", f"{api}/metrics", timeout=ASK_SECONDS, retries=False)
        families = {one.name: one for one in text_string_to_metric_families(answer.data.decode())}
        return {
            name: int(sum(sample.value for sample in families[metric].samples))
            for name, metric in TOLD.items()
        }
    except (urllib3.exceptions.HTTPError, ValueError, KeyError):
        return None


def _faults(seen: operators.Overview, now: int) -> Iterator[str]:
    if seen.backlog is None:
        yield "The store does not answer."
    elif (late := seen.backlog.late_ms(now)) > LATE_MS:
        yield f"Something has been due for {_seconds(late)}: is there a sweep, and do workers work?"
    if seen.queues is None:
        yield "The job queues do not answer."
    for queue in seen.queues or ():
        if not queue.workers:
            yield f"Nobody works on the queue {queue.name}: start `paiute worker {queue.name}`."
        elif (waits := queue.oldest_ms(now)) > LATE_MS:
            yield f"A job in the queue {queue.name} waits for {_seconds(waits)}: add workers."


def as_json(status: Status) -> dict[str, Any]:
    """A status for programs."""
    seen, now = status.seen, status.at
    return {
        "well": not status.faults,
        "faults": status.faults,
        "due": seen.backlog and asdict(seen.backlog) | {"late_ms": seen.backlog.late_ms(now)},
        "queues": seen.queues
        and [asdict(queue) | {"oldest_ms": queue.oldest_ms(now)} for queue in seen.queues],
        "tables": seen.census and asdict(seen.census),
        "api": status.api,
    }


def as_text(status: Status) -> str:
    """A status for people, with colours."""
    lines = [*_queue_lines(status), *_count_lines(status), ""]
    faults = [click.style(fault, fg="red") for fault in status.faults]
    return "\n".join(lines + (faults or [click.style("All is well.", fg="green")]))


def _queue_lines(status: Status) -> Iterator[str]:
    yield click.style(
        f"{'queue':<12}{'jobs':>8}{'oldest':>10}{'failed':>8}{'workers':>9}", bold=True
    )
    for queue in status.seen.queues or ():
        yield _queue_line(queue, status.at)


def _queue_line(queue: QueueHealth, now: int) -> str:
    waits = queue.oldest_ms(now)
    oldest = click.style(f"{_seconds(waits) if queue.jobs else '-':>10}", fg=_red(waits > LATE_MS))
    failed = click.style(f"{queue.failed:>8}", fg="yellow" if queue.failed else None)
    workers = click.style(f"{queue.workers:>9}", fg=_red(not queue.workers))
    return f"{queue.name:<12}{queue.jobs:>8}{oldest}{failed}{workers}"


def _count_lines(status: Status) -> Iterator[str]:
    seen, api = status.seen, status.api
    if seen.backlog:
        late_ms = seen.backlog.late_ms(status.at)
        late = f"{seen.backlog.late:,} late, the latest by {_seconds(late_ms)}"
        said = click.style(late, fg=_red(late_ms > LATE_MS)) if seen.backlog.late else "none late"
        yield f"{'due':<12}{seen.backlog.entries:>8,}  {said}"
    if seen.census:
        listed = f"in the lobby {seen.census.open:,} open and {seen.census.full:,} full"
        yield f"{'tables':<12}{seen.census.all:>8,}  {listed}"
    if api:
        yield f"{'streams':<12}{api['streams']:>8,}  and {api['polls']:,} long polls"
        yield f"{'moves':<12}{api['moves']:>8,}  since the start"


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:,.1f} s"


def _red(bad: bool) -> str | None:
    return "red" if bad else None
