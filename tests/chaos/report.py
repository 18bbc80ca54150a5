"""What a run has come to, as text; and whether it is good enough."""

from tests.chaos.delays import NAMES, percentile
from tests.chaos.findings import Law
from tests.chaos.outages import Met
from tests.chaos.run import Result

RECOVERY_SECONDS = 5.0
"""The 99th percentile of recoveries that is still good."""

LATE_SECONDS = 2.0
"""The same of how late clocks fire."""


def too_slow(result: Result) -> list[str]:
    """Which of the times are longer than they may be."""
    return [*slow_recoveries(result), *late_clocks(result)]


def slow_recoveries(result: Result) -> list[str]:
    """What was done too late after a needed part was back."""
    late = {kind: percentile(delays.recovered, 99) for kind, delays in result.delays.items()}
    return [
        f"p99 of recovered {NAMES[kind]}: {seconds:.2f} s > {RECOVERY_SECONDS} s"
        for kind, seconds in late.items()
        if seconds > RECOVERY_SECONDS
    ]


def late_clocks(result: Result) -> list[str]:
    """Whether clocks fire too late."""
    late = percentile(result.delays["expire_turn"].counted, 99)
    if late <= LATE_SECONDS:
        return []
    return [f"p99 of the lateness of clocks: {late:.2f} s > {LATE_SECONDS} s"]


def as_text(result: Result) -> str:
    """The whole report."""
    return "\n\n".join(
        [_load(result), _faults(result), _delays(result), _laws(result), *too_slow(result)]
    )


def _load(result: Result) -> str:
    return (
        f"seed {result.seed}, {result.seconds:.0f} s of faults: {result.tables} tables, "
        f"{result.deals:,} deals settled, {result.turns:,} turns, {result.events:,} events.\n"
        f"Requests: {_counts(result.counts)}.\n"
        f"Refusals: {_counts(result.refusals)}."
    )


def _faults(result: Result) -> str:
    lines = [
        f"Killed ({result.kills.total()}, {result.kills_at_work} of them at a job): "
        f"{_counts(result.kills)}.",
        f"Halted ({result.halts.total()}): {_counts(result.halts)}.",
        f"Died by themselves: {_counts(result.deaths) or 'none'}.",
        f"Networks: {_counts(result.traffic)}.",
        *([f"Slots moved: {result.moved}."] if result.moved else []),
    ]
    return "\n".join(lines)


def _delays(result: Result) -> str:
    lines = [f"{'seconds late':<16}{'':>11}{'n':>8}{'p50':>8}{'p99':>8}{'max':>8}"]
    for kind, delays in result.delays.items():
        lines += [_row(NAMES[kind], met, delays.by_met[met]) for met in Met]
        lines += [f"    {seconds:.2f} s: {wait}" for seconds, wait in delays.longest[-2:]]
    return "\n".join(lines)


def _row(name: str, met: Met, ordered: list[float]) -> str:
    figures = (percentile(ordered, 50), percentile(ordered, 99), max(ordered, default=0.0))
    return f"{name:<16}{met:>11}{len(ordered):>8,}" + "".join(f"{f:>8.2f}" for f in figures)


def _laws(result: Result) -> str:
    lines = [f"Violations: {result.findings.total}."]
    for law in Law:
        lines.append(f"{result.findings.counts[law]:>6}  {law}")
        lines += [f"        - {example}" for example in result.findings.examples[law]]
    return "\n".join([*lines, f"Audit: {result.audit}"])


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in sorted(counts.items()))
