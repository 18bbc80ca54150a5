"""The page's modules fit each other, as far as a compiler can tell."""

import subprocess
from pathlib import Path

from tests.support import npm

PROJECT = Path(__file__).with_name("tsconfig.json")


def test_types() -> None:
    """What is imported is there, names are spelled as they are declared, and nothing is unused."""
    found = subprocess.run(
        npm.command("tsc", "--project", PROJECT), capture_output=True, text=True, check=False
    )

    assert (0, "") == (found.returncode, found.stdout)
