"""The check of cards that browsers make, by itself: it agrees with the other verifiers."""

import json
from pathlib import Path
from random import Random

from service.tables.views import Json
from tests.fair.papers import TAMPERS, any_papers, tampered
from tests.support.node import answers, bundled

HERE = Path(__file__).parent
VECTORS = HERE.parent / "data" / "deals.jsonl"
DEALS = 40


def found(many: list[Json]) -> list[list[Json]]:
    """What the page's check finds in each of many papers."""
    return answers(many, str(bundled()), "--no-warnings", str(HERE / "fair.mjs"))


def test_what_fits() -> None:
    """Of deals as the service gives them out, and the stored ones, each check fits."""
    stored = [json.loads(line) for line in VECTORS.read_text("utf-8").split("\n")[:-1]]
    papers = [*stored, *map(any_papers, range(DEALS))]
    told = found(papers)

    assert [] == [one for findings in told for one in findings if not one["fits"]]
    checks = {one["check"] for findings in told for one in findings}
    assert {"commitment", "deck", "dealt", "renewals", "record"} == checks
    assert {"record"} == {findings[-1]["check"] for findings in told}


def test_what_was_tampered_with() -> None:
    """Whatever is changed in a proof or a record, the last finding says what does not fit."""
    chance = Random(1)
    changed = [one for seed in range(16) for one in tampered(any_papers(seed), chance)]
    told = found([said for _, said in changed])

    assert {tamper.__name__ for tamper in TAMPERS} == {name for name, _ in changed}
    names = [name for name, _ in changed]
    passed = [name for name, one in zip(names, told, strict=True) if one[-1]["fits"]]
    assert [] == passed


def test_what_was_published_and_noted() -> None:
    """A commitment other than the one that was published, or noted before the cut, is found."""
    said = any_papers(0)
    right, wrong = said["proof"]["commitment"], "0" * 64
    kinds = [{"published": right, "noted": right}, {"published": wrong}, {"noted": wrong}]
    told = found([said | kind for kind in kinds])

    assert ["commitment", "noted", "published"] == [one["check"] for one in told[0][:3]]
    assert [True, False, False] == [findings[-1]["fits"] for findings in told]
