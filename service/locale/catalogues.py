"""Template and catalogues: reading texts out of the code, and merging, writing and compiling them.

What is written depends on nothing but texts and translations: no times, places or names, so that
writing anew changes no file where no text has changed.
"""

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import service.api
from service.engine.errors import PaiuteError
from service.locale import page

FOLDER = Path(__file__).parent
TEMPLATE = FOLDER / "messages.pot"

LANGUAGES = tuple(name for name in service.api.languages.LANGUAGES if name != "en")
"""Those that have a catalogue: English is what the texts are written in."""

MARKS: dict[str, tuple[int, ...]] = {
    "Phrase": (1,),
    "ValidationError": (1,),
    "Problem": (2,),
    "__init__": (1,),  # A refusal that knows its text by itself.
}
"""Calls that have a text to be translated, and which of their arguments it is."""

READERS = [("**.py", "python"), (page.SCRIPTS, f"{page.__name__}:extract")]
"""What reads texts out of which files."""


class Catalogue(Catalog):
    """A catalogue with a head that stays the same."""

    @property  # type: ignore[misc]
    def mime_headers(self) -> list[tuple[str, str]]:
        """The head."""
        return [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Language", str(self.locale or "")),
        ]


def refusals(kind: type[PaiuteError] = PaiuteError) -> Iterator[type[PaiuteError]]:
    """All classes of refusals: calls of them have a text first."""
    yield kind
    for child in kind.__subclasses__():
        yield from refusals(child)


@cache
def texts() -> tuple[str, ...]:
    """The texts that the code has, in the order in which it has them, each once."""
    keywords = {refusal.__name__: (1,) for refusal in refusals()} | MARKS
    found = extract_from_dir(FOLDER.parent, READERS, keywords=keywords)
    return tuple(dict.fromkeys(text for _, _, text, _, _ in found if isinstance(text, str)))


def template() -> Catalogue:
    """The texts as a catalogue without translations."""
    comment = "# All texts for people; `make messages` writes this file."
    made = Catalogue(header_comment=comment, fuzzy=False)
    for text in texts():
        made.add(text)
    return made


def path_of(language: str, kind: str = "po") -> Path:
    """Where the catalogue of a language is."""
    return FOLDER / language / "LC_MESSAGES" / f"messages.{kind}"


def read(language: str) -> Catalogue:
    """The catalogue of a language as it is."""
    path = path_of(language)
    with path.open("rb") as file:
        found = read_po(file, locale=language)
    made = Catalogue(locale=language, header_comment=found.header_comment, fuzzy=False)
    for message in found:
        if message.id:
            made[message.id] = message
    return made


def merged(language: str) -> Catalogue:
    """The catalogue of a language with the texts of the code: translations that are there stay.

    A text that has changed a little has its old translation, marked as fuzzy, to start from.
    """
    catalogue = read(language)
    catalogue.update(template())
    return catalogue


def written(catalogue: Catalogue) -> bytes:
    """A catalogue as text."""
    file = BytesIO()
    write_po(
        file, catalogue, width=100, no_location=True, ignore_obsolete=True, include_previous=True
    )
    return file.getvalue()


def compiled(catalogue: Catalogue) -> bytes:
    """A catalogue as gettext reads it."""
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()
