"""Takes a picture of every page, for people to look at: `python -m tests.web.pictures FOLDER`."""

import argparse
import tempfile
from pathlib import Path

from tests.support.processes import RunningService
from tests.web.chromium import launched
from tests.web.stage import Stage
from tests.web.visitor import PHONE, TABLET, WIDE, Scheme, visitor

SIZES = {"wide": WIDE, "tablet": TABLET, "phone": PHONE}
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


def main() -> None:
    """Take them all, or those of some pages, sizes and schemes."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("--pages", nargs="*", help="names of tests/web/stage.py; all if not given")
    asked.add_argument("--sizes", nargs="*", default=list(SIZES), choices=SIZES)
    asked.add_argument("--schemes", nargs="*", default=SCHEMES, choices=SCHEMES)
    asked.add_argument("--language", default="en")
    asked.add_argument("--whole", action="store_true", help="pages down to their end")
    options = asked.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="paiute-") as data:
        running = RunningService(Path(data))
        try:
            _take(running.url, options)
        finally:
            running.stop()


def _take(url: str, options: argparse.Namespace) -> None:
    with launched() as browser, Stage(url) as stage:
        for size in options.sizes:
            for scheme in options.schemes:
                chosen = {"size": SIZES[size], "scheme": scheme, "language": options.language}
                with visitor(browser, url, token=stage.token, **chosen) as one:
                    for place in stage.places():
                        if options.pages and place.name not in options.pages:
                            continue
                        path = options.folder / f"{place.name}-{size}-{scheme}.png"
                        place.show(one).screenshot(path=path, full_page=options.whole)
                        print(path)


if __name__ == "__main__":
    main()
