import pytest

from .manifests import K8S, Manifest, render


@pytest.fixture(scope="session", params=["dev", "prod"])
def rendered(request: pytest.FixtureRequest) -> list[Manifest]:
    """Each overlay in turn."""
    return render(K8S / "overlays" / request.param)


@pytest.fixture(scope="session")
def dev() -> list[Manifest]:
    return render(K8S / "overlays" / "dev")


@pytest.fixture(scope="session")
def prod() -> list[Manifest]:
    return render(K8S / "overlays" / "prod")
