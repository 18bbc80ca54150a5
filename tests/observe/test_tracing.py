"""Traces: from a request through its job down to Redis, and nothing without the setting."""

import gzip
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode
from werkzeug.test import create_environ, run_wsgi_app

from service.api.traced import Traced
from service.observe import tracing
from tests.observe.games import Game
from tests.observe.test_logs import CARD
from tests.support.parts import Api, Part, ended, own_server
from tests.support.waiting import wait_until

QUEUE_OF = {"job play_bot": "bots", "job settle": "settlement"}


@dataclass(frozen=True)
class Span:
    """A span as it was sent."""

    part: str
    name: str
    trace: bytes
    id: bytes
    parent: bytes
    facts: dict[str, str]


@contextmanager
def collector() -> Iterator[tuple[str, list[Span], list[bytes]]]:
    """What takes traces: its address, what was sent, and that as it came."""
    spans: list[Span] = []
    raw: list[bytes] = []

    class Takes(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            body = gzip.decompress(body) if self.headers["Content-Encoding"] == "gzip" else body
            raw.append(body)
            spans.extend(read(body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Takes) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", spans, raw
        server.shutdown()


def read(body: bytes) -> Iterator[Span]:
    """The spans of a message."""
    for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
        of = {one.key: one.value.string_value for one in resource.resource.attributes}
        for scope in resource.scope_spans:
            for one in scope.spans:
                facts = {fact.key: fact.value.string_value for fact in one.attributes}
                ids = (one.trace_id, one.span_id, one.parent_span_id)
                yield Span(of["part"], one.name, *ids, facts)


def asked_for(spans: list[Span]) -> list[Span]:
    """The jobs that a discard has asked for, once both were sent: a bot's turn or a settlement."""
    moves = {span.id for span in spans if span.name.endswith("{table_id}/discard")}
    return [span for span in spans if span.name.startswith("job ") and span.parent in moves]


def test_from_request_to_redis(tmp_path: Path) -> None:
    """A move, the bot's turn that it asks for, and their round trips to Redis are one trace.

    What is sent has no card, token or code.
    """
    with own_server(tmp_path) as server, collector() as (url, spans, raw):
        settings = {"PAIUTE_OTLP_ENDPOINT": url, "OTEL_BSP_SCHEDULE_DELAY": "100"}
        api = Api(tmp_path / "api.log", server.url, "--workers", "1", settings=settings)
        bots = Part(tmp_path / "bots.log", server.url, "worker", settings=settings)
        with ended(api, bots):
            wait_until(lambda: api.is_ready, 120)
            game = Game(api.url)
            jobs = wait_until(lambda: asked_for(spans), 60)
        moves = {span.id: span for span in spans}
        for job in jobs:
            assert moves[job.parent].name.endswith("{table_id}/discard")
            move = moves[job.parent]
            assert (QUEUE_OF[job.name], "api") == (job.part, move.part)
            assert move.trace == job.trace
            assert game.table == job.facts["table"]
            for one in (job, move):
                assert "redis read" in {span.name for span in spans if span.parent == one.id}
        text = b"".join(raw).decode(errors="replace")
        assert not CARD.search(" ".join(fact for span in spans for fact in span.facts.values()))
        assert not [secret for secret in (game.token, game.code) if secret in text]


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    """What is traced in this process."""
    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    monkeypatch.setattr(tracing, "_tracer", provider.get_tracer("tests"))
    return kept


def test_a_job_that_raises(kept: InMemorySpanExporter) -> None:
    """It has failed in the trace too, which does not say what it raised."""
    with pytest.raises(ValueError, match="As"), tracing.span("job settle", {}, {}, "CONSUMER"):
        raise ValueError("As")
    [span] = kept.get_finished_spans()

    assert (StatusCode.ERROR, None) == (span.status.status_code, span.status.description)
    assert () == span.events


@pytest.mark.parametrize(
    ("status", "code"),
    [("500 Internal Server Error", StatusCode.ERROR), ("409 Conflict", StatusCode.UNSET)],
)
def test_a_fault_of_the_service(kept: InMemorySpanExporter, status: str, code: StatusCode) -> None:
    """A request that ends with 5xx has failed; one that is refused has not."""

    def answers(_: WSGIEnvironment, start: StartResponse) -> list[bytes]:
        start(status, [])
        return []

    run_wsgi_app(Traced(answers), create_environ())
    [span] = kept.get_finished_spans()

    assert code == span.status.status_code


def test_off_by_default() -> None:
    """Without the setting nothing is traced, a job carries nothing, and nothing is imported."""
    assert not tracing.on()
    assert {} == tracing.carried()
    program = "import sys, service.api, workers.context; print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    modules = ran.stdout.split()
    assert "service.observe.tracing" in modules
    assert [] == [name for name in modules if name.startswith("opentelemetry.exporter")]
    assert "opentelemetry.sdk.trace" not in modules
