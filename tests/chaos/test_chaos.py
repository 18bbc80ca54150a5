"""A short run of the chaos harness; `python -m tests.chaos` is the long one."""

import os
import random
import shutil

import pytest

from tests.chaos import report
from tests.chaos.faults import GAP_SECONDS
from tests.chaos.run import Run
from tests.chaos.system import Size

SECONDS = 40
CLUSTER_SECONDS = 10
TABLES = 8


@pytest.mark.timeout(600)
def test_a_while_of_chaos() -> None:
    """Whatever dies, hangs or is cut off: nothing acknowledged is lost, nothing is done twice."""
    seed = int(os.environ.get("CHAOS_SEED", random.randrange(1_000_000)))
    run = Run(seed, SECONDS, TABLES)
    result = run.play()
    told = f"CHAOS_SEED={seed}, logs in {run.folder}\n{report.as_text(result)}"
    assert 0 == result.findings.total, told
    assert [] == report.slow_recoveries(result), told
    assert len(result.faults) > SECONDS / max(GAP_SECONDS) - 2, told
    assert result.kills.total() > 0, told
    assert result.deals > 10, told
    shutil.rmtree(run.folder)


@pytest.mark.timeout(300)
def test_a_while_of_chaos_on_a_cluster() -> None:
    """As well where the tables lie on a cluster: a server dies, and slots move, while games run."""
    seed = int(os.environ.get("CHAOS_SEED", random.randrange(1_000_000)))
    run = Run(seed, CLUSTER_SECONDS, TABLES, size=Size(api=1, workers=1, nodes=3))
    result = run.play()
    told = f"CHAOS_SEED={seed}, logs in {run.folder}\n{report.as_text(result)}"
    assert 0 == result.findings.total, told
    assert result.kills["store"] > 0, told
    assert result.moved > 0, told
    assert result.deals > 3, told
    shutil.rmtree(run.folder)
