"""A short run of the chaos harness; `python -m tests.chaos` is the long one."""

import os
import random
import shutil

import pytest

from tests.chaos import report
from tests.chaos.run import Run

SECONDS = 40
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
    assert result.kills.total() > 5, told
    assert result.deals > 10, told
    shutil.rmtree(run.folder)
