"""What `paiute audit` does beside the audit: finding the store, and saying what was counted."""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from service import embedded, launcher
from service.audit import Figures, Report


@contextmanager
def store_of(data: Path | None, env: Mapping[str, str] = os.environ) -> Iterator[str]:
    """The URL of the store to audit: of a data folder, or of the settings, or of `data`.

    Where nothing runs on the folder, its store is started for the time.

    Raises:
        NoServer: there is none.
    """
    url = env.get("PAIUTE_REDIS_URL")
    if data is None and url:
        yield url
        return
    with _store_in(data or embedded.DATA) as url:
        yield url


@contextmanager
def _store_in(data: Path) -> Iterator[str]:
    if not embedded.holds_store(data):
        raise embedded.NoServer(
            f"There is no store in {data.absolute()}. Name the data folder of `paiute serve` with "
            "--data, or set PAIUTE_REDIS_URL."
        )
    with launcher.writing_to(data):
        in_use = embedded.is_locked(data)
    if in_use:
        yield f"unix://{embedded.socket_of_running(data.absolute())}"
        return
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    running = launcher.Launcher()
    for number in handlers:
        signal.signal(number, signal.default_int_handler)
    try:
        yield launcher.start_store(running, data)
    finally:
        running.stop()
        for number, handler in handlers.items():
            signal.signal(number, handler)


@contextmanager
def progress(what: str, length: int) -> Iterator[Callable[[int], object]]:
    """A progress bar on standard error, where that is a terminal."""
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=length, label=what, file=sys.stderr, hidden=hidden) as bar:
        yield bar.update


def as_json(report: Report) -> dict[str, Any]:
    """A report for programs."""
    figures = report.figures
    sums = {"there": figures.there, "issued": figures.issued, "difference": figures.difference}
    return {
        "fits": report.fits,
        "figures": asdict(figures) | sums,
        "misfits": [asdict(misfit) for misfit in report.misfits],
    }


def as_text(report: Report) -> str:
    """A report for people."""
    lines = [f"{what:<44}{chips:>16,}" for what, chips in _rows(report.figures)]
    if report.fits:
        return "\n".join([*lines, "All chips are accounted for."])
    first, *others = report.misfits
    lines += ["This does not fit:", f"  {first}"]
    if others:
        lines.append(f"And {len(others)} more; --json names them.")
    return "\n".join(lines)


def _rows(figures: Figures) -> list[tuple[str, int]]:
    return [
        (f"accounts: {figures.accounts:,}", figures.balances),
        (f"tables: {figures.tables:,}, with {figures.pots:,} in pots", figures.on_tables),
        ("on their way", figures.on_their_way),
        ("moved while they were counted", figures.moved_meanwhile),
        ("= chips that there are", figures.there),
        ("granted", figures.granted),
        ("of the house, at these tables", figures.house),
        ("of the house, at tables forgotten by now", figures.house_before),
        ("= chips that were issued", figures.issued),
        ("difference", figures.difference),
    ]
