"""`paiute serve` as a process: how it starts, what it refuses, and that it ends without a trace."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests.support.processes import descendants_of
from tests.support.waiting import wait_until

STOP_SECONDS = 15
"""A few seconds on an idle machine."""


class Serve:
    """A `paiute serve` whose outputs go to files, in a session of its own like a terminal's."""

    def __init__(
        self, folder: Path, *options: str, data: Path | None = None, **settings: str
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.data = data or folder / "data"
        self._out, self._err = folder / "out", folder / "err"
        env = {name: text for name, text in os.environ.items() if not name.startswith("PAIUTE_")}
        arguments = ["--port", "0", "--workers", "1", "--data", str(self.data), *options]
        with self._out.open("w") as out, self._err.open("w") as err:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "service.cli", "serve", *arguments],
                stdout=out,
                stderr=err,
                env=env | settings,
                start_new_session=True,
            )

    @property
    def out(self) -> str:
        """What it has printed."""
        return self._out.read_text()

    @property
    def err(self) -> str:
        """What it has complained of."""
        return self._err.read_text()

    def address(self) -> str:
        """The address in the first line, once it is there."""
        wait_until(lambda: "\n" in self.out or self.process.poll() is not None)
        first = self.out.splitlines()[0]
        assert first.startswith("paiute: http://"), self.err
        return first.removeprefix("paiute: ")

    def descendants(self) -> list[int]:
        """All processes that it has started, and theirs."""
        return descendants_of(self.process.pid)

    def end(self) -> None:
        """End it, whatever state it is in, and the descendants that are left."""
        with contextlib.suppress(ProcessLookupError):
            self.process.terminate()
        self.process.wait(60)


def is_there(process: int) -> bool:
    """Whether a process runs; one that nobody has waited for does not."""
    with contextlib.suppress(OSError):
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
        return state != "Z"
    return False


@pytest.fixture
def started() -> Iterator[list[Serve]]:
    """What a test has started, which is ended after it."""
    serves: list[Serve] = []
    yield serves
    for serve in serves:
        serve.end()


def test_it_starts_refuses_a_second_and_stops(tmp_path: Path, started: list[Serve]) -> None:
    """It prints its address, keeps its data to itself, and SIGTERM ends all of it with 0."""
    serve = Serve(tmp_path / "one")
    started.append(serve)
    url = serve.address()
    assert url.startswith("http://127.0.0.1:")
    assert [f"paiute: {url}"] == serve.out.splitlines()
    assert 200 == wait_until(lambda: status(f"{url}/v1/rules"))
    assert f"{url}/docs" in serve.err

    second = Serve(tmp_path / "two", data=serve.data)
    started.append(second)
    assert 1 == second.process.wait(30)
    assert "" == second.out
    assert f"Error: The data in {serve.data} is in use by another `paiute serve`" in second.err
    assert "Traceback" not in second.err
    assert 200 == status(f"{url}/v1/rules"), "the first goes on"

    family = serve.descendants()
    assert len(family) >= 7
    begun = time.monotonic()
    serve.process.terminate()
    assert 0 == serve.process.wait(STOP_SECONDS)
    assert time.monotonic() - begun < STOP_SECONDS
    assert [] == [process for process in family if is_there(process)]
    assert "Traceback" not in serve.err


def status(url: str) -> int | None:
    """The status of an answer, if there is one."""
    with contextlib.suppress(requests.ConnectionError):
        return requests.get(url, timeout=10).status_code
    return None


def test_killed_it_leaves_no_orphans(tmp_path: Path, started: list[Serve]) -> None:
    """After kill -9 of the launcher the API, the workers and the store end too.

    The path of the data is too long for a socket here, and has spaces.
    """
    data = tmp_path / ("a long name " * 10).strip() / "data"
    serve = Serve(tmp_path / "one", data=data)
    started.append(serve)
    url = serve.address()
    assert 200 == wait_until(lambda: status(f"{url}/v1/rules"))
    family = serve.descendants()
    serve.process.kill()
    wait_until(lambda: not any(map(is_there, family)), STOP_SECONDS)
    assert status(f"{url}/v1/rules") is None
    again = Serve(tmp_path / "two", data=data)
    started.append(again)
    again.address()


def test_ctrl_c(tmp_path: Path, started: list[Serve]) -> None:
    """Ctrl-C, which a terminal sends to the whole group, ends it as quietly as SIGTERM does."""
    serve = Serve(tmp_path / "one")
    started.append(serve)
    serve.address()
    family = serve.descendants()
    for _ in range(2):
        os.killpg(serve.process.pid, signal.SIGINT)
    assert 0 == serve.process.wait(STOP_SECONDS)
    assert [] == [process for process in family if is_there(process)]
    assert "Traceback" not in serve.err


def test_a_port_in_use(tmp_path: Path, started: list[Serve]) -> None:
    """A port that somebody else has is refused with a plain message, and nothing is started."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        serve = Serve(tmp_path / "one", "--port", str(port))
        started.append(serve)
        assert 1 == serve.process.wait(30)
    assert f"Error: Cannot listen on 127.0.0.1:{port}: Address already in use." in serve.err
    assert "Traceback" not in serve.err
    assert "" == serve.out
    assert not serve.data.exists()


def test_a_store_that_can_not_start(tmp_path: Path, started: list[Serve]) -> None:
    """Where the store can't read its data, it is said at once and nothing is left running."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "appendonlydir").write_text("not a folder")
    serve = Serve(tmp_path / "one", data=data)
    started.append(serve)
    assert 1 == serve.process.wait(15)
    assert f"Error: The store on {data} has not started" in serve.err
    assert "Traceback" not in serve.err
    assert "" == serve.out


def test_a_wrong_setting(tmp_path: Path, started: list[Serve]) -> None:
    """A setting that does not fit is refused with a reason, and no address is printed."""
    serve = Serve(tmp_path / "one", PAIUTE_GRANT="plenty")
    started.append(serve)
    assert 1 == serve.process.wait(30)
    assert "Error: PAIUTE_GRANT takes a whole number, not 'plenty'." in serve.err
    assert "Traceback" not in serve.err
    assert "" == serve.out


@pytest.mark.parametrize("place", ["file/data", "/proc/data"])
def test_a_folder_that_can_not_be(tmp_path: Path, started: list[Serve], place: str) -> None:
    """A data folder that can't be made is refused with a plain message that names it."""
    (tmp_path / "file").touch()
    data = tmp_path / place
    serve = Serve(tmp_path / "one", data=data)
    started.append(serve)
    assert 1 == serve.process.wait(30)
    assert f"Error: Cannot keep data in {data}: " in serve.err
    assert "Choose a folder that can be written with --data." in serve.err
    assert "Traceback" not in serve.err
    assert "" == serve.out


@pytest.mark.parametrize("name", ["secret", "lock"])
def test_a_file_that_can_not_be_written(tmp_path: Path, started: list[Serve], name: str) -> None:
    """Where a file in the data folder can't be written the message is as plain."""
    (tmp_path / "data" / name).mkdir(parents=True)
    serve = Serve(tmp_path / "one", data=tmp_path / "data")
    started.append(serve)
    assert 1 == serve.process.wait(30)
    assert f"Error: Cannot keep data in {tmp_path / 'data'}: " in serve.err
    assert "Traceback" not in serve.err


@pytest.mark.parametrize("starts", [True, False])
def test_nothing_is_left_of_a_long_path(tmp_path: Path, started: list[Serve], starts: bool) -> None:
    """Where the socket does not fit into the data folder, its own folder goes in the end."""
    data = tmp_path / ("a long name " * 10).strip() / "data"
    data.mkdir(parents=True)
    if not starts:
        (data / "appendonlydir").write_text("not a folder")
    with tempfile.TemporaryDirectory(prefix="paiute-") as temporary:
        serve = Serve(tmp_path / "one", data=data, TMPDIR=temporary)
        started.append(serve)
        if starts:
            serve.address()
            assert 1 == len(list(Path(temporary).iterdir()))
            serve.process.terminate()
        assert (0 if starts else 1) == serve.process.wait(STOP_SECONDS)
        assert [] == list(Path(temporary).iterdir())
