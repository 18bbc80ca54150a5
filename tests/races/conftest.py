"""Where processes race for the store itself."""

import pytest


@pytest.fixture(params=["redis", "cluster"])
def direct_url(request: pytest.FixtureRequest) -> str:
    """The address of a real server, and of a real cluster; both are empty."""
    if request.param == "cluster":
        return str(request.getfixturevalue("cluster").url)
    request.getfixturevalue("redis")
    return str(request.getfixturevalue("redis_url"))
