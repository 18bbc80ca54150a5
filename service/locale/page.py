"""The texts of the page at `/play`: read out of its scripts, and written where the page reads them.

A script says `t("text with {place}", { place })`.  What it says in other languages lies beside it,
in `service/web/texts`, made of the same catalogues as what the service says.
"""

import json
import re
from collections.abc import Iterator
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


def texts() -> list[str]:
    """The page's own texts, each once."""
    code = "".join(path.read_text("utf-8") for path in sorted(PAGE.glob("js/*.js")))
    return sorted({json.loads(text) for text in CALL.findall(code)})


def path_of(language: str) -> Path:
    """What the page reads in a language."""
    return PAGE / "texts" / f"{language}.json"


def written(catalogue: Catalog) -> bytes:
    """The page's texts with their translations, as the page reads them."""
    found = ((text, catalogue.get(text)) for text in texts())
    said = {text: one.string for text, one in found if one and one.string and not one.fuzzy}
    return (json.dumps(said, ensure_ascii=False, indent=0) + "\n").encode()
