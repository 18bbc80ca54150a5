"""All metrics of the service: what they are called and what they mean (docs/observability.md).

Labels have few values each, known beforehand: routes as they are written in the document, kinds,
levels.  No label names a player, a table or a card.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    disable_created_metrics,
    start_http_server,
    values,
)
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector

from service.observe import places, timings
from service.observe.timings import Timing

if places.folder():
    values.ValueClass = values.MultiProcessValue(places.place)  # type: ignore[no-untyped-call]

disable_created_metrics()  # type: ignore[no-untyped-call]

REGISTRY = CollectorRegistry()
"""What this process counts; `everything` has the others of its launcher too."""

QUICK = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.6, 1.2)
"""Buckets for what takes a fraction of a millisecond, up to the timeouts of the store."""

USUAL = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
"""Buckets for what callers and jobs wait for, up to the longest poll."""

LATE = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
"""Buckets for how late something was."""

REQUESTS = Counter(
    "paiute_requests",
    "Requests that were answered.",
    ["method", "route", "status"],
    registry=REGISTRY,
)
REQUEST_SECONDS = Timing(
    "paiute_request_seconds",
    "From a request to the head of its answer; long polls and the beginning of streams among them.",
    ["method", "route"],
    buckets=USUAL,
    registry=REGISTRY,
)
OPEN_STREAMS = Gauge(
    "paiute_open_streams",
    "Streams that are open.",
    multiprocess_mode="livesum",
    registry=REGISTRY,
)
STREAMS_LIMIT = Gauge(
    "paiute_streams_limit",
    "How many streams may be open at once, of all processes together.",
    multiprocess_mode="livesum",
    registry=REGISTRY,
)
WAITING_POLLS = Gauge(
    "paiute_waiting_polls",
    "Long polls that wait for a change.",
    multiprocess_mode="livesum",
    registry=REGISTRY,
)
MOVES = Counter(
    "paiute_moves",
    "Moves that were committed, of players and bots.",
    ["kind"],
    registry=REGISTRY,
)
DEALS = Counter(
    "paiute_deals_settled",
    "Deals that were settled.",
    ["reason"],
    registry=REGISTRY,
)
CONFLICTS = Counter(
    "paiute_conflicts",
    "Changes of a table that had moved on: `stale` before they were judged, `lost` at the commit "
    "(then they are judged again or refused), `crowded` given up after several tries.",
    ["kind"],
    registry=REGISTRY,
)
LATENESS_SECONDS = Timing(
    "paiute_lateness_seconds",
    "From the time something was due at a table to when it was begun.",
    ["kind"],
    buckets=LATE,
    registry=REGISTRY,
)
BOT_SECONDS = Timing(
    "paiute_bot_decision_seconds",
    "How long a house bot thought about one move.",
    ["level"],
    buckets=QUICK,
    registry=REGISTRY,
)
BOT_FALLBACKS = Counter(
    "paiute_bot_fallbacks",
    "Moves that were played for a house bot that failed: it `raised`, or its move was `refused`.",
    ["level", "reason"],
    registry=REGISTRY,
)
WEBHOOK_DELIVERIES = Counter(
    "paiute_webhook_deliveries",
    "Tries to deliver to a webhook: `sent`, `failed`, or failed for good and switched `off`.",
    ["result"],
    registry=REGISTRY,
)
JOBS = Counter(
    "paiute_jobs",
    "Jobs that workers have run.",
    ["kind", "result"],
    registry=REGISTRY,
)
JOB_SECONDS = Timing(
    "paiute_job_seconds",
    "How long a job took.",
    ["kind"],
    buckets=USUAL,
    registry=REGISTRY,
)
SWEPT = Counter(
    "paiute_swept",
    "Follow-ups that the sweep found due, and put on their queues unless they waited there.",
    registry=REGISTRY,
)
SWEEP_LAST = Gauge(
    "paiute_sweep_last_timestamp_seconds",
    "When a sweep last went through all that is due, in seconds since 1970.",
    multiprocess_mode="max",
    registry=REGISTRY,
)
REDIS_SECONDS = Timing(
    "paiute_redis_seconds",
    "Round trips to Redis: `read`, `commit`, `pipeline` (several at once), `other`.",
    ["call"],
    buckets=QUICK,
    registry=REGISTRY,
)
REDIS_ERRORS = Counter(
    "paiute_redis_errors",
    "Round trips to Redis that failed: no `connection`, a `timeout`, or a command was `refused`.",
    ["error"],
    registry=REGISTRY,
)
REDIS_AWAY = Gauge(
    "paiute_redis_away",
    "Clients of Redis that have it for away, and let their callers fail at once.",
    multiprocess_mode="livesum",
    registry=REGISTRY,
)

MOVE_OF = {
    "cut": MOVES.labels("cut"),
    "card_drawn": MOVES.labels("draw"),
    "card_discarded": MOVES.labels("discard"),
    "called": MOVES.labels("call"),
}
"""For the type of an event the count that a move of it is in."""

STALE, LOST, CROWDED = map(CONFLICTS.labels, ("stale", "lost", "crowded"))


@dataclass(frozen=True, slots=True)
class Scraped:
    """A gauge that is looked up whenever somebody asks: its name, what it says, its labels."""

    name: str
    says: str
    labels: tuple[str, ...] = ()


class AT_SCRAPE:  # noqa: N801 - a table of constants
    """What is looked up in the store and the queues.  All processes of the API tell the same."""

    build = Scraped("paiute_build_info", "The release that is running; always 1.", ("version",))
    store_up = Scraped("paiute_store_up", "Whether the store answers.")
    queues_up = Scraped("paiute_queues_up", "Whether the job queues answer.")
    jobs = Scraped("paiute_queue_jobs", "Jobs that wait.", ("queue",))
    oldest = Scraped("paiute_queue_oldest_seconds", "How long the first one waits.", ("queue",))
    failed = Scraped("paiute_queue_failed_jobs", "Jobs that failed in a day.", ("queue",))
    workers = Scraped("paiute_queue_workers", "Workers that live.", ("queue",))
    due = Scraped("paiute_due_entries", "Follow-ups that are due, now or later.")
    late = Scraped("paiute_due_late", "Follow-ups that are due by now, and not done.")
    latest = Scraped("paiute_due_latest_seconds", "How late the latest of them is.")
    tables = Scraped("paiute_tables", "Tables that are kept, closed ones too.")
    listed = Scraped("paiute_tables_listed", "Tables in the lobby, by free seats.", ("listing",))


def everything() -> CollectorRegistry:
    """What all processes of this launcher count, or else this one alone."""
    where = places.folder()
    if where is None:
        return REGISTRY
    places.clear_the_dead()
    timings.tell_all()
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(where))  # type: ignore[no-untyped-call]
    return registry


class Everything(CollectorRegistry):
    """What `everything` gives whenever somebody asks."""

    def collect(self) -> Iterator[Metric]:
        """All metrics, with their values now."""
        yield from everything().collect()


def begin(port: int = 0) -> None:
    """Let others read what this process counts, and, on a port, what `everything` has.

    Raises:
        OSError: the port can't be had.
    """
    if places.folder():
        timings.begin()
    if port:
        start_http_server(port, registry=Everything())


@contextmanager
def timed(timing: Timing) -> Iterator[None]:
    """Measure what happens within, whatever comes of it."""
    begun = perf_counter()
    try:
        yield
    finally:
        timing.observe(perf_counter() - begun)


def requests_of(method: str, route: str, status: str) -> tuple[Callable[[], None], Timing]:
    """What counts a request and what times it."""
    count, timing = REQUESTS.labels(method, route, status), REQUEST_SECONDS.labels(method, route)
    return count.inc, timing
