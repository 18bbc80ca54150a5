"""The manifests as data, and the programs that read them."""

import shutil
import subprocess
import sys
import sysconfig
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.config import Config

Manifest = dict[str, Any]

ROOT = Path(__file__).parents[2]
K8S = ROOT / "k8s"

COMMANDS = {
    "api": ["api", "--host", "0.0.0.0", "--port", "8000"],
    "streams": ["streams", "--host", "0.0.0.0", "--port", "8000"],
    "sweep": ["sweep"],
    "worker-bots": ["worker", "bots"],
    "worker-clock": ["worker", "clock"],
    "worker-settlement": ["worker", "settlement"],
    "worker-webhooks": ["worker", "webhooks"],
}
"""What each process of the service is called, and the arguments that the image starts it with."""

APIS = ("api", "streams")
"""Those that answer requests."""

PORTLESS = [name for name in COMMANDS if name not in APIS]
"""Those that do not."""

SETTINGS = {f"PAIUTE_{field.name.upper()}" for field in fields(Config)}
"""The names of all settings that the service reads."""


def tool(name: str) -> str:
    """The program of that name: the one installed beside this Python, or one on the PATH."""
    found = shutil.which(name, path=sysconfig.get_path("scripts")) or shutil.which(name)
    if found is None and sys.platform != "linux":
        pytest.skip(f"{name} comes with the development packages on Linux only")
    assert found, f"{name} is missing: it comes with the development packages"
    return found


@cache
def render(folder: Path) -> list[Manifest]:
    """What `kubectl apply -k` would send."""
    command = [tool("kubectl"), "kustomize", str(folder)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=30)
    assert (0, "") == (done.returncode, done.stderr)
    return list(yaml.safe_load_all(done.stdout))


def of_kind(manifests: list[Manifest], kind: str) -> dict[str, Manifest]:
    """The manifests of one kind, by name."""
    return {m["metadata"]["name"]: m for m in manifests if m["kind"] == kind}


def settings(manifests: list[Manifest]) -> tuple[str, dict[str, str]]:
    """The name of the ConfigMap with the settings, and what it holds."""
    [found] = [
        (name, config["data"])
        for name, config in of_kind(manifests, "ConfigMap").items()
        if name != "paiute-dashboard"
    ]
    return found


def pod_templates(manifests: list[Manifest]) -> dict[str, Manifest]:
    """The pod template of every workload, by the workload's name."""
    return {
        m["metadata"]["name"]: m["spec"]["template"]
        for m in manifests
        if "template" in m.get("spec", {})
    }


def containers(manifests: list[Manifest]) -> list[Manifest]:
    """Every container of every pod; none of them has init containers."""
    templates = pod_templates(manifests).values()
    assert not any("initContainers" in template["spec"] for template in templates)
    return [container for template in templates for container in template["spec"]["containers"]]


def selected(manifests: list[Manifest], labels: dict[str, str]) -> set[str]:
    """The workloads whose pods carry all these labels."""
    return {
        name
        for name, template in pod_templates(manifests).items()
        if labels.items() <= template["metadata"]["labels"].items()
    }
