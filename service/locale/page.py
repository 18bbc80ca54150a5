"""The texts of the page at `/play`: read out of its scripts, and written where the page reads them.

A script says `t("text with {place}", { place })`.  What it says in other languages lies beside it,
in `service/web/texts`, made of the same catalogues as what the service says.
"""

import json
import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog

PAGE = Path(__file__).parents[1] / "web"
SCRIPTS = "web/js/*.js"
"""Where texts are read out, below the package."""

CALL = re.compile(r'\bt\(\s*("(?:[^"\\\n]|\\.)*")')
"""A call with its text.  Babel's own reader of JavaScript loses its way in nested templates."""


def extract(file: BytesIO, *_: object, **__: object) -> Iterator[tuple[int, None, str, list[str]]]:
    """The texts of a script, as Babel asks for them."""
    code = file.read().decode()
    for call in CALL.finditer(code):
        yield code.count("\n", 0, call.start()) + 1, None, json.loads(call[1]), []


READ = frozenset(
    f"{name}.js"
    for name in (
        "account-page",
        "devices",
        "fair-play",
        "past",
        "past-table",
        "proof",
        "replay",
        "rules",
    )
)
"""The scripts of pages that few begin with: they come later, and so do their texts."""

PARTS = ("play", "read")
"""The texts that are there from the beginning, and those that come with the first page to read."""


def texts(part: str) -> list[str]:
    """The page's own texts of a part, each once and in one part alone."""
    scripts = sorted(PAGE.glob("js/*.js"))
    play = _said(path for path in scripts if path.name not in READ)
    return sorted(play if part == "play" else _said(scripts) - play)


def _said(scripts: Iterable[Path]) -> set[str]:
    code = "".join(path.read_text("utf-8") for path in scripts)
    return {json.loads(text) for text in CALL.findall(code)}


def path_of(language: str, part: str) -> Path:
    """What the page reads in a language."""
    return PAGE / "texts" / part / f"{language}.json"


def written(catalogue: Catalog, part: str) -> bytes:
    """The page's texts of a part with their translations, as the page reads them."""
    found = ((text, catalogue.get(text)) for text in texts(part))
    said = {text: one.string for text, one in found if one and one.string and not one.fuzzy}
    return (json.dumps(said, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n").encode()
