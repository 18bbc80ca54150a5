"""`/problems/<code>`, where the `type` of a problem leads: what it means, and what to do about it.

The text is that of docs/problems.md, which the package brings along.
"""

import re
from functools import cache
from html import escape
from pathlib import Path

from flask import Blueprint, Flask, Response, abort, request

from service.api.languages import language, say
from service.api.problems import PROBLEMS

pages = Blueprint("problem_pages", __name__)

SOURCE = Path(__file__).parent / "static/docs/problems.md"

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{code}</title>
<style>
body {{ font: 1.1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: auto; padding: 2rem }}
</style>
</head>
<body>
<p>{status} <code>{code}</code></p>
<h1 lang="{language}">{title}</h1>
{text}
<p><a href="../docs">Paiute API</a></p>
</body>
</html>
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"

MARKDOWN, HTML = "text/markdown", "text/html"


def register(app: Flask) -> None:
    """Serve the pages."""
    app.register_blueprint(pages)


@pages.get("/problems/<code>")
def problem_page(code: str) -> Response:
    """What a problem means: a page for browsers, and Markdown for everybody else."""
    if code not in PROBLEMS:
        abort(404)
    form = request.accept_mimetypes.best_match([MARKDOWN, HTML], MARKDOWN)
    body = _html(code) if form == HTML else _markdown(code)
    headers = {
        "Cache-Control": "public, max-age=3600",
        "Vary": "Accept, Accept-Language",
        "Content-Language": ", ".join(dict.fromkeys((language(), "en"))),
        "Content-Security-Policy": POLICY,
    }
    return Response(body, headers=headers, mimetype=form)


def _markdown(code: str) -> str:
    problem = PROBLEMS[code]
    return f"# {code}\n\n{problem.status}: {say(problem.title)}.\n\n{_texts()[code]}\n"


def _html(code: str) -> str:
    problem = PROBLEMS[code]
    title = escape(say(problem.title))
    paragraphs = "\n".join(f"<p>{_marked(text)}</p>" for text in _texts()[code].split("\n\n"))
    return PAGE.format(
        code=code, status=problem.status, language=language(), title=title, text=paragraphs
    )


def _marked(text: str) -> str:
    """A paragraph with its code and its bold words marked up."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
    return re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)


@cache
def _texts() -> dict[str, str]:
    """By code, what docs/problems.md says below the line with status and title."""
    _, *sections = SOURCE.read_text(encoding="utf-8").split("\n## ")
    parts = (section.strip().split("\n\n", 2) for section in sections)
    return {code: text for code, _status_and_title, text in parts}
