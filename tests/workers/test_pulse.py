"""A pulse tells others on the machine whether a process goes on."""

import os
import subprocess
import sys
import time
from pathlib import Path

from workers import pulse


def probe(file: Path) -> tuple[int, str]:
    """What the command says of a pulse that may be a minute old: its status, and its complaint."""
    command = [sys.executable, "-m", "workers.pulse", str(file), "60"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=30)
    return done.returncode, done.stderr


def test_a_beat_is_heard(tmp_path: Path) -> None:
    """After a beat the process lives, and after another one, though the first was long ago."""
    file = tmp_path / "pulse"
    pulse.beat(str(file))
    assert (0, "") == probe(file)
    os.utime(file, (0, 0))
    pulse.beat(str(file))
    assert (0, "") == probe(file)


def test_silence_is_noticed(tmp_path: Path) -> None:
    """Where there was no beat for so long the status is 1, and says for how long."""
    file = tmp_path / "pulse"
    pulse.beat(str(file))
    ago = time.time() - 90.4
    os.utime(file, (ago, ago))
    status, said = probe(file)
    assert (1, True) == (status, said.startswith(f"No beat of {file} for 9"))


def test_no_beat_at_all_is_noticed(tmp_path: Path) -> None:
    """A process that never began does not live."""
    assert (1, f"No beat of {tmp_path / 'none'} for inf seconds.\n") == probe(tmp_path / "none")


def test_nothing_is_written_unless_asked_for(tmp_path: Path) -> None:
    """Without a file, and where none can be written, a beat does nothing and harms nobody."""
    pulse.beat("")
    pulse.beat(str(tmp_path / "no folder" / "pulse"))
    assert [] == list(tmp_path.iterdir())
