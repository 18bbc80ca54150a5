"""What tests need from npm: installed once, as tests/clients/package-lock.json says."""

import subprocess
import sys
from pathlib import Path

from tests.support.node import bundled

FOLDER = Path(__file__).parents[1] / "clients"
MODULES = FOLDER / "node_modules"
LOCK = FOLDER / "package-lock.json"
STAMP = MODULES / ".installed"
"""Holds the lock file that was installed."""


def install() -> None:
    """Install what the lock file names; quick where it is there already."""
    if STAMP.exists() and STAMP.read_bytes() == LOCK.read_bytes():
        return
    npm = bundled("..").resolve() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    quietly = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    print("Installing what tests/clients/package-lock.json names ...", file=sys.stderr)
    subprocess.run([node(), npm, "ci", *quietly], cwd=FOLDER, check=True, stdout=subprocess.DEVNULL)
    STAMP.write_bytes(LOCK.read_bytes())


def node() -> str:
    """The Node.js that runs them all; its release is pinned too."""
    return str(bundled())


def command(program: str, *arguments: str | Path) -> list[str]:
    """How to run a program of an installed package."""
    install()
    script = (MODULES / ".bin" / program).resolve()
    return [node(), str(script), *map(str, arguments)]


if __name__ == "__main__":
    sys.exit(subprocess.run(command(*sys.argv[1:]), check=False).returncode)
