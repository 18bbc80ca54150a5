"""Metrics, and all that speaks of them: the table, the dashboard, the alerts."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml
from prometheus_client.metrics import MetricWrapperBase

from service.observe.metrics import AT_SCRAPE, REGISTRY, Scraped

ROOT = Path(__file__).parents[2]
ALERTS = yaml.safe_load((ROOT / "k8s/observability/alerts.yaml").read_text())
RULES = [rule for group in ALERTS["spec"]["groups"] for rule in group["rules"]]
DASHBOARD = json.loads((ROOT / "k8s/observability/dashboard.json").read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
TARGETS = [(panel["title"], target) for panel in PANELS for target in panel["targets"]]
KEDA = list(yaml.safe_load_all((ROOT / "k8s/components/keda/workers.yaml").read_text()))
KEDA += list(yaml.safe_load_all((ROOT / "k8s/components/keda/streams.yaml").read_text()))
ADDED = {"component", "job", "instance", "pod", "namespace"}
"""Labels that Prometheus adds."""


def metrics() -> dict[str, tuple[str, tuple[str, ...]]]:
    """All metrics as they are told: their types and labels, by name."""
    wrapped = [one for one in REGISTRY._collector_to_names if isinstance(one, MetricWrapperBase)]
    counted = {
        one._name + "_total" * (one._type == "counter"): (str(one._type), tuple(one._labelnames))
        for one in wrapped
    }
    looked_up = [one for one in vars(AT_SCRAPE).values() if isinstance(one, Scraped)]
    return counted | {one.name: ("gauge", one.labels) for one in looked_up}


def series() -> dict[str, set[str]]:
    """The names that a query may have, with their labels."""
    found = {name: set(labels) for name, (kind, labels) in metrics().items() if kind != "histogram"}
    for name, (kind, labels) in metrics().items():
        if kind == "histogram":
            found[f"{name}_bucket"] = {*labels, "le"}
            found |= {f"{name}_sum": set(labels), f"{name}_count": set(labels)}
    return {name: labels | ADDED for name, labels in found.items()}


def queries() -> list[tuple[str, str]]:
    """All queries, with where they are."""
    asked = [(rule["alert"], rule["expr"]) for rule in RULES]
    asked += [(title, target["expr"]) for title, target in TARGETS]
    scaled = [trigger["metadata"] for one in KEDA for trigger in one["spec"]["triggers"]]
    asked += [("keda", one["query"]) for one in scaled if "query" in one]
    return [(where, query.replace("$__rate_interval", "5m")) for where, query in asked]


def selectors(node: Any, by: frozenset[str] = frozenset()) -> Iterator[tuple[Any, frozenset[str]]]:
    """The selectors within a query, each with the labels that what is around it groups by."""
    kind = type(node).__name__
    if kind == "VectorSelector":
        yield node, by
    elif kind == "MatrixSelector":
        yield node.vector_selector, by
    elif kind == "AggregateExpr":
        grouped = frozenset(node.modifier.labels) if node.modifier else frozenset[str]()
        yield from selectors(node.expr, by | grouped)
    elif kind == "BinaryExpr":
        yield from selectors(node.lhs, by)
        yield from selectors(node.rhs, by)
    elif kind == "Call":
        for argument in node.args:
            yield from selectors(argument, by)
    elif kind in ("ParenExpr", "UnaryExpr", "SubqueryExpr"):
        yield from selectors(node.expr, by)


@pytest.mark.parametrize(("where", "query"), queries())
def test_queries_ask_for_what_there_is(where: str, query: str) -> None:
    """Each query can be read, and has names and labels that there are."""
    known = series()
    found = list(selectors(promql_parser.parse(query)))

    assert found, where
    for selector, by in found:
        assert selector.name in known, query
        matched = {matcher.name for matcher in selector.matchers.matchers}
        assert matched | by <= known[selector.name], query


def test_rates_are_of_counters() -> None:
    """Only what counts up is given to `rate` and `increase`."""
    for where, query in queries():
        for name in re.findall(r"(?:rate|increase)\((\w+)", query):
            assert name.endswith(("_total", "_bucket", "_count", "_sum")), where


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule["alert"]))
def test_alerts_say_what_to_do(rule: Any) -> None:
    """Each alert says what is the matter, how grave it is, what to do, and where there is more."""
    told = rule["annotations"]
    labels = set(re.findall(r"\$labels\.(\w+)", told["summary"] + told["description"]))
    heading = f"### {rule['alert']}\n"

    assert rule["labels"]["severity"] in ("critical", "warning")
    assert told["summary"].endswith(".")
    assert len(told["description"]) > 40
    assert f"docs/operations.md#{rule['alert'].lower()}" == told["runbook_url"]
    assert heading in (ROOT / "docs/operations.md").read_text()
    assert all(re.search(rf"by \([^)]*\b{label}\b", rule["expr"]) for label in labels)


def test_the_dashboard_shows_everything() -> None:
    """Each metric is in a panel, each panel has a text, and none covers another."""
    asked = " ".join(target["expr"] for _, target in TARGETS)
    places = [(cell, panel["title"]) for panel in DASHBOARD["panels"] for cell in cells(panel)]

    assert [] == [name for name in metrics() if name not in asked]
    assert all(panel["description"] and panel["title"] for panel in PANELS)
    assert len({cell for cell, _ in places}) == len(places)
    assert all(x < 24 for (x, _), _ in places)
    assert len(DASHBOARD["panels"]) == len({panel["id"] for panel in DASHBOARD["panels"]})


def cells(panel: Any) -> Iterator[tuple[int, int]]:
    """The cells of the grid that a panel covers."""
    at = panel["gridPos"]
    for x in range(at["x"], at["x"] + at["w"]):
        for y in range(at["y"], at["y"] + at["h"]):
            yield x, y


def test_the_page_explains_every_metric() -> None:
    """docs/observability.md has a row for each metric with its type and labels, and no other."""
    rows = re.findall(
        r"^\| `(paiute_\w+)` \| (\w+) \| ([^|]*)\|",
        (ROOT / "docs/observability.md").read_text(),
        re.MULTILINE,
    )
    told = {name: (kind, tuple(re.findall(r"`(\w+)`", labels))) for name, kind, labels in rows}

    assert metrics() == told
    assert len(rows) == len(told)


@pytest.mark.parametrize("name", metrics())
def test_names_follow_the_conventions(name: str) -> None:
    """Names are of the service, times are in seconds, and only what counts up is a total."""
    kind, labels = metrics()[name]

    assert re.fullmatch(r"paiute_[a-z_]+", name)
    assert (kind == "counter") is name.endswith("_total")
    assert kind != "histogram" or name.endswith("_seconds")
    assert not {"player", "table", "id", "card", "path"} & set(labels)
