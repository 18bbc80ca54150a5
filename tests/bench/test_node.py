"""What the bench takes from npm is pinned, and named with its reason."""

import json
import re
from pathlib import Path

from bench.stage import NODE

CONTRIBUTING = Path(__file__).parents[2] / "CONTRIBUTING.md"


def test_pinned() -> None:
    """Each package has an exact version, its hash is locked, and no registry is named."""
    wanted = json.loads((NODE / "package.json").read_text())["dependencies"]
    locked = json.loads((NODE / "package-lock.json").read_text())["packages"]
    locked.pop("")

    assert [] == [one for one in wanted.values() if not re.fullmatch(r"\d+\.\d+\.\d+", one)]
    assert wanted == {name: locked[f"node_modules/{name}"]["version"] for name in wanted}
    assert [] == [name for name, one in locked.items() if "integrity" not in one]
    assert [] == [name for name, one in locked.items() if "resolved" in one]


def test_reasons() -> None:
    """CONTRIBUTING.md says of each package why it is there."""
    _, _, table = CONTRIBUTING.read_text().partition("\n| npm, for the bench | why |\n|---|---|\n")
    rows = table.partition("\n\n")[0].splitlines()
    named = {name for row in rows for name in row.split("|")[1].strip().split(", ")}

    assert json.loads((NODE / "package.json").read_text())["dependencies"].keys() == named
