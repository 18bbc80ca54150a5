"""Whether a manifest is what Kubernetes, or the operator whose resource it is, accepts."""

from functools import cache
from typing import Any

import kubernetes_validate
import yaml
from jsonschema_rs import Draft202012Validator

from .manifests import ROOT, Manifest

CUSTOM: dict[str, Any] = yaml.safe_load((ROOT / "tests/data/custom-resources.yaml").read_text())
"""The schemas of the operators' resources, by kind."""


def validate(manifest: Manifest, version: str) -> None:
    """Check a manifest strictly, so that no field is unknown.

    Args:
        manifest: a built-in resource, or one of an operator.
        version: of Kubernetes.

    Raises:
        ValidationError: of either library; the text says what is wrong.
    """
    if manifest["kind"] not in CUSTOM:
        kubernetes_validate.validate(manifest, version, strict=True)
        return
    assert CUSTOM[manifest["kind"]]["apiVersion"] == manifest["apiVersion"]
    assert {"apiVersion", "kind", "metadata", "spec"} == set(manifest)
    _schema(manifest["kind"]).validate(manifest["spec"])
    if manifest["kind"] == "ScaledObject":
        kubernetes_validate.validate(_as_autoscaler(manifest), version, strict=True)


@cache
def _schema(kind: str) -> Draft202012Validator:
    return Draft202012Validator(CUSTOM[kind]["spec"])


def _as_autoscaler(scaled: Manifest) -> Manifest:
    """The built-in autoscaler that KEDA makes of its own resource, without the metrics."""
    spec = scaled["spec"]
    config = spec.get("advanced", {}).get("horizontalPodAutoscalerConfig", {})
    return {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": scaled["metadata"],
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment"}
            | spec["scaleTargetRef"],
            "minReplicas": spec["minReplicaCount"],
            "maxReplicas": spec["maxReplicaCount"],
            **config,
        },
    }
