"""The pages for authors of clients: each program in them runs, and prints what they say."""

import pytest

from tests.docs.pages import DOCS, RUNS, blocks, fits, run
from tests.support.cutting import cutting_proxy
from tests.support.processes import RunningService

PAGES = (
    "quickstart.md",
    "write-a-bot.md",
    "streams.md",
    "mobile.md",
    "versioning.md",
    "problems.md",
)
PROGRAMS = [
    (page, language)
    for page in PAGES
    for language in RUNS
    if any(block.language == language for block in blocks(page))
]


@pytest.mark.parametrize(("page", "language"), PROGRAMS)
def test_the_programs_run(service: RunningService, page: str, language: str) -> None:
    """The blocks of a page run from the first to the last, and print what stands below them."""
    program = [block for block in blocks(page) if block.language == language]

    for block, printed in zip(program, run(program, service.url), strict=True):
        assert fits(block.prints or "", printed), f"{block.prints}\n--- but ---\n{printed}"


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_untested(page: str) -> None:
    """Each block of a page is a program, or what the program before it prints."""
    assert set(RUNS) >= {block.language for block in blocks(page)}
    assert sum(1 + bool(block.prints) for block in blocks(page)) * 2 == (
        DOCS / page
    ).read_text().count("```")


def test_the_guide_for_phones_bears_lost_connections(service: RunningService) -> None:
    """Its program plays to the end, sees every event once, and signs up once, on a bad network."""
    program = [block for block in blocks("mobile.md") if block.language == "js"]
    program.pop()  # The rules are longer than what comes through.

    with cutting_proxy(service.url, 3_000, 8_000) as proxy:
        printed = run(program, proxy.url)

    assert [block.prints or "" for block in program] == printed
    assert proxy.broken
