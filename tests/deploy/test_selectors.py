"""Selectors and network policies reach the pods they mean, and no others."""

from ipaddress import ip_address, ip_network
from typing import Any

from service.webhooks.targets import LEAST_PORT, is_public

from .manifests import APIS, COMMANDS, Manifest, of_kind, pod_templates, selected

# Every process of the service is one.
REDIS_CLIENTS = set(COMMANDS)


def policy(manifests: list[Manifest], name: str) -> tuple[set[str], dict[str, Any]]:
    """The workloads that a network policy governs, and its rules."""
    spec = of_kind(manifests, "NetworkPolicy")[name]["spec"]
    return selected(manifests, spec["podSelector"]["matchLabels"]), spec


def test_workloads_select_their_own_pods(rendered: list[Manifest]) -> None:
    """A Deployment's or StatefulSet's selector matches its own pods only."""
    workloads = of_kind(rendered, "Deployment") | of_kind(rendered, "StatefulSet")
    assert set(pod_templates(rendered)) == set(workloads)
    for name, workload in workloads.items():
        assert {name} == selected(rendered, workload["spec"]["selector"]["matchLabels"])


def test_services_select_their_own_pods(rendered: list[Manifest]) -> None:
    """A Service leads to the pods of its name, at a port that they have; one to nowhere at all."""
    services = of_kind(rendered, "Service")
    assert "selector" not in services.pop("nowhere", {"spec": {}})["spec"]
    for name, service in services.items():
        assert {name} == selected(rendered, service["spec"]["selector"])
        [container] = pod_templates(rendered)[name]["spec"]["containers"]
        ports = {port["name"] for port in container["ports"]}
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= ports


def test_everything_is_closed_at_first(rendered: list[Manifest]) -> None:
    """Every pod is denied all traffic, in and out, unless another policy allows it."""
    governed, spec = policy(rendered, "default-deny")
    assert set(pod_templates(rendered)) == governed
    assert {"Ingress", "Egress"} == set(spec["policyTypes"])
    assert set() == {"ingress", "egress"} & set(spec)


def test_every_pod_may_look_up_names(rendered: list[Manifest]) -> None:
    """DNS is open to all pods, towards the cluster's own servers, and nothing else with it."""
    governed, spec = policy(rendered, "dns")
    assert set(pod_templates(rendered)) == governed
    [rule] = spec["egress"]
    assert [("UDP", 53), ("TCP", 53)] == [(p["protocol"], p["port"]) for p in rule["ports"]]
    assert {"namespaceSelector", "podSelector"} == set(rule["to"][0])


def test_the_api_hears_from_the_ingress_controller(rendered: list[Manifest]) -> None:
    """Requests reach the API's port from the ingress controller's namespace only."""
    governed, spec = policy(rendered, "api")
    assert set(APIS) == governed
    [rule] = spec["ingress"]
    assert [{"protocol": "TCP", "port": "http"}] == rule["ports"]
    assert [["namespaceSelector"]] == [list(source) for source in rule["from"]]


def test_redis_clients_may_call_redis(rendered: list[Manifest]) -> None:
    """API, workers and sweep may open connections to Redis, and no other pod may."""
    governed, spec = policy(rendered, "redis-clients")
    assert REDIS_CLIENTS == governed
    [rule] = spec["egress"]
    assert [{"protocol": "TCP", "port": 6379}] == rule["ports"]


def test_redis_hears_from_its_clients(dev: list[Manifest]) -> None:
    """The development Redis is reached by the API, the workers and the sweep, and they reach it."""
    governed, spec = policy(dev, "redis")
    assert {"redis"} == governed
    [rule] = spec["ingress"]
    [source] = rule["from"]
    assert REDIS_CLIENTS == selected(dev, source["podSelector"]["matchLabels"])

    _, clients = policy(dev, "redis-clients")
    [target] = clients["egress"][0]["to"]
    assert {"redis"} == selected(dev, target["podSelector"]["matchLabels"])


def test_production_calls_an_outside_redis(prod: list[Manifest]) -> None:
    """In production Redis is a network outside the cluster, not a pod that isn't there."""
    _, spec = policy(prod, "redis-clients")
    [target] = spec["egress"][0]["to"]
    assert ["ipBlock"] == list(target)


def test_webhooks_may_call_the_internet_alone(rendered: list[Manifest]) -> None:
    """The worker of the webhooks reaches public addresses, at the ports that the service allows."""
    governed, spec = policy(rendered, "webhooks")
    assert {"worker-webhooks"} == governed
    [rule] = spec["egress"]
    assert [(443, None), (LEAST_PORT, 65535)] == [
        (p["port"], p.get("endPort")) for p in rule["ports"]
    ]
    for block in (target["ipBlock"] for target in rule["to"]):
        inside = list(map(ip_network, block.get("except", ())))
        assert not any(is_public(network[1]) for network in inside)
        for address in map(ip_address, ("10.1.2.3", "169.254.169.254", "127.0.0.1", "fd00::1")):
            allowed = address in ip_network(block["cidr"])
            assert not allowed or any(address in network for network in inside)


def test_prometheus_reaches_the_metrics(rendered: list[Manifest]) -> None:
    """Prometheus' namespace reaches every pod at the port of its metrics, and at no other."""
    governed, spec = policy(rendered, "metrics")
    assert set(COMMANDS) == governed
    [rule] = spec["ingress"]
    assert [["namespaceSelector"]] == [list(source) for source in rule["from"]]
    ports = {port["port"] for port in rule["ports"]}
    for workload in COMMANDS:
        [container] = pod_templates(rendered)[workload]["spec"]["containers"]
        assert [True] == [port["name"] in ports for port in container["ports"]]


def test_no_other_policy_opens_anything(rendered: list[Manifest]) -> None:
    """The policies tested here are all there are."""
    assert {"api", "default-deny", "dns", "metrics", "redis-clients", "webhooks"} == (
        of_kind(rendered, "NetworkPolicy").keys() - {"redis"}
    )
