"""Backup and restore as docs/operations.md has them: the very commands, while games are played."""

import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from service.embedded import find_server
from tests.docs.pages import DOCS
from tests.support import redis_cli
from tests.support.client import Client, Json, simple_choice
from tests.support.processes import RunningService

PAGE = (DOCS / "operations.md").read_text()
WAYS = ("From the append-only file", "From a snapshot")
HOUSE = [{"level": "easy"}] * 4


def commands(way: str) -> tuple[str, str]:
    """The page's programs that back up and restore in one of the ways."""
    section = PAGE.partition(f"\n### {way}\n")[2].partition("\n##")[0]
    backup, restore = re.findall(r"^```sh\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    return backup, restore


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `redis-server` and `redis-cli`, as a server has them."""
    folder = tmp_path_factory.mktemp("bin")
    (folder / "redis-server").symlink_to(find_server())
    client = folder / "redis-cli"
    client.write_text(f'#!/bin/sh\nexec {sys.executable} -S {redis_cli.__file__} "$@"\n')
    client.chmod(client.stat().st_mode | stat.S_IXUSR)
    return folder


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service at which bots play meanwhile."""
    service = RunningService(tmp_path_factory.mktemp("busy"), "--workers", "1")
    with closing(Client(service.url)) as host:
        host.create(seats=4, bots=HOUSE, thinking_ms=50)
    try:
        yield service
    finally:
        service.stop()


def sh(program: str, programs: Path, **variables: object) -> None:
    """Run a program of the page as it stands."""
    env = os.environ | {name: str(value) for name, value in variables.items()}
    env["PATH"] = f"{programs}{os.pathsep}{env['PATH']}"
    done = subprocess.run(
        ["sh", "-eu", "-c", program],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        env=env,
    )
    assert 0 == done.returncode, done.stderr + done.stdout


def audit(data: Path) -> str:
    """What `paiute audit` says of a data folder; fails where it finds something."""
    command = [sys.executable, "-m", "service.cli", "audit", "--data", str(data)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


def a_move(client: Client, view: Json) -> Json:
    """Wait for the player's turn, and make a move; gives the view after it."""
    while (choice := simple_choice(view)) is None:
        view = client.next_view(view)
    answer = client.act(view, choice)
    assert 200 == answer.status_code, answer.text
    moved: Json = answer.json()
    return moved


@pytest.mark.parametrize("way", WAYS)
def test_what_is_backed_up_can_be_played_on(
    busy: RunningService, programs: Path, tmp_path: Path, way: str
) -> None:
    """A copy that is made while games are played has all chips, and its games go on."""
    backup, restore = commands(way)
    kept, restored = tmp_path / "backup", tmp_path / "new"
    kept.mkdir()
    restored.mkdir()
    with closing(Client(busy.url)) as keola:
        view = keola.create(seats=2, bots=HOUSE[:1], turn_seconds=0, thinking_ms=0)
        view = a_move(keola, view)
        sh(backup, programs, DATA=busy.data, BACKUP=kept, PAIUTE_REDIS_URL=busy.redis_url)
        later = a_move(keola, view)
        headers = dict(keola.http.headers)

    sh(restore, programs, DATA=restored, BACKUP=kept)
    shutil.copy(busy.data / "secret", restored)
    assert "All chips are accounted for." in audit(restored)

    again = RunningService(restored, "--workers", "1")
    try:
        with closing(Client(again.url)) as keola:
            keola.http.headers.update(headers)
            back = keola.view(view["id"])
            assert view["version"] <= back["version"] < later["version"]
            for _ in range(6):
                back = a_move(keola, back)
    finally:
        again.stop()


def test_each_alert_has_a_section() -> None:
    """The page says of each alert what to do, and of no other."""
    rules = (DOCS.parent / "k8s/observability/alerts.yaml").read_text()
    alerts = re.findall(r"^\s*- alert: (\w+)$", rules, re.MULTILINE)
    assert alerts == re.findall(r"^### (Paiute\w+)$", PAGE, re.MULTILINE)
