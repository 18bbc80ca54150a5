"""A browser for the tests of the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.support.client import Client
from tests.support.processes import RunningService
from tests.web.chromium import launched

expect.set_options(timeout=20_000)
"""In milliseconds; on a busy machine a page takes its time."""


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A browser; not for the whole session, as its driver has an event loop that goes on."""
    with launched() as browser:
        yield browser


@pytest.fixture
def leilani(service: RunningService) -> Iterator[Client]:
    """An account that browsers take up."""
    client = Client(service.url, "Leilani")
    yield client
    client.close()
