"""The log: what a line tells, and what none ever does."""

import json
import logging
import re
from collections.abc import Iterator

import pytest
import requests
from gunicorn.config import Config

from service.api.observed import REQUEST_ID
from service.gunicorn_config import GunicornLogger
from service.observe import logs
from tests.api.world import World
from tests.observe.games import MOVES, Game
from tests.observe.scrapes import scrape
from tests.support.client import Json
from tests.test_launcher import Serve

CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")


def record(message: str, *values: object, **more: object) -> logging.LogRecord:
    """A record of the log."""
    made = logging.LogRecord("service.tests", logging.WARNING, "", 1, message, values, None)
    made.__dict__ |= more
    return made


@pytest.fixture
def busy() -> Iterator[None]:
    """While something is being done."""
    facts: dict[str, object] = {"table": "01T", "player": None}
    logs.about(teller := lambda: facts)
    yield
    logs._tellers.remove(teller)


@pytest.mark.usefixtures("busy")
def test_a_line_of_json() -> None:
    """A line is one object: when, how grave, who, what, the known facts, and nothing else."""
    line = json.loads(
        logs.formatter("json").format(record("late by %s", 3, facts={"ms": 7}, arguments="As"))
    )

    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", line.pop("at"))
    assert {
        "level": "WARNING",
        "logger": "service.tests",
        "message": "late by 3",
        "table": "01T",
        "ms": 7,
    } == line


@pytest.mark.usefixtures("busy")
def test_a_line_for_people() -> None:
    """The same as text."""
    line = logs.formatter("text").format(record("late by %s", 3, facts={"ms": 7}))

    assert line.endswith("WARNING service.tests late by 3 [table=01T ms=7]")


@pytest.mark.parametrize("form", ["json", "text"])
def test_an_exception_keeps_its_message(form: str) -> None:
    """Of an exception the log has the kind and the place, never the message."""
    with pytest.raises(KeyError) as raised:
        dict[str, str]()["As Kd"]
    found = (raised.type, raised.value, raised.tb)
    line = logs.formatter(form).format(record("failed", exc_info=found))

    assert "KeyError at " in line
    assert "As" not in line


def lines(watched: Serve) -> list[Json]:
    """All lines of the log that are JSON, which are all but what the command says itself."""
    return [json.loads(line) for line in watched.err.splitlines() if line.startswith("{")]


def test_each_request_has_a_line(watched: Serve) -> None:
    """A request's line has its id, route, status, time, table, version and player."""
    game = Game(watched.address())
    about = [line for line in lines(watched) if line.get("table") == game.table]
    ends = tuple(f"/{kind}" for kind in MOVES.values())
    moves = [line for line in about if line["route"].endswith(ends)]

    assert game.own_moves == len(moves)
    for line in moves:
        assert (game.player, 200, "POST") == (
            line["player"],
            line["status"],
            line["message"].removeprefix("answered "),
        )
        assert line["ms"] > 0
        assert line["version"] >= 1
    assert len(about) == len({line["request"] for line in about})


def test_a_page_has_no_version(watched: Serve) -> None:
    """What has an ETag but is no table has no version in its line."""
    answer = requests.get(f"{watched.address()}/v1/rules", timeout=30)
    [line] = [one for one in lines(watched) if one.get("request") == answer.headers[REQUEST_ID]]

    assert answer.headers["ETag"]
    assert "version" not in line


def test_no_secret_is_ever_told(watched: Serve) -> None:
    """While whole deals are played no card, token, code or secret gets into log or metrics."""
    url = watched.address()
    games = [Game(url) for _ in range(2)]
    text = watched.err + scrape(url).text
    secret = (watched.data / "secret").read_text()

    assert watched.err.count("\n") > 10
    assert [] == CARD.findall(text)
    assert not [
        said
        for said in (secret, *(part for game in games for part in (game.token, game.code)))
        if said in text
    ]


@pytest.mark.parametrize(("form", "kind"), [("json", logs.JsonLines), ("text", logs.Lines)])
def test_the_log_of_gunicorn(
    monkeypatch: pytest.MonkeyPatch, form: str, kind: type[logging.Formatter]
) -> None:
    """What gunicorn itself says is in the same form."""
    monkeypatch.setenv(logs.FORMAT, form)
    logger = GunicornLogger(Config()).error_log
    handlers, logger.handlers = logger.handlers, []

    assert {kind} == {type(handler.formatter) for handler in handlers}


@pytest.mark.parametrize(
    ("given", "kept"),
    [("abc-1.2:3_Z", True), ("", False), ("a b", False), ("x" * 65, False), ("é", False)],
)
def test_request_ids(given: str, kept: bool) -> None:
    """An answer names the id that its request came with, or a new one where that is none."""
    anybody = World().anybody
    answer = anybody.get("/healthz", X_Request_Id=given)
    again = anybody.get("/healthz", X_Request_Id=given)
    named = answer.headers["x-request-id"]

    assert kept is (named == given)
    assert kept is (named == again.headers["x-request-id"])
    assert logs.facts() == {}
