"""What tests and the bench need from npm: installed once, as a package-lock.json says."""

import subprocess
import sys
from pathlib import Path

from tests.support.node import bundled

FOLDER = Path(__file__).parents[1] / "clients"
MODULES = FOLDER / "node_modules"
LOCK = "package-lock.json"


def installed(folder: Path = FOLDER) -> bool:
    """Whether all that a folder's lock file names is there."""
    stamp, lock = _stamp(folder), folder / LOCK
    return stamp.exists() and stamp.read_bytes() == lock.read_bytes()


def install(folder: Path = FOLDER) -> None:
    """Install what a folder's lock file names; quick where it is there already."""
    if installed(folder):
        return
    npm = bundled("..").resolve() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    quietly = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    print(f"Installing what {LOCK} in {folder} names ...", file=sys.stderr)
    subprocess.run([node(), npm, "ci", *quietly], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    _stamp(folder).write_bytes((folder / LOCK).read_bytes())


def _stamp(folder: Path) -> Path:
    """What holds the lock file that was installed."""
    return folder / MODULES.name / ".installed"


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
