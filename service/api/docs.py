"""The OpenAPI document, and a page to read it on that needs nothing from elsewhere."""

import mimetypes
from functools import cache
from pathlib import Path

from flask import Blueprint, Flask, Response, abort, current_app

from service.api.files import File, file_of, sent
from service.api.json import JSON

pages = Blueprint("docs", __name__)

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Paiute API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="page"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
"""
PARTS = Path(__file__).parent / "static/docs"
POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"


def register(app: Flask) -> None:
    """Serve the document and the page."""
    app.config["OPENAPI_FILE"] = cache(
        lambda: file_of(app.json.dumps(app.config["OPENAPI_DOCUMENT"]()).encode(), JSON)
    )
    app.register_blueprint(pages)


@pages.get("/openapi.json")
def openapi_json() -> Response:
    """The OpenAPI document."""
    return sent(current_app.config["OPENAPI_FILE"](), {"Cache-Control": "public, max-age=60"})


@pages.get("/docs")
def docs_page() -> Response:
    """The page."""
    return Response(PAGE, mimetype="text/html", headers={"Content-Security-Policy": POLICY})


@pages.get("/docs/<path:name>")
def docs_file(name: str) -> Response:
    """A part of the page."""
    file = _parts().get(name)
    if file is None:
        abort(404)
    return sent(file, {"Cache-Control": "public, max-age=86400"})


@cache
def _parts() -> dict[str, File]:
    """All parts of the page, by name."""
    return {path.name: file_of(path.read_bytes(), _media_type(path)) for path in PARTS.iterdir()}


def _media_type(path: Path) -> str:
    return mimetypes.guess_type(path.name)[0] or "text/plain"
