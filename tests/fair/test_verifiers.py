"""Two verifiers of deals, ours and one in JavaScript that was written from the document alone."""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import pytest

from service.tables.views import Json
from service.verify import check, read
from tests.fair.papers import TAMPERS, any_papers, tampered
from tests.support.node import answers, bundled, node

HERE = Path(__file__).parent
VECTORS = HERE.parent / "data" / "deals.jsonl"
DEALS = 1_000


@cache
def papers() -> list[Json]:
    """Many deals of all kinds."""
    return [any_papers(seed) for seed in range(DEALS)]


def ours(said: Json) -> bool:
    """Whether our own verifier finds nothing wrong."""
    return all(finding.fits is not False for finding in check(read(said)))


def theirs(many: list[Json], program: str | None = None) -> list[Json]:
    """What the verifier in JavaScript says, in one run."""
    return answers(many, program or node(), str(HERE / "verify.mjs"))


def test_both_agree_on_a_thousand_deals() -> None:
    """Of a thousand deals as the service gives them out both find that nobody chose the cards."""
    found = theirs(papers())

    assert [{"fits": True}] * DEALS == found
    assert [said["proof"]["number"] for said in papers() if not ours(said)] == []


def test_the_thousand_are_of_all_kinds() -> None:
    """Among them are new stocks by both rules, odd entropies, two to five players, and leavers."""
    kinds = Counter[object]()
    for said in papers():
        proof, record = said["proof"], said["record"]
        dealt_to = len(proof["dealt"]["hands"]) if proof["dealt"] else 0
        kinds["uncut"] += not dealt_to
        kinds["left before the cut"] += 0 < dealt_to < len(proof["seats"])
        kinds["hidden draws"] += any(
            a["from"] == "stock" and not a["card"] for a in record["actions"]
        )
        kinds.update([record["reason"], len(proof["seats"]), (proof["cut"] or {}).get("entropy")])
        kinds.update({proof["rules"]["reshuffle"]: bool(proof["renewals"])})
        kinds["renewed twice"] += len(proof["renewals"]) > 1

    wanted = ["showdown", "last_player", "void", "uncut", "left before the cut", "renewed twice"]
    wanted += ["keep_top", "all", "hidden draws", "sál ♠ 愛", "\U0001f0a1", "\x00\n\u2028"]
    assert min(kinds[kind] for kind in (*wanted, 2, 3, 4, 5)) > 10, kinds


def test_both_refuse_what_was_tampered_with() -> None:
    """Whatever is changed in a proof or a record, both say that it does not fit."""
    chance = Random(1)
    changed = [one for said in papers()[:60] for one in tampered(said, chance)]
    found = theirs([said for _, said in changed])

    assert {tamper.__name__ for tamper in TAMPERS} == {name for name, _ in changed}
    passed = [name for (name, said), one in zip(changed, found, strict=True) if one["fits"]]
    assert [] == passed
    assert [] == [name for name, said in changed if ours(said)]


def test_both_compare_with_the_commitment_that_was_noted() -> None:
    """A proof whose commitment is another one than was published before the cut fits neither."""
    said = papers()[0]
    right = said | {"commitment": said["proof"]["commitment"]}
    wrong = said | {"commitment": "0" * 64}

    assert [True, False] == [one["fits"] for one in theirs([right, wrong])]
    assert [True, False] == [ours(right), ours(wrong)]


@pytest.mark.parametrize("line", VECTORS.read_text(encoding="utf-8").split("\n")[:-1])
def test_the_stored_deals(line: str) -> None:
    """The stored whole deals never change, since others test their verifiers by them."""
    assert ours(json.loads(line))


def test_the_stored_deals_in_javascript() -> None:
    """They fit for the other verifier too."""
    vectors = [json.loads(line) for line in VECTORS.read_text("utf-8").split("\n")[:-1]]

    assert {True} == {one["fits"] for one in theirs(vectors)}
    assert any(len(said["proof"]["renewals"]) > 1 for said in vectors)


def test_the_node_that_is_brought_along() -> None:
    """Where there is no Node.js on the path, the one from the package does the same."""
    assert [{"fits": True}] == theirs(papers()[:1], str(bundled()))
