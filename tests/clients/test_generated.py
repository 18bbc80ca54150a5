"""Clients that were generated from the committed document play on the running service."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support import npm
from tests.support.newer import NEW, NEW_EVENT, newer
from tests.support.processes import RunningService

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "openapi" / "openapi.json"
GUIDE = HERE.parents[1] / "docs" / "api.md"
PYTHON, TYPESCRIPT = HERE / "play.py", HERE / "play.ts"

ENV = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
"""The generator finds the formatter that came with it."""

Json = dict[str, Any]

run = partial(subprocess.run, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def python_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the Python client, which was made without a warning."""
    folder = tmp_path_factory.mktemp("python")
    shutil.copy(DOCUMENT, folder)
    _, *options = documented("openapi-python-client ")
    command = [sys.executable, "-m", "openapi_python_client", *options, "--fail-on-warning"]
    made = run(command, cwd=folder, env=ENV)

    assert 0 == made.returncode, made.stdout + made.stderr
    assert "arning" not in made.stdout + made.stderr
    return folder


@pytest.fixture(scope="module")
def typescript_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the types for TypeScript."""
    folder = tmp_path_factory.mktemp("typescript")
    shutil.copy(DOCUMENT, folder)
    _, *command = documented("npx ")
    made = run(npm.command(*command), cwd=folder)

    assert (0, "") == (made.returncode, made.stderr)
    return folder


def documented(beginning: str) -> list[str]:
    """The one command of the guide that begins so."""
    _, _, section = GUIDE.read_text().partition("\n## Generating a client\n")
    (line,) = [line for line in section.splitlines() if line.startswith(beginning)]
    return shlex.split(line)


@pytest.fixture(params=["as it is", "newer"])
def url(request: pytest.FixtureRequest, service: RunningService) -> Iterator[str]:
    """The address of the service, and of one whose answers have unknown fields and events."""
    if request.param == "as it is":
        yield service.url
    else:
        with newer(service.url) as front:
            yield front


def test_python(python_client: Path, service: RunningService, url: str) -> None:
    """The Python client plays a deal to its record, whatever is new in answers."""
    played = run([sys.executable, PYTHON, url], env=os.environ | {"PYTHONPATH": str(python_client)})

    assert (0, "") == (played.returncode, played.stderr)
    judge(json.loads(played.stdout), is_newer=url != service.url)


def test_python_types(python_client: Path) -> None:
    """The program for the Python client is typed all through."""
    cache = ("--cache-dir", python_client / "cache", "--follow-imports", "silent")
    options = ("--strict", "--config-file", os.devnull, *cache)
    checked = run([sys.executable, "-m", "mypy", *options, PYTHON], cwd=python_client)

    assert 0 == checked.returncode, checked.stdout


def test_typescript(service: RunningService, url: str) -> None:
    """The TypeScript client plays a deal to its record, whatever is new in answers."""
    npm.install()
    played = run([npm.node(), TYPESCRIPT, url])

    assert (0, "") == (played.returncode, played.stderr)
    judge(json.loads(played.stdout), is_newer=url != service.url)


def test_typescript_types(typescript_client: Path) -> None:
    """The program for the TypeScript client is typed all through, as strictly as can be."""
    paths = {"paiute-client": [str(typescript_client / "paiute-client.d.ts")]}
    said = {"extends": str(HERE / "tsconfig.json"), "compilerOptions": {"paths": paths}}
    config = typescript_client / "tsconfig.json"
    config.write_text(json.dumps(said | {"files": [str(TYPESCRIPT)]}))
    checked = run(npm.command("tsc", "--project", config))

    assert (0, "", "") == (checked.returncode, checked.stdout, checked.stderr)


def judge(told: Json, *, is_newer: bool) -> None:
    """Fail unless a program has played a deal and seen what there was to see."""
    assert told["moves"]
    assert told["reason"] in ("showdown", "last_player", "void")
    assert {"player_joined", "deal_started", "cut", "settled"} <= set(told["events"])
    assert sorted(NEW if is_newer else []) == told["further"]
    assert (NEW_EVENT["type"] in told["events"]) is is_newer
