"""How the page at /play is served; what it does in a browser is in tests/web."""

import gzip
import re

import pytest

from service.api.web import FOLDER
from tests.api.contract import Answer
from tests.api.world import Caller, World

LINKED = re.compile(r'(?:src|href)="([^"#]+)"')

NOTED = re.compile(r'<meta name="with-([\w-]+)" content="([^"]+)">')

TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


def linked(anybody: Caller) -> list[str]:
    """The addresses that the page loads at once."""
    return [f"/{path}" for path in LINKED.findall(anybody.get("/play").text)]


def policy(answer: Answer) -> dict[str, str]:
    """The content security policy of an answer, by directive."""
    rules = (
        rule.split(maxsplit=1) for rule in answer.headers["content-security-policy"].split(";")
    )
    return {rule[0]: rule[1] for rule in rules}


def test_page(anybody: Caller) -> None:
    """The page and all its parts load, with the types that browsers insist on."""
    page = anybody.get("/play")
    assert (200, "text/html") == (page.status, page.media_type)

    for path in linked(anybody):
        answer = anybody.get(path)
        assert (200, TYPES[path.rpartition(".")[2]]) == (answer.status, answer.media_type)
        assert "nosniff" == answer.headers["x-content-type-options"]


def test_icon(anybody: Caller) -> None:
    """Browsers find the icon also where they look for it by themselves."""
    icon = anybody.get("/favicon.ico")
    assert (200, "image/svg+xml") == (icon.status, icon.media_type)


def test_visitors_get_it(anybody: Caller) -> None:
    """Who comes by without a path gets the page, and so does who writes a slash behind it."""
    for path in ("/", "/play/"):
        answer = anybody.get(path)
        assert (302, "/play") == (answer.status, answer.headers["location"])


def test_all_modules_at_once(anybody: Caller) -> None:
    """The page names each module that it begins with, wherever that is imported, and no other."""
    preloaded = {path.split("/", 3)[3] for path in linked(anybody) if path.endswith(".js")}

    assert {"js/main.js", "js/api.js", "js/memory.js", "vendor/preact.js"} <= preloaded
    assert not {"js/lobby.js", "js/table.js", "js/replay.js"} & preloaded


def test_what_later_modules_need(anybody: Caller) -> None:
    """For each module that is loaded later the page names what this needs, and that is there."""
    page = anybody.get("/play").text
    noted = {name: words.split() for name, words in NOTED.findall(page)}

    assert {"session", "live", "drag"} <= set(noted["table"])
    assert not {"table", "api", "main"} & set(noted["table"])
    folder = linked(anybody)[0].rpartition("/")[0]
    for name in {name for words in noted.values() for name in words}:
        assert 200 == anybody.get(f"{folder}/js/{name}.js").status, name


def test_policy(anybody: Caller) -> None:
    """Nothing inline runs, nothing comes from elsewhere or goes there, and nobody frames it."""
    found = policy(anybody.get("/play"))

    assert "'none'" == found["default-src"]
    assert {"'self'"} == {found[one] for one in ("script-src", "style-src", "connect-src")}
    assert {"'none'"} == {found[one] for one in ("base-uri", "form-action", "frame-ancestors")}
    assert "unsafe" not in str(found)


def test_nothing_inline_and_nothing_from_elsewhere(anybody: Caller) -> None:
    """The page has no script or style within it, and only vendored files name a host."""
    page = anybody.get("/play").text
    assert not re.search(r"<style|style=|<script(?![^>]* src=)|\son\w+=", page)

    for path in sorted(FOLDER.rglob("*.js")) + sorted(FOLDER.rglob("*.css")):
        text = path.read_text(encoding="utf-8")
        assert path.parent.name == "vendor" or not re.search(r"https?://|[\"'(]//", text), path


def test_kept_for_good(anybody: Caller) -> None:
    """Parts are kept for good under this release's address; the page itself is asked for again."""
    page = anybody.get("/play")
    assert "no-cache" == page.headers["cache-control"]
    for path in linked(anybody):
        assert "immutable" in anybody.get(path).headers["cache-control"]

    again = anybody.get("/play", If_None_Match=page.headers["etag"])
    assert (304, b"") == (again.status, again.raw)


def test_other_release(anybody: Caller) -> None:
    """A part that is asked for under another release's address comes, but is not kept."""
    answer = anybody.get("/play/0123456789ab/js/main.js")

    assert (200, "no-store") == (answer.status, answer.headers["cache-control"])


def test_packed(world: World) -> None:
    """Browsers that can unpack get it packed, all others plain; the content is the same."""
    browser = world.app.test_client()
    for path in ("/play", *linked(world.anybody)):
        plain = browser.get(path)
        packed = browser.get(path, headers={"Accept-Encoding": "br, gzip"})

        assert "gzip" == packed.headers["Content-Encoding"]
        assert "Content-Encoding" not in plain.headers
        assert plain.data == gzip.decompress(packed.data)
        assert "Accept-Encoding" in packed.vary


def test_small(anybody: Caller) -> None:
    """What the first page takes of own code, unpacked, is under 150 KB."""
    own = [path for path in ("/play", *linked(anybody)) if "/vendor/" not in path]

    assert 150_000 > sum(len(anybody.get(path).raw) for path in own)


@pytest.mark.parametrize(
    "path",
    [
        "/play/x/none.js",
        "/play/x/../web.py",
        "/play/x/..%2f..%2fapi%2fweb.py",
        "/play/x/etc/passwd",
    ],
)
def test_nothing_else(anybody: Caller, path: str) -> None:
    """No other file can be had."""
    assert "not_found" == anybody.get(path).json["code"]


def test_real_service(over_http: Caller) -> None:
    """The real service has the page with all its parts too."""
    assert {200} == {over_http.get(path).status for path in ("/play", *linked(over_http))}
