"""Paiute as a service: the rules, the tables, their store and the HTTP API."""

import sys

# Where OpenTelemetry is installed, the client of Redis loads its metrics, which we never use: a
# third of the time that a process takes to start. It does without where they can't be had.
sys.modules.setdefault("opentelemetry.sdk.metrics", None)  # type: ignore[arg-type]
