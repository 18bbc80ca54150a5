"""Runs a module of the bench as people do."""

import subprocess
import sys


def run(module: str, *options: str) -> str:
    """What `python -m MODULE` prints."""
    command = [sys.executable, "-m", module, *options]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=280)
    return done.stdout
