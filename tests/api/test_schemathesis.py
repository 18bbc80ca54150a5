"""The served document and the real service, judged against each other by schemathesis."""

import os
import subprocess
import sys
from pathlib import Path

from tests.api.world import Caller
from tests.support.processes import RunningService

HOOKS = Path(__file__).with_name("schemathesis_hooks.py")
"""Says what is not to be sent, and why."""

SECONDS = 280
"""Far more than it takes; beyond it something hangs."""

CONFIG = Path(__file__).with_name("schemathesis.toml")
"""Says with reasons which answers are proper here beyond those the checks know of."""


def test_document_and_service_agree(
    service: RunningService, over_http: Caller, tmp_path: Path
) -> None:
    """No 5xx, no undocumented status, type or header, and no answer that breaks its schema."""
    # One thread: CPython 3.11 can not parse sources, as hypothesis does, in two at once.
    account = over_http.sign_up("Schemathesis", "bot").account
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG)),
        *("run", f"{service.url}/openapi.json"),
        *("--checks", "all", "--seed", "1", "--max-examples", "5", "--workers", "1"),
        *("--header", f"Authorization: Bearer {account['token']}", "--continue-on-failure"),
        *("--no-color", "--no-shrink"),
    ]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        cwd=tmp_path,
        env=os.environ | {"SCHEMATHESIS_HOOKS": str(HOOKS), "SCHEMATHESIS_ACCOUNT": account["id"]},
        check=False,
    )

    assert 0 == done.returncode, done.stdout[-8_000:] + done.stderr[-2_000:]
