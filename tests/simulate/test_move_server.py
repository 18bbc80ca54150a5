"""The example of a bot that answers the simulator over HTTP."""

import re
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from service.cli import main

ROOT = Path(__file__).parents[2]


def test_the_example_plays() -> None:
    """The example plays whole deals without an illegal move."""
    command = [sys.executable, str(ROOT / "examples/move_server.py"), "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            (url,) = re.findall(r"http://[\d.:]+", server.stdout.readline())
            asked = ["simulate", "--levels", "easy", "--bot", f"mine={url}", "--deals", "5"]
            got = CliRunner().invoke(main, asked)
        finally:
            server.terminate()

    assert 0 == got.exit_code, got.output
    assert "No illegal move" in got.output
