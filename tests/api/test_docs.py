"""The reference page, which needs nothing from elsewhere."""

import re

import pytest

from tests.api.world import Caller

LINKED = re.compile(r'(?:src|href)="([^"]+)"')


def parts(anybody: Caller) -> list[str]:
    """The addresses that the page loads."""
    return [f"/{path}" for path in LINKED.findall(anybody.get("/docs").text)]


def test_page(anybody: Caller) -> None:
    """The page and all its parts load, with the types that browsers insist on."""
    page = anybody.get("/docs")
    assert (200, "text/html") == (page.status, page.media_type)

    types = {}
    for path in parts(anybody):
        answer = anybody.get(path)
        assert (200, True) == (answer.status, len(answer.raw) > 100)
        types[path.rpartition(".")[2]] = answer.media_type
    assert {"css": "text/css", "js": "text/javascript"} == types


def test_nothing_from_elsewhere(anybody: Caller) -> None:
    """The page names no other host, and its policy forbids browsers to ask one."""
    page = anybody.get("/docs")
    assert "//" not in page.text
    for path in parts(anybody):
        text = anybody.get(path).text
        assert not re.search(r"url\(['\"]?(https?:)?//", text)
        assert not re.search(r"@import|importScripts", text) or path.endswith("bundle.js")

    policy = page.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "http" not in policy
    assert "unsafe-eval" not in policy


def test_page_shows_this_document(anybody: Caller) -> None:
    """The page reads the document beside it and has nobody validate it."""
    start = next(path for path in parts(anybody) if path.endswith("start.js"))
    script = anybody.get(start).text

    assert 'url: "openapi.json"' in script
    assert "validatorUrl: null" in script


@pytest.mark.parametrize(
    "path",
    ["/docs/none.js", "/docs/../app.py", "/docs/..%2f..%2fapp.py", "/docs/etc/passwd", "/docs/"],
)
def test_nothing_else(anybody: Caller, path: str) -> None:
    """No other file can be had."""
    assert "not_found" == anybody.get(path).json["code"]


def test_real_service(over_http: Caller) -> None:
    """The real service has the page with all its parts too."""
    assert [200] * 3 == [over_http.get(path).status for path in parts(over_http)]
