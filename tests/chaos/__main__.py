"""`python -m tests.chaos --minutes M --seed S`: kill, halt and cut off, and see what holds."""

import argparse
import logging
import random
import shutil
import sys
import time

from tests.chaos import report
from tests.chaos.run import Run
from tests.chaos.system import USUAL, Size

LINE_SECONDS = 10
"""How often a line is written where there is no terminal to renew it on."""


class Progress:
    """A line about how it goes: renewed on a terminal, else written now and then."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._next = 0.0

    def __call__(self, line: str) -> None:
        """Show a line, if it is time."""
        now = time.monotonic()
        if now < self._next:
            return
        if self._terminal:
            width = shutil.get_terminal_size().columns - 1
            print(f"\r{line[:width]:<{width}}", end="", file=sys.stderr, flush=True)
            self._next = now + 0.2
        else:
            print(line, file=sys.stderr, flush=True)
            self._next = now + LINE_SECONDS

    def end(self) -> None:
        """Leave the line."""
        if self._terminal:
            print(file=sys.stderr)


def main() -> None:
    """Run, report, and exit with 1 where a law was broken or something took too long."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="how long there are faults")
    parser.add_argument("--seed", type=int, help="of the faults and the clients; else a random one")
    parser.add_argument("--tables", type=int, default=12, help="how many tables at a time")
    parser.add_argument("--api", type=int, default=USUAL.api, help="processes of the API")
    parser.add_argument(
        "--workers", type=int, default=USUAL.workers, help="workers of the queue bots"
    )
    parser.add_argument(
        "--cluster", action="store_true", help="keep the tables on a cluster of three servers"
    )
    parser.add_argument("--keep", action="store_true", help="keep the store and the logs")
    options = parser.parse_args()
    logging.getLogger("service").setLevel(logging.ERROR)
    seed = random.randrange(1_000_000) if options.seed is None else options.seed
    progress = Progress()
    size = Size(options.api, options.workers, nodes=3 * options.cluster)
    run = Run(seed, 60 * options.minutes, options.tables, progress, size)
    print(f"seed {seed}, logs in {run.folder}", file=sys.stderr, flush=True)
    result = run.play()
    progress.end()
    print(report.as_text(result))
    bad = bool(result.findings.total or report.too_slow(result))
    if bad or options.keep:
        print(f"The store and the logs are left in {run.folder}.")
    else:
        shutil.rmtree(run.folder)
    sys.exit(bad)


if __name__ == "__main__":
    main()
