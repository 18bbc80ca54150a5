"""One run: the service, the load on it, the faults, and what is found."""

import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from service.tables.followups import Kind
from tests.chaos import leftovers
from tests.chaos.caller import Caller
from tests.chaos.clustered import ClusterSystem
from tests.chaos.delays import Delays, measure
from tests.chaos.faults import Fault, schedule
from tests.chaos.findings import Findings, Law
from tests.chaos.journal import Journal, Outcome
from tests.chaos.moves import compare
from tests.chaos.players import Evening, Player, Watcher
from tests.chaos.system import USUAL, Size, System
from tests.chaos.watch import Watch

TICK_SECONDS = 0.05
BOT_TABLES = 0.4
"""How many of the tables are of bots alone."""

PLAYERS_A_TABLE = 2.5
SETTLE_SECONDS = 40
"""How long everything may take to come to its end once the faults are over."""

STILL_SECONDS = 15
"""How late something due may be, counted from when the needed parts are back."""


@dataclass
class Result:
    """What a run has come to."""

    seed: int
    seconds: float
    findings: Findings
    counts: Counter[str]
    refusals: Counter[str]
    kills: Counter[str]
    kills_at_work: int
    halts: Counter[str]
    deaths: Counter[str]
    traffic: Counter[str]
    delays: dict[Kind, Delays]
    tables: int = 0
    deals: int = 0
    turns: int = 0
    events: int = 0
    moved: int = 0
    audit: str = ""
    faults: list[str] = field(default_factory=list)


class Run:
    """A run, and where it is.

    Args:
        seed: fixes the faults, and what the clients would do if time were the same.
        seconds: how long there are faults.
        tables: how many tables there are at a time, more or less.
        tell: is given a line now and then.
        size: how many processes of the service there are.
    """

    def __init__(
        self,
        seed: int,
        seconds: float,
        tables: int,
        tell: Callable[[str], object] = bool,
        size: Size = USUAL,
    ) -> None:
        self.seed, self.seconds, self.tables = seed, seconds, tables
        self.tell, self.size = tell, size
        self.folder = Path(tempfile.mkdtemp(prefix="paiute-chaos-"))
        self.journal, self.findings = Journal(), Findings()
        self.faults: list[str] = []
        self._over = threading.Event()
        self._audit = ""

    def play(self) -> Result:
        """Everything from the first process to the last check."""
        make = ClusterSystem if self.size.nodes else System
        system, usual = make(self.folder, self.seed, self.size), threading.excepthook
        threading.excepthook = self._failed
        try:
            system.start()
            return self._play(system)
        finally:
            self._over.set()
            system.close()
            threading.excepthook = usual

    def _failed(self, what: threading.ExceptHookArgs) -> None:
        """Note that a client, or the watch, has raised."""
        trace = "".join(
            traceback.format_exception(what.exc_type, what.exc_value, what.exc_traceback)
        )
        self.findings.add(Law.HARNESS, f"{what.thread and what.thread.name}: {trace}")

    def _play(self, system: System) -> Result:
        watch = Watch(
            system.store_url,
            Caller(system.url, Random(), self.journal, self.findings),
            self.journal,
            self.findings,
        )
        players = self._players(system)
        for thread in (watch, *players):
            thread.start()
        self._strike(system, watch)
        self._settle(system, watch, players)
        self._check(system, watch)
        watch.close()
        system.close()
        return self._outcomes(system, watch)

    def _players(self, system: System) -> list[Player]:
        evening = Evening(
            self.seed, system.url, system.bad_url, self.journal, self.findings, self._over
        )
        bots = max(1, round(self.tables * BOT_TABLES))
        people = max(2, round((self.tables - bots) * PLAYERS_A_TABLE))
        return [
            Watcher("watcher", evening, bots),
            *(Player(f"player {number}", evening) for number in range(1, people + 1)),
        ]

    def _strike(self, system: System, watch: Watch) -> None:
        """Let the faults happen, each at its time."""
        began = time.monotonic()
        faults = list(schedule(self.seed, self.seconds, self.size))
        while (now := time.monotonic() - began) < self.seconds:
            system.look_after()
            while faults and faults[0].at <= now:
                self._note(faults[0])
                faults.pop(0).strike(system)
            self.tell(self._progress(now, system, watch))
            time.sleep(TICK_SECONDS)

    def _note(self, fault: Fault) -> None:
        self.faults.append(f"{fault.at:7.1f}  {fault}")
        with (self.folder / "faults.log").open("a") as log:
            log.write(f"{time.time():.3f} {self.faults[-1]}\n")

    def _progress(self, now: float, system: System, watch: Watch) -> str:
        last = self.faults[-1].split(maxsplit=1)[1] if self.faults else "no fault yet"
        return (
            f"{now:4.0f} of {self.seconds:.0f} s, {system.kills.total()} kills, "
            f"{self.journal.counts[Outcome.ACKNOWLEDGED]:,} acknowledged, "
            f"{sum(one.deals for one in list(watch.followers.values())):,} deals, "
            f"{self.findings.total} violations; {last}"
        )

    def _settle(self, system: System, watch: Watch, players: list[Player]) -> None:
        """End the faults, let everybody go home, and see that every table comes to its end."""
        system.calm()
        self._over.set()
        self.tell("the faults are over; waiting for the clients to leave")
        leftovers.check_clients(players, system, self.findings, 2 * SETTLE_SECONDS)
        watch.stop.set()
        watch.join()
        leftovers.check_tables(watch, system, self.findings, SETTLE_SECONDS)
        leftovers.check_chips(watch, system, self.findings, SETTLE_SECONDS)

    def _check(self, system: System, watch: Watch) -> None:
        """The checks of the whole."""
        self.tell("comparing what the API tells with the logs")
        for table_id in watch.followers:
            while watch.behind(table_id) and watch.ask_api(table_id):
                system.look_after()
            if watch.behind(table_id):
                self.findings.add(Law.TOLD, f"table {table_id} is told in part only")
        self.tell("stopping everything but the store")
        system.stop(but=system.stores)
        watch.look()
        requests = self.journal.since(0)
        clients = {one.player for one in requests}
        for table_id, log in watch.logs().items():
            at_table = [one for one in requests if one.table == table_id]
            for law, example in compare(log, at_table, clients):
                self.findings.add(law, example)
        leftovers.check_made(watch, self.journal, self.findings)
        leftovers.check_errors(self.folder, self.findings)
        self._audit = leftovers.check_accounts(system, self.findings)

    def _outcomes(self, system: System, watch: Watch) -> Result:
        followers = watch.followers.values()
        waits = [wait for follower in followers for wait in follower.waits]
        delays = measure(waits, system.outages)
        for found in delays.values():
            for seconds, wait in found.longest:
                if seconds > STILL_SECONDS:
                    self.findings.add(Law.STANDS, f"{wait}: {seconds:.1f} s")
        return Result(
            self.seed,
            self.seconds,
            self.findings,
            self.journal.counts,
            self.journal.refusals,
            system.kills,
            system.kills_at_work,
            system.halts,
            system.deaths,
            system.traffic,
            delays,
            tables=len(followers),
            deals=sum(one.settled for one in followers),
            turns=sum(one.turns for one in followers),
            events=sum(one.version for one in followers),
            moved=system.moved,
            audit=self._audit,
            faults=self.faults,
        )
