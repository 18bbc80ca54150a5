"""A container of a manifest as a process on this machine, and its probes, as a kubelet does it."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import requests

from tests.support import landlock
from tests.support.processes import descendants_of

from .manifests import Manifest, pod_templates, settings


class Pod:
    """A workload's container: its arguments, its settings, and a `/tmp` of its own.

    It writes to that, and to what any container has under `/dev`, and nowhere else. Its ports are
    free ones of this machine.

    Args:
        manifests: of an overlay.
        workload: which one.
        secret: what the Secret `paiute` holds.
        tmp: the folder that takes the place of its `/tmp`.
    """

    def __init__(
        self, manifests: list[Manifest], workload: str, secret: Mapping[str, str], tmp: Path
    ) -> None:
        template = pod_templates(manifests)[workload]
        [self.container] = template["spec"]["containers"]
        self.grace_seconds: int = template["spec"]["terminationGracePeriodSeconds"]
        self.tmp = tmp
        self._log = tmp.with_suffix(".log")
        self.ports = {port["name"]: _free_port() for port in self.container.get("ports", [])}
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "service.cli", *self._here(self.container["args"])],
                env=self._env(manifests, secret),
                stdout=log,
                stderr=log,
                preexec_fn=_read_only_but(tmp),  # noqa: PLW1509 - it makes system calls alone
            )

    def _env(self, manifests: list[Manifest], secret: Mapping[str, str]) -> dict[str, str]:
        _, config = settings(manifests)
        env = {name: text for name, text in os.environ.items() if "PAIUTE_" not in name}
        env |= {"TMPDIR": str(self.tmp), "PYTHONDONTWRITEBYTECODE": "1", **config}
        for variable in self.container["env"]:
            if "value" in variable:
                env[variable["name"]] = variable["value"]
                continue
            key = variable["valueFrom"]["secretKeyRef"]
            if key["key"] in secret or not key.get("optional"):
                env[variable["name"]] = secret[key["key"]]
        return dict(zip(env, self._here(list(env.values())), strict=True))

    def _here(self, words: list[str]) -> list[str]:
        """Words of the manifest, with this machine's ports and folder in them."""
        numbers = {
            str(port["containerPort"]): str(self.ports[port["name"]])
            for port in self.container.get("ports", [])
        }
        return [numbers.get(word, re.sub("^/tmp", str(self.tmp), word)) for word in words]

    @property
    def said(self) -> str:
        """What it has written to its standard output and error."""
        return self._log.read_text()

    def passes(self, probe: str) -> bool:
        """Whether a probe passes: `startupProbe`, `livenessProbe` or `readinessProbe`."""
        asked = self.container[probe]
        if "exec" in asked:
            return self._runs(asked["exec"]["command"], asked["timeoutSeconds"])
        return self.status(asked["httpGet"]["path"], asked.get("timeoutSeconds", 1)) == 200

    def _runs(self, command: list[str], seconds: float) -> bool:
        assert "python" == command[0]
        here = [sys.executable, *self._here(command[1:])]
        return (
            subprocess.run(here, check=False, timeout=seconds, capture_output=True).returncode == 0
        )

    def status(self, path: str, seconds: float = 10) -> int | None:
        """The status of an answer of its port `http`, or None where none comes in time."""
        with suppress(requests.RequestException):
            url = f"http://127.0.0.1:{self.ports['http']}{path}"
            return requests.get(url, timeout=seconds).status_code
        return None

    def ask_to_stop(self) -> None:
        """Send SIGTERM, as the kubelet does where there is no other hook."""
        assert "lifecycle" not in self.container
        self.process.send_signal(signal.SIGTERM)

    def end(self) -> None:
        """Have it gone, whatever its state."""
        for process in [*descendants_of(self.process.pid), self.process.pid]:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.process.wait()


@contextmanager
def running(
    manifests: list[Manifest], workloads: list[str], secret: Mapping[str, str], folder: Path
) -> Iterator[dict[str, Pod]]:
    """The pods of some workloads, one of each."""
    pods = {}
    try:
        for workload in workloads:
            (folder / workload).mkdir()
            pods[workload] = Pod(manifests, workload, secret, folder / workload)
        yield pods
    finally:
        for pod in pods.values():
            pod.end()


def _read_only_but(tmp: Path) -> Callable[[], None] | None:
    devices = [Path("/dev/shm"), Path("/dev/null")]
    return landlock.writing_to([tmp, *devices]) if landlock.is_there() else None


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port
