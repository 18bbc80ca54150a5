"""A service whose log and metrics are looked at."""

from collections.abc import Iterator

import pytest
import requests

from tests.support.processes import UNLIMITED
from tests.support.waiting import wait_until
from tests.test_launcher import Serve

SETTINGS = UNLIMITED | {"PAIUTE_LOG_FORMAT": "json", "PAIUTE_LOG_REQUESTS": "true"}


@pytest.fixture(scope="session")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """`paiute serve` with two processes of the API, whose log is in a file, a line a request."""
    folder = tmp_path_factory.mktemp("watched")
    serve = Serve(folder, "--workers", "2", data=folder / "data", **SETTINGS)
    try:
        wait_until(lambda: is_ready(serve.address()), 120)
        yield serve
    finally:
        serve.end()


def is_ready(url: str) -> bool:
    """Whether a service answers."""
    try:
        return requests.get(f"{url}/readyz", timeout=5).ok
    except requests.RequestException:
        return False
