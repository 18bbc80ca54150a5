"""Texts for people in the caller's language, by Accept-Language (docs/api.md, "Languages").

A text is written in English where it belongs, with its facts in braces.  It is translated when an
answer is made of it, by the catalogues in `service/locale`: so neither engine nor tables know of
languages, and an answer without such a text costs nothing.
"""

from functools import lru_cache
from typing import Any, Self

from flask import Flask, has_request_context, request
from flask_babel import Babel, get_translations
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

ENGLISH = "en"
"""What all texts are written in, and what a caller gets who wants none of our languages."""

LANGUAGES = (ENGLISH, "fil", "it", "uk", "ne", "cy")
"""English, Filipino, Italian, Ukrainian, Nepali and Welsh."""

OTHER_NAMES = {"tl": "fil"}
"""Filipino is standard Tagalog, and older phones ask for it by that name."""

LONGEST_WISH = 500
"""How much of an Accept-Language is read; browsers send less than a third of it."""


ACCEPT_LANGUAGE = {
    "in": "header",
    "name": "Accept-Language",
    "description": f"The languages that the caller reads (RFC 9110). There are "
    f"{', '.join(f'`{name}`' for name in LANGUAGES)}; any other gives `{ENGLISH}`.",
    "schema": {"type": "string"},
    "example": "uk, it;q=0.8",
}
CONTENT_LANGUAGE = {
    "Content-Language": {
        "description": "The language of the texts.",
        "schema": {"type": "string", "enum": list(LANGUAGES)},
    }
}
"""What the document says of the header that asks for a language, and of the one that tells it."""


class Phrase(str):
    """A text that is to be translated, and stays so when its facts are filled in.

    What checks requests fills in the facts long before the answer is made.
    """

    __slots__ = ("facts", "template")

    template: str
    facts: dict[str, Any]

    def __new__(cls, text: str) -> Self:
        """The text as it is written, without facts."""
        phrase = super().__new__(cls, text)
        phrase.template, phrase.facts = text, {}
        return phrase

    def format(self, *_: Any, **facts: Any) -> "Phrase":
        """The text with facts, which are kept for its translation."""
        phrase = Phrase(super().format(**facts))
        phrase.template, phrase.facts = str(self), facts
        return phrase


def register(app: Flask) -> None:
    """Have the app know the catalogues."""
    Babel(
        app,
        configure_jinja=False,
        default_translation_directories="../locale",  # A relative path, as ; in it would split it.
        locale_selector=language,
    )


def language() -> str:
    """The caller's language: English outside a request."""
    if not has_request_context():
        return ENGLISH
    return _best(request.headers.get("Accept-Language", "")[:LONGEST_WISH])


@lru_cache(maxsize=1024)
def _best(wishes: str) -> str:
    """The first of our languages that is wished for, by falling weight; regions don't matter."""
    for wish, weight in parse_accept_header(wishes, LanguageAccept):
        name = wish.lower().replace("_", "-").partition("-")[0]
        name = OTHER_NAMES.get(name, name)
        if weight > 0 and name in LANGUAGES:
            return name
    return ENGLISH


def say(text: str) -> str:
    """A text in the caller's language; its facts are still to be filled in."""
    if not text or language() == ENGLISH:
        return str(text)
    translated: str = get_translations().gettext(text)
    return translated


def said(phrase: str) -> str:
    """A phrase in the caller's language with its facts; any other text as a whole."""
    if not isinstance(phrase, Phrase):
        return say(phrase)
    text = say(phrase.template)
    return text.format(**phrase.facts) if phrase.facts else text


def headers() -> dict[str, str]:
    """The headers of an answer with translated texts."""
    return {"Content-Language": language(), "Vary": "Accept-Language"}
