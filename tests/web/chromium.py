"""A headless Chromium for tests: the one on the path, which the system's packages bring."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

NONE = (
    "There is no Chromium on the path. On Debian, as root: "
    "apt-get update && apt-get install -y --no-install-recommends chromium"
)


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser that is closed in the end; without one the test is skipped, but fails in CI."""
    program = found()
    options = ["--disable-dev-shm-usage"]  # In a container that may be a few megabytes.
    if os.geteuid() == 0:
        options.append("--no-sandbox")  # Its sandbox does not take root.
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=options)
        try:
            yield browser
        finally:
            browser.close()


def found() -> str:
    """The path of a Chromium."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    if os.environ.get("CI") == "true":
        pytest.fail(NONE)
    pytest.skip(NONE)
