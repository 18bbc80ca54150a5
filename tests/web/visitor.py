"""Somebody with a browser of their own, who notices whatever a page should not do."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page, Request

from tests.support.client import Client

Scheme = Literal["dark", "light"]

WIDE, TABLET, PHONE = (1280, 800), (768, 1024), (360, 640)
"""Widths and heights of windows."""

REFUSED = "Failed to load resource"
"""How the console begins where an answer is a refusal: of these the page itself takes care."""


class Visitor:
    """A page at `/play` in a browser that nobody has used before.

    Args:
        browser: the program.
        url: where the service is.
        size: of the window.
        language: the first that the browser asks for.
        scheme: the colours that it asks for.
        token: of an account that the browser knows already.
        options: others of the context.
    """

    def __init__(
        self,
        browser: Browser,
        url: str,
        *,
        size: tuple[int, int] = WIDE,
        language: str = "en",
        scheme: Scheme = "light",
        token: str | None = None,
        **options: Any,
    ) -> None:
        width, height = size
        self.url = url
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=language,
            color_scheme=scheme,
            **{"reduced_motion": "reduce"} | options,
        )
        self.context.set_default_timeout(20_000)
        if token:
            self.context.add_init_script(f"localStorage['paiute.token'] = {token!r}")
        self.faults: list[str] = []
        self.hosts: set[str] = set()
        self.page: Page = self.context.new_page()
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.context.on("request", self._asked)

    def go(self, place: str = "") -> None:
        """Open the page, at one of its places (`#/...`)."""
        self.page.goto(f"{self.url}/play{place}")

    def check(self) -> None:
        """Nothing went wrong in the page so far, and nobody else was asked."""
        assert (self.faults, self.hosts) == ([], {urlsplit(self.url).netloc})

    def _heard(self, message: ConsoleMessage) -> None:
        """Violations of the content security policy are told here too."""
        if message.type in ("error", "warning") and not message.text.startswith(REFUSED):
            self.faults.append(message.text)

    def _asked(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob"):
            self.hosts.add(parts.netloc)


def token(client: Client) -> str:
    """The token of an account, which a browser takes up."""
    return str(client.account["token"])


@contextmanager
def visitor(browser: Browser, url: str, **options: Any) -> Iterator[Visitor]:
    """A visitor whose page is checked and closed in the end."""
    made = Visitor(browser, url, **options)
    try:
        yield made
        made.check()
    finally:
        made.context.close()
