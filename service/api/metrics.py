"""`/metrics`: what all processes here have counted, and how store and queues are now."""

import threading
import time
from collections.abc import Iterator

from flask import Blueprint, Flask, Response, current_app, g
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily

from service import operators
from service.api.json import NO_STORE
from service.game import Game
from service.observe import metrics
from service.observe.metrics import AT_SCRAPE, Scraped

pages = Blueprint("metrics", __name__)

KEPT_SECONDS = 1
"""For so long the same is told again: however many ask, Redis is not asked more often."""


class Scrape(CollectorRegistry):
    """All there is to tell, as text."""

    def __init__(self, version: str) -> None:
        super().__init__()
        self._version = version
        self._lock = threading.Lock()
        self._made_at = float("-inf")
        self._text = b""
        self._game: Game | None = None

    def text(self, game: Game) -> bytes:
        """What there is to tell now, or was a moment ago."""
        with self._lock:
            if game is not self._game or time.monotonic() > self._made_at + KEPT_SECONDS:
                self._game = game
                self._text = generate_latest(self)
                self._made_at = time.monotonic()
            return self._text

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """What has been counted, then what is looked up now."""
        yield from metrics.everything().collect()  # type: ignore[misc]
        assert self._game is not None
        found = figures(operators.overview(self._game), self._game.now())
        found[AT_SCRAPE.build] = {(self._version,): 1}
        for scraped, values in found.items():
            yield family(scraped, values)


Values = dict[tuple[str, ...], float]


def figures(seen: operators.Overview, now: int) -> dict[Scraped, Values]:
    """How store and queues are; what can't be reached has no figures but that."""
    found: dict[Scraped, Values] = {
        AT_SCRAPE.store_up: {(): float(seen.backlog is not None)},
        AT_SCRAPE.queues_up: {(): float(seen.queues is not None)},
    }
    if seen.backlog and seen.census:
        found |= {
            AT_SCRAPE.due: {(): seen.backlog.entries},
            AT_SCRAPE.late: {(): seen.backlog.late},
            AT_SCRAPE.latest: {(): seen.backlog.late_ms(now) / 1000},
            AT_SCRAPE.tables: {(): seen.census.all},
            AT_SCRAPE.listed: {("open",): seen.census.open, ("full",): seen.census.full},
        }
    if seen.queues is not None:
        found |= {
            AT_SCRAPE.jobs: {(one.name,): one.jobs for one in seen.queues},
            AT_SCRAPE.oldest: {(one.name,): one.oldest_ms(now) / 1000 for one in seen.queues},
            AT_SCRAPE.failed: {(one.name,): one.failed for one in seen.queues},
            AT_SCRAPE.workers: {(one.name,): one.workers for one in seen.queues},
        }
    return found


def family(scraped: Scraped, values: Values) -> GaugeMetricFamily:
    """A metric with its values, by their labels."""
    made = GaugeMetricFamily(scraped.name, scraped.says, labels=scraped.labels)
    for labels, value in values.items():
        made.add_metric(labels, value)
    return made


def register(app: Flask) -> None:
    """Serve the metrics."""
    app.extensions["scrape"] = Scrape(app.config["API_VERSION"])
    app.register_blueprint(pages)


@pages.get("/metrics")
def get_metrics() -> Response:
    """The metrics, for Prometheus."""
    text = current_app.extensions["scrape"].text(g.game)
    return Response(text, headers=NO_STORE, content_type=CONTENT_TYPE_LATEST)
