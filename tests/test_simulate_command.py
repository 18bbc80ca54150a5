"""`paiute simulate` as it is typed."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from service.bots import LEVELS
from service.bots.turn import Turn
from service.cli import main
from tests.docs.pages import blocks
from tests.simulate.server import Plain, bot_server, plain


class Forgetful(Plain):
    """A bot with a mistake in it."""

    def throws(self, turn: Turn, rng: Random) -> int:  # noqa: ARG002 - it fails before.
        seen: dict[int, int] = {}
        return seen[turn.hand]


COMMAND = (sys.executable, "-m", "service.cli", "simulate", "--json")


def simulate(*options: str) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, ["simulate", *options])


def figures(*options: str) -> Any:
    """What the command prints as JSON."""
    result = simulate("--json", *options)
    assert 0 == result.exit_code, result.output
    return json.loads(result.stdout)


def test_a_ladder_of_the_house() -> None:
    """`medium` is above `easy`, and `easy` above `random`, clear of the intervals."""
    found = figures("--levels", "random,easy,medium", "--deals", "150", "--jobs", "1")

    assert ["medium", "easy", "random"] == [step["player"] for step in found["ladder"]]
    assert all(match["low"] > 0.5 for match in found["matches"])


def test_hard_is_above_medium() -> None:
    """`hard` wins more than half against `medium`, clear of the interval."""
    (match,) = figures("--levels", "medium,hard", "--deals", "400", "--jobs", "1")["matches"]

    assert ("hard", "medium") == (match["player"], match["against"])
    assert match["low"] > 0.5


def test_every_level_plays_unless_told_otherwise() -> None:
    """Without `--levels` all levels play, at any size of table, and none does what it may not."""
    found = figures("--deals", "1", "--players", "3", "--jobs", "1")

    assert {*LEVELS} == {step["player"] for step in found["ladder"]}
    assert dict.fromkeys(LEVELS, 0) == found["illegal_moves"]


def test_house_rules() -> None:
    """House rules are taken, and told."""
    found = figures(
        "--levels=random", "--deals=3", "--rules=ace_low=true,reshuffle=all,max_reshuffles=0"
    )

    assert {
        "ace_low": True,
        "final_turns": "complete_round",
        "reshuffle": "all",
        "max_reshuffles": 0,
    } == found["rules"]


def test_an_outside_bot() -> None:
    """A bot over HTTP plays in a tournament like any other."""
    with bot_server(plain) as bot:
        found = figures(
            "--levels=medium", "--deals=1", "--rules=max_reshuffles=0", f"--bot=mine={bot.url}"
        )

    (match,) = found["matches"]
    assert ("mine", "medium", 2) == (match["player"], match["against"], match["deals"])
    assert {"medium": 0, "mine": 0} == found["illegal_moves"] == found["late_answers"]
    clocks = {each["player"]: each["clock"] for each in found["decisions"]}
    assert {"medium": "cpu", "mine": "wall"} == clocks


def test_a_picture(tmp_path: Path) -> None:
    """The ladder is drawn beside the report."""
    file = tmp_path / "ladder.svg"
    result = simulate("--levels=random,easy", "--deals=3", f"--plot={file}")

    assert 0 == result.exit_code
    assert "easy" in file.read_text()
    assert "Share by seat" in result.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--levels=perfect"], "There is no 'perfect': take of random, easy, medium"),
        (["--levels=easy,easy"], "'easy' is there twice"),
        (["--levels=,"], "There is nobody to play"),
        (["--players=6"], "'--players'"),
        (["--deals=0"], "'--deals'"),
        (["--seed=-1"], "'--seed'"),
        (["--jobs=0"], "'--jobs'"),
        (["--rules=jokers=2"], "'jokers' is not one of ace_low, final_turns"),
        (["--rules=ace_low=maybe"], "ace_low is true or false, not 'maybe'"),
        (["--rules=max_reshuffles=101"], "max_reshuffles is 0 to 100, not '101'"),
        (["--rules=reshuffle"], "reshuffle is keep_top or all, not ''"),
        (["--bot=mine"], "'' is neither http://HOST:PORT/... nor MODULE:CLASS"),
        (["--bot=mine=ftp://here/"], "'ftp://here/' is neither"),
        (["--bot=mine=http://here:port/"], "'http://here:port/' is neither"),
        (["--bot=mine=no.such.module:Bot"], "mine (no.such.module:Bot) fails: ModuleNotFoundError"),
        (["--bot=mine=random:Random"], "mine (random:Random) is no service.bots.Bot"),
        (["--bot=easy=http://here/"], "'easy' can't be the name of a bot"),
        (["--bot==http://here/"], "'' can't be the name of a bot"),
        (["--bot=a=m:A", "--bot=a=m:B"], "'a' can't be the name of a bot"),
        (["--plot=ladder.gif"], "ladder.gif has to end in .png or .svg"),
        (["--plot=no/such/folder/ladder.svg"], "There is no folder no/such/folder"),
        (["--levels=easy", "--plot=ladder.svg"], "One alone makes no ladder"),
        (["--bot-seconds=0"], "'--bot-seconds'"),
    ],
)
def test_bad_input(options: list[str], said: str) -> None:
    """What can't be is refused before anything is played, in words that say what would do."""
    result = simulate(*options)

    assert 2 == result.exit_code
    assert said in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr


def test_nobody_answers() -> None:
    """Where an outside bot is not there, one line says so."""
    with bot_server(plain) as bot:
        url = bot.url
    result = simulate("--levels=easy", f"--bot=mine={url}")

    assert 2 == result.exit_code
    assert f"Error: {url} does not answer" in result.stderr


@pytest.mark.parametrize(
    ("answer", "status", "said"),
    [(b"hello", 200, "JSON is malformed"), ({"action": "call"}, 404, "HTTP status 404")],
)
def test_nothing_is_a_move(answer: object, status: int, said: str) -> None:
    """Where something else listens at a bot's address, one line quotes what it answers."""
    with bot_server(lambda _: answer, status=status) as bot:
        result = simulate("--levels=easy", f"--bot=mine={bot.url}")

    assert 2 == result.exit_code
    assert f"Error: Nothing that {bot.url} answers is a move: {said}" in result.stderr


def test_a_class_that_fails_in_play() -> None:
    """A mistake in a bot's class that its first deal shows is told in one line."""
    result = simulate("--levels=easy", "--bot=mine=tests.test_simulate_command:Forgetful")

    assert 2 == result.exit_code
    assert "Error: The bot mine (tests.test_simulate_command:Forgetful) fails: KeyError" in (
        result.stderr
    )
    assert "Traceback" not in result.stderr


def test_the_class_of_the_page(tmp_path: Path) -> None:
    """The class in docs/bots.md plays as it stands there, from the present folder."""
    (program,) = (block.text for block in blocks("bots.md") if "class MyBot" in block.text)
    (tmp_path / "my_module.py").write_text(program)
    ran = subprocess.run(
        [*COMMAND, "--levels=random", "--deals=11", "--bot=mine=my_module:MyBot", "--jobs=2"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        timeout=120,
    )
    found = json.loads(ran.stdout)

    assert {"random": 0, "mine": 0} == found["illegal_moves"]
    assert 22 == found["matches"][0]["deals"]
    assert b"" == ran.stderr


def test_the_progress_bar_moves_steadily() -> None:
    """On a terminal a bar shows how far it is, in many small steps."""
    options = ["--levels=random,easy,medium", "--deals=60", "--jobs=1"]
    parent, child = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, *options],
        stdout=subprocess.PIPE,
        stderr=child,
    ) as running:
        os.close(child)
        shown = read_all(parent)
        assert running.stdout is not None
        assert json.loads(running.stdout.read())
    steps = [int(step) for step in re.findall(r"(\d+)/180\b", shown)]

    assert [*range(0, 181, 10)] == sorted(set(steps)), shown


def read_all(terminal: int) -> str:
    """What is written to a terminal until nobody has it open any more."""
    shown = b""
    while True:
        try:
            more = os.read(terminal, 4096)
        except OSError:  # On Linux that is how it ends.
            more = b""
        if not more:
            os.close(terminal)
            return shown.decode()
        shown += more
