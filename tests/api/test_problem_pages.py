"""Where the `type` of a problem leads: its page, which is a part of docs/problems.md."""

import re
from html import unescape
from pathlib import Path

import pytest

from service.api import problem_pages
from service.api.languages import LANGUAGES
from service.api.problems import COME_AGAIN, PROBLEMS
from tests.api.world import Caller

TEXT = (Path(__file__).parents[2] / "docs/problems.md").read_text(encoding="utf-8")
SECTIONS = {
    section.partition("\n")[0]: section.strip().split("\n\n") for section in TEXT.split("\n## ")[1:]
}


def test_every_code_is_explained() -> None:
    """docs/problems.md has a section for each code, in order, with its status and its title."""
    assert {code: f"{one.status}: {one.title}." for code, one in PROBLEMS.items()} == {
        code: paragraphs[1] for code, paragraphs in SECTIONS.items()
    }
    assert list(PROBLEMS) == list(SECTIONS)


@pytest.mark.parametrize("code", PROBLEMS)
def test_every_section_says_whether_to_retry(code: str) -> None:
    """Each says what it means and whether a retry helps: it does after 5xx and `Retry-After`."""
    _, _, *meaning, again = SECTIONS[code]
    assert meaning
    helps = PROBLEMS[code].status >= 500 or code in COME_AGAIN
    assert again.startswith("**Retry:** yes, " if helps else "**Retry:** no")
    assert (code in COME_AGAIN) is ("after `Retry-After` seconds" in again)


def test_the_package_has_the_text() -> None:
    """The package brings docs/problems.md along, literally."""
    assert TEXT == problem_pages.SOURCE.read_text(encoding="utf-8")


def test_the_type_of_a_problem_leads_to_its_page(anybody: Caller) -> None:
    """Who follows the type of a problem gets its section."""
    refused = anybody.get("/v1/me").json

    answer = anybody.get(refused["type"])

    assert (200, "text/markdown") == (answer.status, answer.media_type)
    assert (
        "\n\n".join([f"# {refused['code']}", *SECTIONS[refused["code"]][1:]]) + "\n" == answer.text
    )


@pytest.mark.parametrize("code", PROBLEMS)
def test_a_browser_gets_a_page(anybody: Caller, code: str) -> None:
    """Browsers get HTML with the same words, from nowhere else and without scripts."""
    answer = anybody.get(f"/problems/{code}", Accept="text/html,*/*;q=0.8")

    assert (200, "text/html") == (answer.status, answer.media_type)
    _, _, said = answer.text.partition("</h1>")
    words = unescape(re.sub(r"<[^>]+>", "", said))
    told = re.sub(r"`|\*\*", "", "\n\n".join(SECTIONS[code][2:]))
    assert [*told.split(), "Paiute", "API"] == words.split()
    assert "`" not in words
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_title_is_in_the_callers_language(anybody: Caller, language: str) -> None:
    """The title is the problem's own in each language, and caches keep the languages apart."""
    title = anybody.get("/v1/me", Accept_Language=language).json["title"]

    path = "/problems/unauthenticated"
    answer = anybody.get(path, Accept_Language=language, Accept="text/html")

    assert f'<h1 lang="{language}">{title}</h1>' in answer.text
    assert answer.headers["content-language"].startswith(language)
    assert "Accept-Language" in answer.headers["vary"]


@pytest.mark.parametrize(
    "path", ["/problems/nonsense", "/problems/", "/problems/../v1", "/problems"]
)
def test_there_are_no_others(anybody: Caller, path: str) -> None:
    """What is no code is not found, as a problem."""
    assert "not_found" == anybody.get(path).json["code"]
