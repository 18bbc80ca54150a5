"""The log: lines for people, or JSON with one object a line for machines.

A line has what it is about: the request or the job during which it was written.  That is looked up
when a line is written, so what writes none pays nothing.  No line has a token, a card or a body.
"""

import logging
import os
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import TracebackType

import msgspec

from service import faults

FORMAT = "PAIUTE_LOG_FORMAT"
"""The setting, for what logs before there are settings."""

LINE = "%(asctime)s %(levelname)s %(name)s %(message)s"

Facts = Mapping[str, object]

_tellers: list[Callable[[], Facts]] = []

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def about(teller: Callable[[], Facts]) -> None:
    """Have each line tell these facts of what is being done."""
    if teller not in _tellers:
        _tellers.append(teller)


def facts() -> dict[str, object]:
    """What is being done now: of those facts all that are known."""
    told = {name: fact for teller in _tellers for name, fact in teller().items()}
    return {name: fact for name, fact in told.items() if fact is not None}


def _of(record: logging.LogRecord) -> dict[str, object]:
    """The facts of a line: those of what is being done, and its own."""
    return facts() | getattr(record, "facts", {})


class Lines(logging.Formatter):
    """Lines for people: when, how grave, who, what, and what it is about."""

    def __init__(self) -> None:
        super().__init__(LINE)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - as in `logging`
        """A line, with its facts at the end."""
        told = " ".join(f"{name}={fact}" for name, fact in _of(record).items())
        return super().formatMessage(record) + (f" [{told}]" if told else "")

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802 - as in `logging`
        """Where an exception came from, without its message, which may name a card."""
        return faults.describe(ei[1]) if ei[1] else ""


class JsonLines(logging.Formatter):
    """JSON, a line each: `at`, `level`, `logger`, `message`, and what it is about.

    What libraries put beside their messages is left out: nobody knows what it is.
    """

    def format(self, record: logging.LogRecord) -> str:
        """A line."""
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **_of(record),
        }
        if record.exc_info and record.exc_info[1]:
            line["fault"] = faults.describe(record.exc_info[1])
        return msgspec.json.encode(line).decode()


def formatter(form: str | None = None) -> logging.Formatter:
    """What writes the lines in a form, by default that of the environment."""
    return JsonLines() if (form or os.environ.get(FORMAT)) == "json" else Lines()


def begin(level: str, form: str) -> None:
    """Write the log of this process to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter(form))
    logging.basicConfig(level=level, handlers=[handler])
