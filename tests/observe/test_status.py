"""`paiute status`: what it shows, and how it ends."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from redis import Redis

from service.cli import main
from service.operators import Overview
from service.status_command import LATE_MS, Status, as_text
from service.store.base import Backlog, Census, Due
from service.store.queue_names import QUEUES
from service.store.queues import QueueHealth, RqQueues
from tests.observe.test_scrape import await_workers
from tests.test_launcher import Serve

NOW = 1_790_000_000_000


def status(*arguments: str, **settings: str) -> Result:
    """The command, run with these settings alone."""
    env = {"PAIUTE_REDIS_URL": None, **settings}
    return CliRunner().invoke(main, ["status", *arguments], env=env)


def test_of_a_running_service(watched: Serve) -> None:
    """It finds a `paiute serve` by its folder, shows all there is, and all is well."""
    await_workers(watched.address())
    ran = status("--data", str(watched.data))
    told = json.loads(status("--data", str(watched.data), "--json").stdout)

    assert 0 == ran.exit_code, ran.output
    for word in ("bots", "settlement", "clock", "webhooks", "due", "tables", "streams", "moves"):
        assert f"\n{word} " in ran.output
    assert ran.output.endswith("All is well.\n")
    assert (True, []) == (told["well"], told["faults"])
    assert list(QUEUES) == [queue["name"] for queue in told["queues"]]
    assert all(queue["workers"] >= 1 for queue in told["queues"])
    assert {"streams", "polls", "moves"} == set(told["api"])
    assert {"open", "full", "all"} == set(told["tables"])


def test_nobody_works(redis: Redis, redis_url: str) -> None:
    """Where nobody works it ends with 1, and says for each queue what to do."""
    RqQueues(redis).enqueue(Due("settle", "01T", 1))
    ran = status("--url", redis_url)
    by_setting = status("--json", PAIUTE_REDIS_URL=redis_url)

    assert 1 == ran.exit_code
    assert "Nobody works on the queue settlement: start `paiute worker settlement`." in ran.output
    assert 1 == by_setting.exit_code
    assert 1 == json.loads(by_setting.stdout)["queues"][1]["jobs"]
    assert None is json.loads(by_setting.stdout)["api"]


def test_redis_away(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Where Redis does not answer it ends with 1, says so, and logs why once."""
    ran = status("--url", f"unix://{tmp_path}/nothing.sock")

    assert 1 == ran.exit_code
    assert "The store does not answer.\nThe job queues do not answer." in ran.output
    (why,) = caplog.messages
    assert why.startswith("Redis is away: ")


def test_an_api_that_is_silent(watched: Serve) -> None:
    """Where the API that was named does not answer it ends with 1, and says so."""
    ran = status("--data", str(watched.data), "--api", "127.0.0.1:1")

    assert 1 == ran.exit_code
    assert "The API at http://127.0.0.1:1 does not tell its metrics." in ran.output
    assert "streams" not in ran.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--data", "nothing"), "Name the data folder of `paiute serve` with --data"),
        (("--url", "http://redis"), "That is no address of a Redis: it has to begin with"),
        (("--url", "redis+cluster://redis:6379"), "the Redis of the queues in PAIUTE_QUEUE_REDIS"),
        (("--watch", "--json"), "take one of them"),
    ],
)
def test_nothing_to_look_at(arguments: tuple[str, ...], said: str) -> None:
    """Where nothing runs, or what was named is no place to look at, it ends with 2 and says why."""
    ran = status(*arguments)

    assert 2 == ran.exit_code
    assert said in ran.output
    assert "Traceback" not in ran.output


def test_what_is_late() -> None:
    """What is late by more than five seconds is told, for queues and for what is due."""
    late = NOW - LATE_MS - 1
    queues = (
        QueueHealth("bots", 7, late, 0, 1),
        QueueHealth("clock", 1, NOW - LATE_MS, 2, 1),
    )
    seen = Overview(Backlog(9, 3, late), Census(1, 2, 30), queues)
    shown = Status(seen, None, None, NOW)

    assert (
        "Something has been due for 5.0 s: is there a sweep, and do workers work?",
        "A job in the queue bots waits for 5.0 s: add workers.",
    ) == shown.faults
    assert "3 late, the latest by 5.0 s" in as_text(shown)
