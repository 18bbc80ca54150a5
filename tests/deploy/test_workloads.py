"""What has to hold for every pod, and for each kind of it."""

import json
import logging
import re
import tomllib

import pytest

from service.api.schemas.requests import Wait
from service.launcher import STOP_SECONDS, gunicorn_command, streams_command
from service.store.queue_names import QUEUES
from service.store.queues import JOB_SECONDS
from service.streams import KEEP_ALIVE_SECONDS
from workers.__main__ import HEARTBEAT_SECONDS

from .manifests import (
    APIS,
    COMMANDS,
    PORTLESS,
    ROOT,
    SETTINGS,
    Manifest,
    containers,
    of_kind,
    pod_templates,
    selected,
    settings,
)

FIXED = re.compile(r":\d+\.\d+\.\d+[-\w.]*$|@sha256:[0-9a-f]{64}$")
"""The end of an image's name that is a whole version, or a digest."""


def paiute(manifests: list[Manifest], workload: str) -> Manifest:
    """The container of one of the service's own workloads."""
    container: Manifest
    [container] = pod_templates(manifests)[workload]["spec"]["containers"]
    return container


# Each of them is run by its own command.


@pytest.mark.parametrize("workload", COMMANDS)
def test_each_workload_runs_its_command(rendered: list[Manifest], workload: str) -> None:
    """A workload says to the image which process it is, and leaves the entry point to the image."""
    container = paiute(rendered, workload)
    command = COMMANDS[workload]
    assert command == container["args"][: len(command)]
    assert "command" not in container


def test_the_api_names_its_number_of_processes(rendered: list[Manifest]) -> None:
    """A default by the number of cores would count those of the node."""
    for workload in APIS:
        assert "--workers" in paiute(rendered, workload)["args"]


# What the pods may do: the pod security standard `restricted`, and less.


def test_pods_are_not_root(rendered: list[Manifest]) -> None:
    """Every pod runs as a numbered user that is not root, under the default system call filter."""
    for template in pod_templates(rendered).values():
        security = template["spec"]["securityContext"]
        assert security["runAsNonRoot"] is True
        assert security["runAsUser"] > 0
        assert {"type": "RuntimeDefault"} == security["seccompProfile"]


def test_the_user_is_the_image_s(rendered: list[Manifest]) -> None:
    """The service's pods run as the user that the Dockerfile makes."""
    user = re.search(r"^USER (\d+):(\d+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert user
    for workload in COMMANDS:
        security = pod_templates(rendered)[workload]["spec"]["securityContext"]
        assert [int(number) for number in user.groups()] == [
            security["runAsUser"],
            security["runAsGroup"],
        ]


def test_containers_hold_no_privilege(rendered: list[Manifest]) -> None:
    """Every container has no capability, cannot gain one, and cannot write its root file system."""
    for container in containers(rendered):
        assert {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        } == container["securityContext"]


def test_only_tmp_is_writable(rendered: list[Manifest]) -> None:
    """The service's pods write to an empty /tmp and nowhere else."""
    for workload in COMMANDS:
        spec = pod_templates(rendered)[workload]["spec"]
        mounts = [(m["name"], m["mountPath"]) for m in paiute(rendered, workload)["volumeMounts"]]
        assert [("tmp", "/tmp")] == mounts
        assert ["tmp"] == [volume["name"] for volume in spec["volumes"] if "emptyDir" in volume]


def test_pods_hold_no_cluster_token(rendered: list[Manifest]) -> None:
    """Each workload has an account of its own, and neither account nor pod mounts its token."""
    accounts = of_kind(rendered, "ServiceAccount")
    assert all(account["automountServiceAccountToken"] is False for account in accounts.values())
    for name, template in pod_templates(rendered).items():
        assert name == template["spec"]["serviceAccountName"]
        assert name in accounts
        assert template["spec"]["automountServiceAccountToken"] is False


def test_containers_have_requests_and_limits(rendered: list[Manifest]) -> None:
    """Every container says how much CPU and memory it needs, and how much it may take."""
    for container in containers(rendered):
        assert {"cpu", "memory"} == set(container["resources"]["requests"])
        assert {"cpu", "memory"} == set(container["resources"]["limits"])


# Settings, secrets and images.


def test_settings_are_known(rendered: list[Manifest]) -> None:
    """Every environment variable is a setting of the service."""
    names = {v["name"] for container in containers(rendered) for v in container.get("env", [])}
    names |= set(settings(rendered)[1])
    assert {"PAIUTE_LOG_LEVEL", "PAIUTE_REDIS_URL", "PAIUTE_SECRET"} <= names <= SETTINGS


def test_the_log_level_exists(rendered: list[Manifest]) -> None:
    """The level is one that Python's logging has by that name."""
    _, config = settings(rendered)
    assert config["PAIUTE_LOG_LEVEL"] in logging.getLevelNamesMapping()


def test_every_process_reads_the_settings(rendered: list[Manifest]) -> None:
    """The ConfigMap that is there is the one that the pods name."""
    config, _ = settings(rendered)
    for workload in COMMANDS:
        assert [{"configMapRef": {"name": config}}] == paiute(rendered, workload)["envFrom"]


def test_no_settings_come_from_service_links(rendered: list[Manifest]) -> None:
    """Kubernetes adds no variable for a Service, which could look like a setting."""
    for template in pod_templates(rendered).values():
        assert template["spec"]["enableServiceLinks"] is False


def test_the_token_secret_is_a_reference(rendered: list[Manifest]) -> None:
    """PAIUTE_SECRET is read from the key `secret` of the Secret `paiute`, never written down."""
    for workload in COMMANDS:
        env = {variable["name"]: variable for variable in paiute(rendered, workload)["env"]}
        reference = env["PAIUTE_SECRET"]["valueFrom"]["secretKeyRef"]
        assert "secret" == reference["key"]
        assert re.fullmatch(r"paiute(-\w{10})?", reference["name"])
        assert "value" not in env["PAIUTE_SECRET"]


def test_production_holds_no_secret(prod: list[Manifest]) -> None:
    """The production overlay makes no Secret, and takes the address of Redis from one."""
    assert {} == of_kind(prod, "Secret")
    _, config = settings(prod)
    assert "PAIUTE_REDIS_URL" not in config
    for workload in COMMANDS:
        env = {variable["name"]: variable for variable in paiute(prod, workload)["env"]}
        reference = env["PAIUTE_REDIS_URL"]["valueFrom"]["secretKeyRef"]
        assert {"name": "paiute", "key": "redis-url"} == reference


def test_images_have_a_fixed_tag(rendered: list[Manifest]) -> None:
    """Every image names a whole version or a digest, but for the one that is built for development.

    So it never moves, and a node that has it does not ask for it again.
    """
    for container in containers(rendered):
        assert "IfNotPresent" == container["imagePullPolicy"]
        assert FIXED.search(container["image"]) or container["image"] == "paiute:dev"


def test_production_runs_the_release(prod: list[Manifest]) -> None:
    """All of production runs one image, tagged with this version of the project."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    [image] = {container["image"] for container in containers(prod)}
    assert version == image.rpartition(":")[2]


# Health, drain and disruption.


@pytest.mark.parametrize("workload", APIS)
def test_probes_ask_the_right_question(rendered: list[Manifest], workload: str) -> None:
    """Only readiness depends on Redis: a restart of the API would not bring Redis back."""
    container = paiute(rendered, workload)
    probes = ["startupProbe", "livenessProbe", "readinessProbe"]
    assert ["/healthz", "/healthz", "/readyz"] == [container[p]["httpGet"]["path"] for p in probes]
    assert {"http"} == {container[probe]["httpGet"]["port"] for probe in probes}
    assert [{"name": "http", "containerPort": 8000}] == container["ports"]


@pytest.mark.parametrize("workload", PORTLESS)
def test_workers_are_probed_by_their_pulse(rendered: list[Manifest], workload: str) -> None:
    """A worker has a port for its metrics alone; a probe looks at the file that it touches.

    It may be silent for longer than its longest job and a Redis that hangs keep it.
    """
    container = paiute(rendered, workload)
    env = {variable["name"]: variable.get("value") for variable in container["env"]}
    probes = [key for key in container if key.endswith("Probe")]
    assert ["livenessProbe", "startupProbe"] == sorted(probes)
    for probe in probes:
        command = container[probe]["exec"]["command"]
        assert ["python", "-m", "workers.pulse", env["PAIUTE_PULSE_FILE"]] == command[:-1]
        assert float(command[-1]) >= 2 * (JOB_SECONDS + HEARTBEAT_SECONDS)
    assert [{"name": "metrics", "containerPort": 9090}] == container["ports"]
    assert "9090" == env["PAIUTE_METRICS_PORT"]


@pytest.mark.parametrize("workload", COMMANDS)
def test_metrics_are_announced(rendered: list[Manifest], workload: str) -> None:
    """A Prometheus without an operator finds in a pod's annotations where its metrics are."""
    [port] = paiute(rendered, workload)["ports"]
    assert {
        "prometheus.io/scrape": "true",
        "prometheus.io/port": str(port["containerPort"]),
        "prometheus.io/path": "/metrics",
    } == pod_templates(rendered)[workload]["metadata"]["annotations"]


def test_the_operator_finds_every_pod(prod: list[Manifest]) -> None:
    """The PodMonitor of production selects all pods of the service, at the port that each has."""
    monitor = of_kind(prod, "PodMonitor")["paiute"]["spec"]
    assert set(COMMANDS) == selected(prod, monitor["selector"]["matchLabels"])
    scraped = {endpoint["port"] for endpoint in monitor["podMetricsEndpoints"]}
    for workload in COMMANDS:
        assert {port["name"] for port in paiute(prod, workload)["ports"]} <= scraped


def option(container: Manifest, name: str) -> float:
    """The number that follows an option in a container's arguments."""
    arguments = container["args"]
    return float(arguments[arguments.index(name) + 1])


@pytest.mark.parametrize("workload", APIS)
def test_the_api_has_time_to_end(rendered: list[Manifest], workload: str) -> None:
    """Each waits for longer than the one below it: long polls, gunicorn, the launcher, the pod."""
    serves = {"api": gunicorn_command, "streams": streams_command}[workload]
    command = serves("unused", 1, 1)
    longest_poll = Wait().fields["wait"].validate.max  # type: ignore[union-attr]
    graceful = int(command[command.index("--graceful-timeout") + 1])
    drain = option(paiute(rendered, workload), "--drain-seconds")
    grace = pod_templates(rendered)[workload]["spec"]["terminationGracePeriodSeconds"]
    assert longest_poll < graceful < STOP_SECONDS
    assert drain >= 5, "so long others may take to hear that it is not ready"
    assert drain + STOP_SECONDS < grace


def test_workers_have_time_to_end(rendered: list[Manifest]) -> None:
    """A worker's pod waits for longer than the longest job takes, and RQ to note it."""
    for workload in COMMANDS.keys() - {*APIS, "sweep"}:
        grace = pod_templates(rendered)[workload]["spec"]["terminationGracePeriodSeconds"]
        assert grace >= 2 * JOB_SECONDS


def test_readiness_waits_for_the_answer(rendered: list[Manifest]) -> None:
    """A probe waits for longer than the API takes to say that Redis is away."""
    for workload in APIS:
        assert paiute(rendered, workload)["readinessProbe"]["timeoutSeconds"] > 2


def test_deployments_never_go_below_their_number(rendered: list[Manifest]) -> None:
    """New pods are ready before old ones go."""
    for deployment in of_kind(rendered, "Deployment").values():
        rolling = {"maxSurge": 1, "maxUnavailable": 0}
        assert {"type": "RollingUpdate", "rollingUpdate": rolling} == deployment["spec"]["strategy"]


def test_each_deployment_has_a_disruption_budget(rendered: list[Manifest]) -> None:
    """A drained node takes one pod of a kind at a time, and a lone pod never blocks the drain."""
    budgets = of_kind(rendered, "PodDisruptionBudget")
    assert set(COMMANDS) == set(budgets)
    for name, budget in budgets.items():
        assert {name} == selected(rendered, budget["spec"]["selector"]["matchLabels"])
        assert 1 == budget["spec"]["maxUnavailable"]


def test_the_autoscaler_has_the_api_for_itself(prod: list[Manifest]) -> None:
    """In production the autoscaler decides how many API pods there are, and nothing else does."""
    scaler = of_kind(prod, "HorizontalPodAutoscaler")["api"]
    api = of_kind(prod, "Deployment")["api"]
    assert ("Deployment", "api") == (
        scaler["spec"]["scaleTargetRef"]["kind"],
        scaler["spec"]["scaleTargetRef"]["name"],
    )
    assert "replicas" not in api["spec"]
    assert scaler["spec"]["minReplicas"] >= 2


def test_the_dashboard_is_found(prod: list[Manifest]) -> None:
    """Production has the dashboard where Grafana's sidecar looks for it."""
    dashboard = of_kind(prod, "ConfigMap")["paiute-dashboard"]
    assert "1" == dashboard["metadata"]["labels"]["grafana_dashboard"]
    assert "Paiute" == json.loads(dashboard["data"]["dashboard.json"])["title"]


SCALED = ["streams", *(name for name in PORTLESS if name != "sweep")]
"""What KEDA scales in production."""


def test_keda_has_the_workers_for_itself(prod: list[Manifest]) -> None:
    """In production the queues decide how many workers there are, the open streams their pods."""
    scaled = of_kind(prod, "ScaledObject")
    deployments = of_kind(prod, "Deployment")
    assert set(SCALED) == set(scaled)
    for name, one in scaled.items():
        assert {"name": name} == one["spec"]["scaleTargetRef"]
        assert "replicas" not in deployments[name]["spec"]
        assert 2 <= one["spec"]["minReplicaCount"] < one["spec"]["maxReplicaCount"]


@pytest.mark.parametrize("workload", SCALED)
def test_keda_asks_for_what_there_is(prod: list[Manifest], workload: str) -> None:
    """It asks Prometheus, of a worker by its own queue."""
    triggers = of_kind(prod, "ScaledObject")[workload]["spec"]["triggers"]
    queries = [t["metadata"]["query"] for t in triggers if t["type"] == "prometheus"]
    assert queries
    for query in queries:
        queue = re.search(r'queue="(\w+)"', query)
        assert queue is None or (queue[1] in QUEUES and workload == f"worker-{queue[1]}")


def test_production_takes_its_secret_from_outside(prod: list[Manifest]) -> None:
    """The Secret that pods name is the one that is kept from the secret store, by reference."""
    kept = of_kind(prod, "ExternalSecret")["paiute"]["spec"]
    assert "paiute" == kept["target"]["name"]
    assert "template" not in kept["target"]


def test_production_limits_every_api(prod: list[Manifest]) -> None:
    """Whatever answers requests counts them in the same budgets, behind the same proxy."""
    api, streams = ({v["name"]: v for v in paiute(prod, workload)["env"]} for workload in APIS)
    assert "PAIUTE_PLAY_PER_SECOND" in api
    assert api == streams


def test_production_leads_streams_to_their_pods(prod: list[Manifest]) -> None:
    """The ingress sends both addresses of events to the pods for streams, and all else to the API.

    It waits for longer than a stream is silent, and than a long poll takes.
    """
    ingress = of_kind(prod, "Ingress")["paiute"]
    [rule] = ingress["spec"]["rules"]
    routes = [(p["path"], p["backend"]["service"]["name"]) for p in rule["http"]["paths"]]
    assert ("/metrics", "nowhere") == routes[0], "they are not for the public"
    pattern, service = routes[1]
    assert ("streams", [("/", "api")]) == (service, routes[2:])
    for path in ("/v1/me/events", "/v1/tables/01J/events"):
        assert re.fullmatch(pattern, path)
    assert not re.match(pattern, "/v1/tables/01J/deals")
    annotations = ingress["metadata"]["annotations"]
    waits = int(annotations["nginx.ingress.kubernetes.io/proxy-read-timeout"])
    assert waits > max(KEEP_ALIVE_SECONDS, Wait().fields["wait"].validate.max)  # type: ignore[union-attr]


def test_production_spreads_every_workload(prod: list[Manifest]) -> None:
    """Pods of one kind prefer different zones and nodes."""
    for template in pod_templates(prod).values():
        spread = template["spec"]["topologySpreadConstraints"]
        assert ["topology.kubernetes.io/zone", "kubernetes.io/hostname"] == [
            constraint["topologyKey"] for constraint in spread
        ]
        for constraint in spread:
            assert constraint["labelSelector"]["matchLabels"].items() <= (
                template["metadata"]["labels"].items()
            )
            assert "app.kubernetes.io/component" in constraint["matchLabelKeys"]


def test_development_keeps_its_data(dev: list[Manifest]) -> None:
    """The development Redis writes every command down, evicts nothing, and keeps its volume."""
    redis = of_kind(dev, "StatefulSet")["redis"]["spec"]
    args = " ".join(redis["template"]["spec"]["containers"][0]["args"])
    assert "--appendonly yes" in args
    assert "--maxmemory-policy noeviction" in args
    assert ["data"] == [claim["metadata"]["name"] for claim in redis["volumeClaimTemplates"]]
