"""What comes from npm, for the tests and for the bench, is pinned, and named with its reason."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from bench.stage import NODE
from tests.support.npm import FOLDER

CONTRIBUTING = Path(__file__).parents[2] / "CONTRIBUTING.md"


@dataclass
class Taken:
    """Packages, by where they are named.

    Args:
        folder: which has the package.json, and its lock.
        kind: under what they stand there.
        heading: of their reasons in CONTRIBUTING.md.
    """

    folder: Path
    kind: str
    heading: str

    @property
    def wanted(self) -> dict[str, str]:
        """Their versions by name."""
        named: dict[str, dict[str, str]] = json.loads((self.folder / "package.json").read_text())
        return named[self.kind]


ALL = [
    pytest.param(Taken(FOLDER, "devDependencies", "npm"), id="tests"),
    pytest.param(Taken(NODE, "dependencies", "npm, for the bench"), id="bench"),
]


@pytest.mark.parametrize("taken", ALL)
def test_pinned(taken: Taken) -> None:
    """Each package has an exact version, its hash is locked, and no registry is named."""
    wanted = taken.wanted
    locked = json.loads((taken.folder / "package-lock.json").read_text())["packages"]
    locked.pop("")

    assert [] == [one for one in wanted.values() if not re.fullmatch(r"\d+\.\d+\.\d+", one)]
    assert wanted == {name: locked[f"node_modules/{name}"]["version"] for name in wanted}
    assert [] == [name for name, one in locked.items() if "integrity" not in one]
    assert [] == [name for name, one in locked.items() if "resolved" in one]


@pytest.mark.parametrize("taken", ALL)
def test_reasons(taken: Taken) -> None:
    """CONTRIBUTING.md says of each package why it is there."""
    heading = f"\n| {taken.heading} | why |\n|---|---|\n"
    _, _, table = CONTRIBUTING.read_text().partition(heading)
    rows = table.partition("\n\n")[0].splitlines()
    named = {name for row in rows for name in row.split("|")[1].strip().split(", ")}

    assert taken.wanted.keys() == named
