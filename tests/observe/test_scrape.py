"""`/metrics` of a real service of many processes: the numbers add up, whatever dies."""

import os
import re
import signal
import time
from pathlib import Path

from service.observe.metrics import AT_SCRAPE, Scraped
from tests.observe.games import MOVES, Game
from tests.observe.scrapes import Scrape, scrape
from tests.support.processes import children_of, words_of
from tests.support.waiting import wait_until
from tests.test_launcher import Serve, is_there

ULID = re.compile(r"\b[0-9A-HJKMNP-TV-Z]{26}\b")


def moves(told: Scrape) -> dict[str, float]:
    """How many moves of each kind were counted."""
    return {kind: told.sum("paiute_moves_total", kind=kind) for kind in MOVES.values()}


def gained(before: Scrape, game: Game) -> dict[str, float]:
    """The counts of moves that are to be told after a game."""
    return {kind: count + game.moves[kind] for kind, count in moves(before).items()}


def process_of(serve: Serve, *words: str) -> int:
    """A process of a service, by words of its command; of the API it is a worker of gunicorn's."""
    for child in children_of(serve.process.pid):
        command = words_of(child)
        if set(words) <= set(command):
            return children_of(child)[0] if "gunicorn:" in command else child
    raise AssertionError(words)


def folder_of(process: int) -> Path:
    """Where a process counts: where the lock lies that it has open."""
    for opened in Path(f"/proc/{process}/fd").iterdir():
        if (file := opened.readlink()).name.endswith(".lock"):
            return file.parent
    raise AssertionError(process)


def test_the_numbers_add_up(watched: Serve) -> None:
    """Each move, deal and request is counted once, whichever processes it went through."""
    url = watched.address()
    before = fresh(url)
    game = Game(url)

    told = await_moves(url, before, game)
    assert game.moves["draw"] >= 3, "everybody has a turn"
    assert 1 == told.sum("paiute_deals_settled_total") - before.sum("paiute_deals_settled_total")
    for kind in ("draw", "discard"):
        route = "/v1/tables/{table_id}/" + kind
        assert {"200"} == {
            dict(labels)["status"]
            for name, labels in told.values
            if name == "paiute_requests_total" and ("route", route) in labels
        }
        counted = told.sum("paiute_requests_total", route=route)
        timed = wait_until(lambda at=route, n=counted: timed_at_least(url, at, n))  # type: ignore[misc]
        assert counted == timed
    assert told.sum("paiute_jobs_total", kind="play_bot", result="done") >= 1
    assert 0 == told.sum("paiute_jobs_total", result="failed")
    assert 0 == told.sum("paiute_bot_fallbacks_total")
    assert 8 == sum(name == "paiute_bot_fallbacks_total" for name, _ in told.values), "all are told"


def fresh(url: str) -> Scrape:
    """What is told now, and was not found out before this was called."""
    now = time.time()

    def told() -> Scrape | None:
        told = scrape(url)
        return told if told.sum("paiute_sweep_last_timestamp_seconds") > now else None

    found = wait_until(told)
    assert found
    return found


def await_moves(url: str, before: Scrape, game: Game) -> Scrape:
    """What is told, once it has all moves of a game; it never has more."""
    expected = gained(before, game)

    def told() -> Scrape | None:
        told = scrape(url)
        assert all(moves(told)[kind] <= expected[kind] for kind in expected)
        return told if moves(told) == expected else None

    found = wait_until(told)
    assert found
    return found


def timed_at_least(url: str, route: str, count: float) -> float | None:
    """How many requests were timed, once there are so many."""
    timed = scrape(url).sum("paiute_request_seconds_count", route=route)
    return timed if timed >= count else None


def test_all_processes_tell_the_same(watched: Serve) -> None:
    """Workers and sweep are in what the API tells, and whoever answers tells the same counts."""
    url = watched.address()
    Game(url)
    told = [fresh(url) for _ in range(3)]

    assert 1 == len({tuple(moves(one).values()) for one in told})
    for one in told:
        assert one.sum("paiute_sweep_last_timestamp_seconds") > 1_790_000_000
        assert one.sum("paiute_job_seconds_count", kind="play_bot") >= 1
        assert one.sum("paiute_redis_seconds_count", call="commit") > 10


def test_what_is_looked_up(watched: Serve) -> None:
    """All gauges of store and queues are there, as they are."""
    told = await_workers(watched.address())
    looked_up = [one for one in vars(AT_SCRAPE).values() if isinstance(one, Scraped)]

    assert {one.name for one in looked_up} <= set(told.families)
    assert (1, 1) == (told.sum("paiute_store_up"), told.sum("paiute_queues_up"))
    assert told.sum("paiute_tables") >= 1
    assert 1 == told.sum("paiute_build_info")
    assert 2 * 96 == told.sum("paiute_streams_limit")


def await_workers(url: str) -> Scrape:
    """What is told, once all workers are at work."""

    def told() -> Scrape | None:
        told = scrape(url)
        killed_too = told.sum("paiute_queue_workers")  # They count until their time is over.
        return told if killed_too >= 5 else None

    found = wait_until(told)
    assert found
    return found


def test_killed_processes_lose_nothing(watched: Serve) -> None:
    """After kill -9 of a worker and of a process of the API no count has gone, and all go on."""
    url = watched.address()
    Game(url)
    before = fresh(url)
    killed = [process_of(watched, "workers", "bots"), process_of(watched, "gunicorn:")]
    folder = folder_of(killed[0])
    places_before = len(list(folder.glob("*.lock")))
    for process in killed:
        os.kill(process, signal.SIGKILL)
    wait_until(lambda: not any(map(is_there, killed)))
    await_workers(url)

    after = fresh(url)
    lost = [
        name
        for name, value in before.values.items()
        if name[0].endswith(("_total", "_count", "_bucket")) and after.values.get(name, 0) < value
    ]
    assert [] == lost
    game = Game(url)
    assert await_moves(url, before, game)
    assert places_before == len(list(folder.glob("*.lock")))


def test_it_names_nobody(watched: Serve) -> None:
    """No id of a player or a table, no code and no token is in what is told."""
    url = watched.address()
    game = Game(url)
    text = scrape(url).text

    assert [] == ULID.findall(text)
    assert not [secret for secret in (game.token, game.code, game.player) if secret in text]
