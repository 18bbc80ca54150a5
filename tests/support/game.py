"""The application over a store in memory, with a clock and a queue that tests hold in hand."""

from collections.abc import Iterator

from service.game import Game
from service.store.base import Due, Store, Unavailable
from service.store.memory import MemoryStore
from service.store.queues import QueueHealth
from service.tables import Player, Table, followup
from tests.support.tables import GUEST, HOST, START, open_account, settings


class FakeClock:
    """A clock that stands still until it is moved on."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        """The time in milliseconds since 1970."""
        return self.now

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.now += round(seconds * 1000)


class KeptQueue:
    """A queue that keeps its jobs until somebody works on them; `away` is out of reach."""

    def __init__(self) -> None:
        self.jobs: list[Due] = []
        self.away = False

    def enqueue(self, due: Due) -> None:
        """Put a job on the queue."""
        if self.away:
            raise Unavailable("The job queues can't be reached now.")
        self.jobs.append(due)

    def health(self) -> tuple[QueueHealth, ...]:
        """One queue, without workers."""
        return (QueueHealth("bots", len(self.jobs), None, 0, 0),)


class Played:
    """A game whose jobs are done by hand."""

    def __init__(self, store: Store | None = None) -> None:
        self.clock = FakeClock()
        self.queue = KeptQueue()
        self.store = store or MemoryStore()
        self.game = Game(self.store, self.queue, grant=1000, clock=self.clock)
        for player in (HOST, GUEST):
            open_account(self.store, player)

    def table(self, *levels: str, joiners: tuple[Player, ...] = (), **changed: object) -> Table:
        """A new table of the host with these bots, and then these players."""
        table = self.game.create_table(HOST, settings(**changed), levels)
        for player in joiners:
            open_account(self.store, player)
            table = self.game.join(table.id, player, code=table.invite_code)
        return table

    def work(self) -> list[Due]:
        """Do all jobs, and those that come of them; gives what was done."""
        return list(self._work())

    def _work(self) -> Iterator[Due]:
        while self.queue.jobs:
            due = self.queue.jobs.pop(0)
            self.game.run(due)
            yield due

    def sweep(self) -> list[Due]:
        """Do what the due index has for now, once."""
        due = self.store.claim_due(self.clock.now, self.clock.now + 1500, 100)
        for one in due:
            self.game.run(one)
        return list(due)

    def due(self, table_id: str) -> Due:
        """What is due next at a table."""
        table = self.store.load(table_id)
        pending = followup(table)
        assert pending is not None
        return Due(pending.kind, table_id, table.version)

    def events(self, table_id: str) -> list[str]:
        """The types of all events of a table."""
        return [entry.event.type for entry in self.store.entries(table_id, 0, 100_000)]
