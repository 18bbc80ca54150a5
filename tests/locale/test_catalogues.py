"""The catalogues: complete, true to their texts, and what the code has now.

Where one of these fails, `make messages` brings the files up to date and says what to translate.
"""

import ast
import json
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from marshmallow import fields

import service
from service.api.languages import Phrase
from service.api.schemas.common import Request
from service.locale import catalogues, page
from service.locale.catalogues import LANGUAGES, TEMPLATE, path_of, read, refusals

KEPT = re.compile(r"\{\w*\}|`[^`]*`|\d+|'(?:random|As|10d|7♣)'|\b(?:null|true|false|JSON|UTF-8)\b")
"""What a translation has as its text has it: places, names that programs know, numbers, cards."""

LOANS = {"Ante", "Ante {ante}", "+ Bot"}
SAME = {
    "fil": LOANS
    | {"jack", "Royal flush", "Straight flush", "Showdown", "Wild card", "Wild: {rank}"}
    | {"{card}, wild", "Deal {number}", "Dealer", "D", "Chips", "Buy-in", "Pot", "Pot: {chips}"},
    "it": LOANS | {"Buy-in"},
    "uk": set[str](),
    "ne": set[str](),
    "cy": LOANS | {"Pot", "Pot: {chips}"},
}
"""Texts whose translation is the same; in capitals or not."""

OTHER_SCRIPTS = {"uk": "[\u0400-\u04ff]", "ne": "[\u0900-\u097f]"}


def translations(language: str) -> list[tuple[str, str]]:
    """The texts of a language with their translations, but for what is no more than a guess."""
    return [(str(one.id), "" if one.fuzzy else str(one.string)) for one in read(language) if one.id]


def test_the_template_is_what_the_code_has() -> None:
    """Reading the texts out of the code makes the template that is there."""
    assert TEMPLATE.read_text() == catalogues.written(catalogues.template()).decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_has_the_texts_of_the_code(language: str) -> None:
    """A catalogue has each text of the code, in their order, and no other."""
    merged = catalogues.written(catalogues.merged(language)).decode()
    assert path_of(language).read_text() == merged


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_compiled(language: str) -> None:
    """What gettext reads is made of the catalogue as it is."""
    assert path_of(language, "mo").read_bytes() == catalogues.compiled(read(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_it(language: str) -> None:
    """What the page reads is made of the catalogue as it is, and has all of the page's texts."""
    for part in page.PARTS:
        written = page.written(read(language), part)
        assert page.path_of(language, part).read_bytes() == written
        assert page.texts(part) == list(json.loads(written))


def test_every_text_of_the_page_is_read_out() -> None:
    """Each text in the page's scripts is a literal, so that it is found."""
    scripts = "".join(path.read_text("utf-8") for path in page.PAGE.glob("js/*.js"))
    told = re.findall(r"(?<![\w.])t\(", scripts.replace("function t(", ""))

    assert len(page.CALL.findall(scripts)) == len(told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_left_to_translate(language: str) -> None:
    """Each text is translated, for sure, and not just copied."""
    same = {text.lower() for text in SAME[language]}
    left = [text for text, said in translations(language) if not said]
    copied = {text.lower() for text, said in translations(language) if text.lower() == said.lower()}
    assert ([], same) == (left, {text for text in copied if KEPT.sub("", text).strip()})


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_kept(language: str) -> None:
    """Places, code, numbers and cards are the same in text and translation."""
    for text, said in translations(language):
        assert sorted(KEPT.findall(text)) == sorted(KEPT.findall(said)), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_it_is_written(language: str) -> None:
    """A translation has its language's letters, and no spaces too many; sentences end."""
    for text, said in translations(language):
        assert said == " ".join(said.split()), text
        assert text.endswith(".") == said.endswith((".", "।")), text
        if language in OTHER_SCRIPTS and KEPT.sub("", text).strip():
            assert re.search(OTHER_SCRIPTS[language], said), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_glossary_is_at_the_head(language: str) -> None:
    """A translator finds the terms of the language at the head of its catalogue."""
    head = path_of(language).read_text().partition("msgid")[0]
    for term in ("stock", "discard pile", "wild card", "ante", "pot", "call", "deal", "house rule"):
        assert f"{term} = " in head or f"{term}, " in head, term


def test_every_refusal_is_read_out() -> None:
    """Each refusal's text is a literal, so that it is found; nothing is filled in beforehand."""
    own = {kind.__name__ for kind in refusals() if "__init__" in vars(kind)}
    takes_text = {kind.__name__ for kind in refusals()} - own | {"ValidationError", "Phrase"}
    known = catalogues.texts()
    for call, where in calls():
        match call.func:
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in takes_text and call.args:
                text = call.args[0]
                assert not isinstance(text, ast.JoinedStr), where
                if name not in ("ValidationError", "Phrase"):
                    assert isinstance(text, ast.Constant), where
                if isinstance(text, ast.Constant):
                    assert text.value in known, where


def calls() -> Iterator[tuple[ast.Call, str]]:
    """All calls in the code of the service, and where they are."""
    folder = Path(service.__file__).parent
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                yield node, f"{path}:{node.lineno}"


def test_what_fields_say_is_read_out() -> None:
    """Whatever a field of a request says of a wrong value is among the texts."""
    kinds = set(chain.from_iterable(map(all_kinds, Request.__subclasses__())))
    said = set(chain.from_iterable(map(all_said, kinds)))

    assert len(kinds) > 10
    assert set() == said - set(catalogues.texts())


def all_kinds(kind: type[Request]) -> Iterator[type[Request]]:
    """A schema and those made of it."""
    yield kind
    for child in kind.__subclasses__():
        yield from all_kinds(child)


def all_said(kind: type[Request]) -> Iterator[str]:
    """What a schema and its fields may say."""
    schema = kind()
    yield from schema.error_messages.values()
    for field in schema.fields.values():
        yield from said_by(field)


def said_by(field: fields.Field[Any]) -> Iterator[str]:
    """What a field may say, and what is in it."""
    yield from (str(text) for text in field.error_messages.values())
    for validator in field.validators:
        told: dict[str, Any] = vars(validator)
        yield from (text.template for text in told.values() if isinstance(text, Phrase))
        assert any(isinstance(text, Phrase) for text in told.values()), validator
    if isinstance(field, fields.List):
        yield from said_by(field.inner)
