"""`python -m bench.streams`: how soon events arrive at those who follow tables by streams."""

import json
import selectors
import socket
import tempfile
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import click

from bench import cpu, players, servers
from bench.driver import STALL_SECONDS, Address, Connection, request
from bench.measure import Json, percentile
from bench.players import Seated
from service import launcher

WARM_UP_SECONDS = 2
START_SECONDS = 60
LOOKS_A_SECOND = 20
BOTS = 4


@dataclass
class Audience:
    """Connections that each follow a table.

    Args:
        delays: how many seconds each event took, from when its command was judged to here.
    """

    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    delays: list[float] = field(default_factory=list)
    snapshots: int = 0

    def add(self, address: Address, table: Seated) -> None:
        """Follow a table over a new connection."""
        line = socket.create_connection(address, timeout=STALL_SECONDS)
        accept = "Accept: application/x-ndjson\r\n"
        asked = request("GET", f"{table.path}/events").replace(
            b"Accept: application/json\r\n", accept.encode()
        )
        line.sendall(asked)
        self.selector.register(line, selectors.EVENT_READ, bytearray())

    def listen(self, seconds: float) -> None:
        """Take in what comes for so long."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for key, _ in self.selector.select(0.1):
                self._receive(key)

    def _receive(self, key: selectors.SelectorKey) -> None:
        line: socket.socket = key.fileobj  # type: ignore[assignment]
        came = line.recv(262_144)
        if not came:
            raise ConnectionError("The server has ended a stream.")
        now = time.time()
        key.data.extend(came)
        *lines, rest = bytes(key.data).split(b"\n")
        key.data[:] = rest
        for text in lines:
            if text.startswith(b"{"):
                self._note(json.loads(text), now)

    def _note(self, event: Json, now: float) -> None:
        if event["type"] == "snapshot":
            self.snapshots += 1
        else:
            self.delays.append(now - datetime.fromisoformat(event["at"]).timestamp())


class Looker(threading.Thread):
    """Somebody who looks at a table again and again, for as long as it takes."""

    def __init__(self, address: Address, table: Seated) -> None:
        super().__init__(daemon=True)
        self._address, self._table = address, table
        self._ended = threading.Event()
        self.delays: list[float] = []

    def run(self) -> None:
        """Look, some times a second."""
        connection = Connection(self._address)
        asked = request("GET", self._table.path)
        while not self._ended.wait(1 / LOOKS_A_SECOND):
            began = time.perf_counter()
            connection.ask(asked)
            self.delays.append(time.perf_counter() - began)
        connection.close()

    def stop(self) -> None:
        """End it."""
        self._ended.set()
        self.join()


def measure(streams: int, tables: int, seconds: float, many: bool, thinking_ms: int) -> Json:
    """What the audience sees of tables of bots, who think for a while before each turn."""
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="paiute-bench-")))
        service = stack.enter_context(servers.service(data, 2))
        follows = stack.enter_context(servers.streams(data, streams)) if many else service
        host = stack.enter_context(players.host(service.address))
        played = [host.table_of_bots(BOTS, thinking_ms) for _ in range(tables)]
        audience = Audience()
        with click.progressbar(range(streams), label=f"Opening {streams} streams") as places:
            for place in places:
                audience.add(follows.address, played[place % tables])
        until = time.monotonic() + START_SECONDS
        while audience.snapshots < streams and time.monotonic() < until:
            audience.listen(WARM_UP_SECONDS)
        if audience.snapshots != streams:
            raise click.ClickException(f"{audience.snapshots} of {streams} streams have begun.")
        audience.delays.clear()
        looker = Looker(service.address, played[0])
        looker.start()
        before = cpu.seconds_by_part(follows.pid)["api"]
        audience.listen(seconds)
        spent = cpu.seconds_by_part(follows.pid)["api"] - before
        looker.stop()
    return {
        "streams": streams,
        "events_per_s": len(audience.delays) / seconds,
        "delivery_ms": _percentiles(audience.delays),
        "look_ms": _percentiles(looker.delays),
        "cpu_s_per_1000_events": 1000 * spent / max(len(audience.delays), 1),
    }


def _percentiles(values: list[float]) -> dict[str, float | None]:
    return {f"p{percent}": percentile(sorted(values), percent) for percent in (50, 90, 99)}


@click.command(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.option("--streams", default=100, help="How many streams are open.")
@click.option("--tables", default=25, help="How many tables of four bots they follow.")
@click.option("--thinking", default=1000, help="Milliseconds that each bot thinks about a turn.")
@click.option("--seconds", default=20.0, help="How long it is measured.")
@click.option("--many", is_flag=True, help="From one process of `paiute streams`.")
def main(streams: int, tables: int, thinking: int, seconds: float, many: bool) -> None:
    """Measure how soon events arrive at those who follow tables, and who looks at one meanwhile.

    Without --many they follow on the API of `paiute serve`. Times are in milliseconds.
    """
    launcher.allow_connections()
    click.echo(json.dumps(measure(streams, tables, seconds, many, thinking), indent=2))


if __name__ == "__main__":
    main()
