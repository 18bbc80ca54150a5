"""A pulse: a file that a worker or the sweep touches in each round, to show that it lives.

`python -m workers.pulse FILE SECONDS` ends with 0 if the file was touched so lately, with 1 if not.
It takes some milliseconds: it imports nothing of the service.
"""

import sys
import time
from contextlib import suppress
from pathlib import Path


def beat(file: str) -> None:
    """Tell that this process is at work; where no file is named nothing is done.

    A disk that is full must not end a worker, so an error is passed over: then the pulse stops.
    """
    if file:
        with suppress(OSError):
            Path(file).touch()


def silence(file: str) -> float:
    """Seconds since the last beat; without end where there was none."""
    try:
        return time.time() - Path(file).stat().st_mtime
    except OSError:
        return float("inf")


def main() -> None:
    """Tell by the exit status whether a process lives."""
    file, seconds = sys.argv[1:]
    passed = silence(file)
    if passed > float(seconds):
        sys.exit(f"No beat of {file} for {passed:.0f} seconds.")


if __name__ == "__main__":
    main()
