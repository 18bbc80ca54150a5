"""Where the processes of one launcher count together: a folder with a few files for each.

Each process takes a place there, held by a lock that ends with it.  Who takes the place of one that
has died counts on from its numbers.  So none are lost, and there are files for only as many
processes as have run at once.
"""

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from itertools import count
from pathlib import Path

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names the folder, as `prometheus_client` expects it."""

PREFIX = "paiute-metrics-"

MEMORY = "/dev/shm"  # noqa: S108 - a disk may hold up who writes there
"""Where the folder lies, if that can be written."""

_held: tuple[int, int] | None = None
"""The process that has taken a place, and the place."""


def folder() -> Path | None:
    """The folder of this process; None where it counts for itself."""
    named = os.environ.get(FOLDER)
    return Path(named) if named else None


class NewFolder:
    """A folder for the processes of this launcher: `with NewFolder() as folder:`.

    It is gone afterwards, and those of launchers that were killed go before.  Where a copy of the
    launcher that was forked ends, it stays, as a generator's would not.
    """

    def __enter__(self) -> Path:
        parent = MEMORY if os.access(MEMORY, os.W_OK) else tempfile.gettempdir()
        for old in Path(parent).glob(f"{PREFIX}*"):
            with suppress(OSError):
                _remove_unless_locked(old)
        while True:
            self._path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
            lock = _lock(self._path)
            if lock is None:  # Another launcher takes it for an old one.
                continue
            self._held = lock
            if self._path.exists():
                return self._path
            os.close(lock)

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._path, ignore_errors=True)
        os.close(self._held)


def place() -> int:
    """The number of this process in the folder; it is taken with the first question."""
    global _held  # noqa: PLW0603 - a process has one place
    if _held is None or _held[0] != os.getpid():
        _held = os.getpid(), _take()
    return _held[1]


def clear_the_dead() -> None:
    """Remove what processes that have died last had open or running; their counts stay."""
    where = folder()
    if where is None:
        return
    for lock in where.glob("*.lock"):
        held = _lock(lock)
        if held is not None:
            _remove_gauges(where, lock.stem)
            os.close(held)


def _take() -> int:
    where = folder()
    if where is None:
        return os.getpid()
    for number in count():
        lock = where / f"{number}.lock"
        with suppress(FileExistsError):
            lock.touch(mode=0o600, exist_ok=False)
        if _lock(lock) is not None:  # Stays open, and so locked, until the process ends.
            _remove_gauges(where, lock.stem)
            return number
    raise AssertionError("unreachable")


def _remove_gauges(where: Path, number: str) -> None:
    for file in where.glob(f"gauge_live*_{number}.db"):
        file.unlink(missing_ok=True)


def _remove_unless_locked(old: Path) -> None:
    lock = _lock(old)
    if lock is not None:
        shutil.rmtree(old, ignore_errors=True)
        os.close(lock)


def _lock(path: Path) -> int | None:
    """Lock a file or folder; gives its descriptor, or None where another has it, or it is gone."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
