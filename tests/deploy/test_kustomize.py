"""The files under k8s/ fit together, and what they render to is what Kubernetes accepts."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import kubernetes_validate
import pytest
import yaml
from kubernetes_validate import utils

from .manifests import COMMANDS, K8S, Manifest, of_kind, render
from .validation import validate

# The oldest version that docs/deploy.md promises, and the newest whose schemas are installed.
VERSIONS = ["1.30", kubernetes_validate.latest_version()]

KUSTOMIZATIONS = sorted(K8S.rglob("kustomization.yaml"))
MANIFESTS = sorted(
    path
    for path in K8S.rglob("*.yaml")
    if path.name != "kustomization.yaml" and path.parent.name != "patches"
)


@pytest.fixture(autouse=True, scope="module")
def _schemas_are_read_once() -> Iterator[None]:
    """Otherwise a megabyte of definitions is read again for every manifest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(utils, "schema_contents", cache(utils.schema_contents))
        yield


def named_files(kustomization: Path) -> set[Path]:
    """The files that a kustomization takes in: resources, patches, and what it makes data of."""
    content = yaml.safe_load(kustomization.read_text())
    entries = content["resources"] + content.get("components", [])
    entries += [patch["path"] for patch in content.get("patches", []) if "path" in patch]
    for made in content.get("configMapGenerator", []):
        entries += made.get("files", [])
    return {(kustomization.parent / entry).resolve() for entry in entries}


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: str(path.relative_to(K8S)))
def test_each_file_is_valid_by_itself(path: Path) -> None:
    """Every document of a manifest follows the schema of its kind, with no field unknown."""
    for manifest in yaml.safe_load_all(path.read_text()):
        validate(manifest, VERSIONS[0])


@pytest.mark.parametrize("version", VERSIONS)
def test_each_overlay_is_valid(rendered: list[Manifest], version: str) -> None:
    """A rendered overlay follows the schemas, with no field unknown, so no patch misspells one."""
    for manifest in rendered:
        validate(manifest, version)


def test_the_base_renders_alone() -> None:
    """The base is a kustomization of its own that other overlays can build on."""
    assert set(COMMANDS) == set(of_kind(render(K8S / "base"), "Deployment"))


def test_no_file_is_left_out() -> None:
    """Every manifest, patch and other file is named by a kustomization."""
    named = set().union(*map(named_files, KUSTOMIZATIONS))
    files = {path for path in K8S.rglob("*") if path.is_file()} - set(KUSTOMIZATIONS)
    assert files == {path for path in named if path.is_file()}


def test_names_are_unique(rendered: list[Manifest]) -> None:
    """No two manifests of an overlay are the same object."""
    names = [(manifest["kind"], manifest["metadata"]["name"]) for manifest in rendered]
    assert sorted(set(names)) == sorted(names)


def test_no_namespace_is_fixed(rendered: list[Manifest]) -> None:
    """The manifests go to whichever namespace they are applied in."""
    assert set() == {m["metadata"]["name"] for m in rendered if "namespace" in m["metadata"]}
