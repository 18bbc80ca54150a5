"""Traces by OpenTelemetry: from a request through the job that it asks for down to Redis.

Where no collector is named nothing of OpenTelemetry is imported, and a call here is one comparison.
"""

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

_tracer: "Tracer | None" = None


def begin(endpoint: str, part: str) -> None:
    """Send traces to a collector from now on; to none, where it has no address.

    Args:
        endpoint: the collector's address, without a path.
        part: what this process does.
    """
    global _tracer  # noqa: PLW0603 - a process has one
    if not endpoint:
        return
    # Slow to import, and not everybody has it.
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
        OTLPSpanExporter,
    )
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    named = os.environ.get("OTEL_SERVICE_NAME", "paiute")
    provider = TracerProvider(resource=Resource.create({"service.name": named, "part": part}))
    exporter = OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces")
    provider.add_span_processor(BatchSpanProcessor(exporter))
    _tracer = provider.get_tracer("paiute")


def on() -> bool:
    """Whether anything is traced."""
    return _tracer is not None


@contextmanager
def span(
    name: str, came_with: Mapping[str, str], facts: Mapping[str, str | int], kind: str = "SERVER"
) -> Iterator["Span"]:
    """Trace what happens within; only for when something is traced.

    Args:
        name: what it is.
        came_with: what `carried` gave to where it was asked for: it becomes part of that trace.
        facts: what else is to be told of it.
        kind: what OpenTelemetry calls it, SERVER or CONSUMER.
    """
    from opentelemetry.propagate import extract  # noqa: PLC0415 - it is loaded by now
    from opentelemetry.trace import SpanKind  # noqa: PLC0415

    assert _tracer is not None
    with _tracer.start_as_current_span(
        name,
        extract(came_with),
        SpanKind[kind],
        facts,
        record_exception=False,  # Its message may name a card.
        set_status_on_exception=False,
    ) as made:
        try:
            yield made
        except Exception:
            failed(made)
            raise


def failed(what: "Span") -> None:
    """Note that what is traced has failed."""
    from opentelemetry.trace import StatusCode  # noqa: PLC0415 - it is loaded by now

    what.set_status(StatusCode.ERROR)


def carried() -> dict[str, str]:
    """What a job is given along, so that it becomes part of the trace of whoever asks for it."""
    if _tracer is None:
        return {}
    from opentelemetry.propagate import inject  # noqa: PLC0415 - it is loaded by now

    carrier: dict[str, str] = {}
    inject(carrier)
    return carrier


def happened(name: str, seconds: float) -> None:
    """Note in the trace at hand, if there is one, what has just been done."""
    if _tracer is None:
        return
    from opentelemetry.trace import SpanKind, get_current_span  # noqa: PLC0415 - it is loaded

    if get_current_span().is_recording():
        now = time.time_ns()
        made = _tracer.start_span(name, kind=SpanKind.CLIENT, start_time=now - int(1e9 * seconds))
        made.end(now)
