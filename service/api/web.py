"""The page to play on: `/play`, and the files of `service/web` that it loads.

The files lie under a folder that is named after what is in all of them. So browsers keep them for
good, and have the new ones as soon as there are any: the page itself they ask for each time.
"""

import hashlib
import posixpath
import re
from functools import cache
from pathlib import Path

from flask import Blueprint, Flask, Response, abort, redirect, url_for
from werkzeug.wrappers import Response as BaseResponse

from service.api.files import File, file_of, sent

pages = Blueprint("web", __name__)

FOLDER = Path(__file__).parent.parent / "web"
INDEX = "index.html"
MAIN = "js/main.js"

IMPORTED = re.compile(r'^import .*?from "([^"]+)";$', re.MULTILINE | re.DOTALL)
"""What a module needs before it can begin; what it loads later looks otherwise."""

LATER = re.compile(r'\blater\("([^"]+)"')
"""The modules that the first one loads when somebody wants them, by their names."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

FOREVER = "public, max-age=31536000, immutable"
ASK_EACH_TIME = "no-cache"
NOT_OURS = "no-store"
"""For a folder of another release, which a load balancer has brought here: good for this once."""


def register(app: Flask) -> None:
    """Serve the page."""
    app.register_blueprint(pages)


@pages.get("/play")
def page() -> Response:
    """The page."""
    return _sent(_page(), ASK_EACH_TIME)


@pages.get("/play/")
def page_with_slash() -> BaseResponse:
    """The page's links are relative, so it has one address alone."""
    return redirect(url_for("web.page"))


@pages.get("/")
def index() -> BaseResponse:
    """Who comes by wants to play."""
    return redirect(url_for("web.page"))


@pages.get("/favicon.ico")
def icon() -> Response:
    """What browsers ask for by themselves, for pages that name no icon."""
    return _sent(_files()["icon.svg"], "public, max-age=86400")


@pages.get("/play/<release>/<path:name>")
def part(release: str, name: str) -> Response:
    """A file that the page loads."""
    file = _files().get(name)
    if file is None:
        abort(404)
    return _sent(file, FOREVER if release == _release() else NOT_OURS)


def _sent(file: File, caching: str) -> Response:
    return sent(file, {**HEADERS, "Cache-Control": caching})


@cache
def _files() -> dict[str, File]:
    """All files for browsers, by their path; they change with the release alone."""
    paths = sorted(path for path in FOLDER.rglob("*") if path.suffix in TYPES and path.is_file())
    return {path.relative_to(FOLDER).as_posix(): _file(path.read_bytes(), path) for path in paths}


@cache
def _release() -> str:
    """A name for what is in all files."""
    digest = hashlib.sha256()
    for name, file in _files().items():
        digest.update(f"{name}\0{len(file.plain)}\0".encode() + file.plain)
    return digest.hexdigest()[:12]


@cache
def _page() -> File:
    """The page with the folder of this release.

    It names the modules that it begins with, and for each one that is loaded later what that needs
    besides, so that a browser loads them at once instead of one after the other.
    """
    folder = f"play/{_release()}"
    first = _modules(MAIN)
    named = [f'<link rel="modulepreload" href="{folder}/{name}">' for name in first]
    for name in dict.fromkeys(LATER.findall(_files()[MAIN].plain.decode())):
        needed = [one for one in _modules(f"js/{name}.js")[1:] if one not in first]
        words = " ".join(posixpath.basename(one).removesuffix(".js") for one in needed)
        named += [f'<meta name="with-{name}" content="{words}">'] if words else []
    text = _files()[INDEX].plain.decode()
    text = text.replace("{release}", folder).replace("<!-- modules -->", "\n".join(named))
    return _file(text.encode(), Path(INDEX))


def _modules(name: str) -> list[str]:
    """A module and all that it imports, themselves or through others."""
    found = [name]
    for module in found:
        here = posixpath.dirname(module)
        imported = IMPORTED.findall(_files()[module].plain.decode())
        paths = (posixpath.normpath(f"{here}/{path}") for path in imported)
        found += [path for path in dict.fromkeys(paths) if path not in found]
    return found


def _file(content: bytes, path: Path) -> File:
    return file_of(content, TYPES[path.suffix])


TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    "": "text/plain",
}
"""What files are, by their suffix; those without one are licences."""
