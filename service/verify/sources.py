"""Where the papers of deals come from: files, and services that are asked over HTTP."""

import re
import time
from collections.abc import Iterator
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import msgspec

from service.verify.papers import CannotCheck, Papers, read

SECONDS = 30
"""How long an answer may take."""

ATTEMPTS = 5
"""How often a service is asked again that says to come later."""

LONGEST_PAUSE = 30
"""How long a service may ask to wait, in seconds."""

ADDRESS = re.compile(r"(https?://\S+?/v1/tables/[^/?#\s]+)(?:/deals(?:/(\d+)(?:/proof)?)?)?/?")
"""The address of a table, of its deals, or of one of them."""

Json = dict[str, Any]


def is_url(source: str) -> bool:
    """Whether a source is an address, rather than the name of a file."""
    return "://" in source


def load(source: str) -> tuple[int, Iterator[Papers]]:
    """The papers in a file of one JSON value, a list, or one a line: how many, and each.

    Raises:
        CannotCheck: there are none.
    """
    try:
        text = Path(source).read_bytes()
    except OSError as error:
        raise CannotCheck(f"{source} can't be read: {error.strerror}.") from None
    said = _values(source, text)
    if not said:
        raise CannotCheck(f"There is no proof in {source}.")
    return len(said), map(read, said)


def _values(source: str, text: bytes) -> list[Any]:
    try:
        whole = msgspec.json.decode(text)
        return whole if isinstance(whole, list) else [whole]
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        return [msgspec.json.decode(line) for line in text.splitlines() if line.strip()]
    except (msgspec.DecodeError, RecursionError) as error:
        raise CannotCheck(f"{source} is no JSON: {error}.") from None


def fetch(url: str) -> tuple[int, Iterator[Papers]]:
    """The papers of a deal, or of all deals of a table: how many, and then one after the other.

    Raises:
        CannotCheck: the address is none of these, or the service does not answer as it should.
    """
    found = ADDRESS.fullmatch(url)
    if found is None:
        raise CannotCheck(
            f"{url} is no address of a table or a deal: write it like "
            "https://paiute.example/v1/tables/01M8.../deals/3."
        )
    table, number = found.groups()
    numbers = [int(number)] if number else _numbers(table)
    if not numbers:
        raise CannotCheck("This table has no finished deal yet.")
    return len(numbers), (_papers(table, one) for one in numbers)


def _numbers(table: str) -> list[int]:
    """The numbers of a table's finished deals, the first one first."""
    found: list[int] = []
    cursor: str | None = ""
    while cursor is not None:
        page = _get(f"{table}/deals?limit=100{cursor}")
        try:
            found += [deal["number"] for deal in page["items"]]
            cursor = None if page["next"] is None else f"&cursor={page['next']}"
        except (KeyError, TypeError):
            raise CannotCheck(f"{table} does not answer as Paiute does.") from None
    return found[::-1]


def _papers(table: str, number: int) -> Papers:
    proof, record = _get(f"{table}/deals/{number}/proof"), _get(f"{table}/deals/{number}")
    found = read({"proof": proof, "record": record})
    published = _published(table, found.proof.committed_version)
    return read({"proof": proof, "record": record, "published": published})


def _published(table: str, version: int) -> Any:
    """The commitment in a table's event of this id."""
    page = _get(f"{table}/events?after={version - 1}&limit=1")
    try:
        return page["items"][0]["data"]["commitment"]
    except (KeyError, IndexError, TypeError):
        raise CannotCheck(f"{table} has no event {version} of a deal's beginning.") from None


def _get(url: str) -> Json:
    """What a service answers, which may ask to come again later."""
    for _ in range(ATTEMPTS):
        request = Request(url, headers={"Accept": "application/json"})  # noqa: S310 - see ADDRESS
        try:
            with urlopen(request, timeout=SECONDS) as answer:  # noqa: S310
                return _object(url, answer.read())
        except HTTPError as error:
            pause = error.headers.get("Retry-After", "")
            later = error.code in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
            if not later or not pause.isdecimal():
                raise CannotCheck(_refusal(url, error)) from None
            time.sleep(min(int(pause), LONGEST_PAUSE))
        except (URLError, HTTPException, OSError) as error:
            reason = getattr(error, "reason", None) or error or type(error).__name__
            raise CannotCheck(f"{url} does not answer: {reason}") from None
    raise CannotCheck(f"{url} has no time for this now.")


def _object(url: str, text: bytes) -> Json:
    try:
        said = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise CannotCheck(f"{url} does not answer as Paiute does.")
    return said


def _refusal(url: str, error: HTTPError) -> str:
    try:
        return f"{url}: {msgspec.json.decode(error.read())['detail']}"
    except (msgspec.DecodeError, KeyError, TypeError, OSError, HTTPException):
        return f"{url} answers {error.code} {error.reason}."
