"""Places in the folder where processes count together."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from service.observe import places

COUNT = """
import os, sys
from service.observe import metrics, places
metrics.STALE.inc(3)
metrics.OPEN_STREAMS.inc()
metrics.JOB_SECONDS.labels("settle").observe(0.5)
metrics.begin()
print(places.place(), flush=True)
sys.stdin.read() if "wait" in sys.argv else None
if "die" in sys.argv:
    os._exit(9)
"""
TELL = """
from service.observe import metrics
from prometheus_client import generate_latest
print(generate_latest(metrics.everything()).decode())
"""


def started(folder: Path, *words: str) -> subprocess.Popen[str]:
    """A process that counts."""
    return subprocess.Popen(
        [sys.executable, "-c", COUNT, *words],
        env=os.environ | {places.FOLDER: str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def place_of(process: subprocess.Popen[str]) -> int:
    """The place that it has taken."""
    assert process.stdout is not None
    return int(process.stdout.readline())


def told(folder: Path) -> list[str]:
    """What is told of all processes, by one that has not counted."""
    told = subprocess.run(
        [sys.executable, "-c", TELL],
        env=os.environ | {places.FOLDER: str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.splitlines()


def test_counts_outlive_their_process(tmp_path: Path) -> None:
    """Who comes after another takes its place and counts on; what runs at once has its own."""
    with started(tmp_path, "wait") as first:
        assert 0 == place_of(first)
        with started(tmp_path) as second:
            assert 1 == place_of(second)
        with started(tmp_path, "die") as third:
            assert 1 == place_of(third)
        lines = told(tmp_path)
        assert 'paiute_conflicts_total{kind="stale"} 9.0' in lines
        assert "paiute_open_streams 1.0" in lines, "those of the dead are open no more"
        first.communicate()
    assert {"0.lock", "1.lock"} <= {file.name for file in tmp_path.glob("*.lock")}
    lines = told(tmp_path)
    assert 'paiute_conflicts_total{kind="stale"} 9.0' in lines
    assert 'paiute_job_seconds_count{kind="settle"} 2.0' in lines, "the one that was killed had one"


def test_a_folder_goes_with_its_launcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A launcher's folder is gone after it, and that of a killed one before the next one's."""
    monkeypatch.setattr(places, "MEMORY", str(tmp_path))
    left = tmp_path / f"{places.PREFIX}left"
    left.mkdir()
    (tmp_path / "another").mkdir()
    with places.NewFolder() as one, places.NewFolder() as two:
        assert {one, two, tmp_path / "another"} == set(tmp_path.iterdir())
    assert [tmp_path / "another"] == list(tmp_path.iterdir())


def test_launchers_start_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has a folder of its own, though others take a new one for one that was left."""
    monkeypatch.setattr(places, "MEMORY", str(tmp_path))

    def comes_and_goes(_: int) -> bool:
        with places.NewFolder() as folder:
            return folder.exists()

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(comes_and_goes, range(400)))
    assert [] == list(tmp_path.iterdir())


def test_a_process_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a folder a process has no place, and there is nothing to clear."""
    monkeypatch.delenv(places.FOLDER, raising=False)

    assert places.folder() is None
    places.clear_the_dead()
