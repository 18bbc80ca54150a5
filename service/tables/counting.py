"""What the metrics have of what was committed at tables."""

from collections.abc import Iterable

from service.observe import metrics
from service.tables.events import Entry, Settled


def count(entries: Iterable[Entry]) -> None:
    """Count the moves and the settled deals among what has happened."""
    for entry in entries:
        move = metrics.MOVE_OF.get(entry.event.type)
        if move is not None:
            move.inc()
        elif isinstance(entry.event, Settled):
            metrics.DEALS.labels(entry.event.reason).inc()
