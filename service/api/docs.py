"""The OpenAPI document, and a page to read it on that needs nothing from elsewhere."""

from flask import Blueprint, Flask, Response, current_app, send_from_directory

from service.api.json import reply

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
POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"


def register(app: Flask) -> None:
    """Serve the document and the page."""
    app.register_blueprint(pages)


@pages.get("/openapi.json")
def openapi_json() -> Response:
    """The OpenAPI document."""
    return reply(
        current_app.config["OPENAPI_DOCUMENT"], headers={"Cache-Control": "public, max-age=60"}
    )


@pages.get("/docs")
def docs_page() -> Response:
    """The page."""
    return Response(PAGE, mimetype="text/html", headers={"Content-Security-Policy": POLICY})


@pages.get("/docs/<path:name>")
def docs_file(name: str) -> Response:
    """A part of the page."""
    return send_from_directory(current_app.root_path + "/static/docs", name, max_age=86400)
