"""A table's log, followed as it grows: is it whole, does it keep the rules, what was due when."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Any, cast

from redis import Redis

from service.engine.deal import Phase
from service.engine.events import (
    Called,
    CardDiscarded,
    CardDrawn,
    DealVoided,
    DeckCut,
    Folded,
    StockRenewed,
)
from service.store import codec, keys
from service.store.base import Store
from service.tables import Status, Table
from service.tables.events import (
    DealStarted,
    Entry,
    PlayerJoined,
    PlayerLeft,
    Settled,
    TableClosed,
    TableEvent,
    TurnTimedOut,
    WaitingForPlayers,
)
from service.tables.followups import STAND_IN_MS, Kind
from service.tables.records import DealRecord
from service.tables.table import CUT_SECONDS
from tests.support.replay import Replay

Move = DeckCut | StockRenewed | CardDrawn | CardDiscarded | Called | DealVoided
BEGINNINGS = DeckCut | CardDiscarded | Called | DealVoided | DealStarted | Settled
PAGE = 2000


@dataclass(frozen=True)
class Logged:
    """An entry of a log, and the commit that wrote it."""

    entry: Entry
    commit: bytes


@dataclass(frozen=True)
class Wait:
    """Something that was due at a table and was done; times in milliseconds since 1970."""

    table: str
    kind: Kind
    due: int
    done: int


def read(redis: Redis, table_id: str, after: int) -> list[Logged]:
    """What a log has after a version."""
    log = keys.keys_of(table_id).log(table_id)
    found: list[Logged] = []
    while True:
        page = cast(Any, redis.xrange(log, f"({after}-0", "+", count=PAGE))
        for _, fields in page:
            found.append(Logged(codec.load_entry(fields[b"entry"]), fields[b"commit"]))
        if len(page) < PAGE:
            return found
        after = found[-1].entry.id


def commits(log: Iterable[Logged]) -> Iterator[list[Entry]]:
    """The entries of a log, those of one commit together."""
    for _, together in groupby(log, key=lambda one: one.commit):
        yield [one.entry for one in together]


class Records:
    """The records that some entries need, fetched before any of them is taken."""

    def __init__(self, store: Store, log: list[Logged], table: Table) -> None:
        begun = [one.entry.event for one in log if isinstance(one.entry.event, DealStarted)]
        over = [one.number for one in begun if one.number < table.number or table.result]
        self._records: dict[int, DealRecord] = {
            number: store.record(table.id, number) for number in over
        }

    def record(self, _table_id: str, number: int) -> DealRecord:
        """The record of a finished deal."""
        return self._records[number]


@dataclass
class Follower(Replay):
    """Plays a growing log by the rules, and notes what was due when, and when it was done."""

    log: list[Logged] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)
    pending: tuple[Kind, int] | None = None
    """What the log says is due next, and when."""
    _since: int = 0
    _bots: set[int] = field(default_factory=set)
    _stand_ins: set[int] = field(default_factory=set)
    _waiting: bool = True
    closed: bool = False

    def __post_init__(self) -> None:
        self._source = self.store

    @property
    def version(self) -> int:
        """How far it has come."""
        return len(self.log)

    def go_on(self, log: list[Logged], table: Table) -> None:
        """Take the entries that follow, and the table as it was after them, or later.

        Raises:
            AssertionError: they break a law.
            Unavailable: the store can't be reached; nothing is taken.
        """
        self.store = cast(Store, Records(self._source, log, table))
        self.table = table
        ids = [one.entry.id for one in log]
        assert list(range(self.version + 1, self.version + len(log) + 1)) == ids, "a gap"
        times = [one.entry.at for one in (*self.log[-1:], *log)]
        assert all(earlier <= later for earlier, later in pairwise(times)), "time goes back"
        self.log += log
        for entries in commits(log):
            self._note_done(entries)
            self._take(entries)
            self.pending = self._next()
        if self.version == table.version:
            assert {n: seat.stack for n, seat in table.seats.items()} == self.stacks, "stacks"
            assert self.deal in (None, table.deal), "the deal"
            assert (table.status is Status.CLOSED) == self.closed, "closed"

    def _take(self, entries: list[Entry]) -> None:
        events = iter(entries)
        for entry in events:
            event, turn = entry.event, self.deal.turn if self.deal else None
            self._check_chips(event)
            self.follow(event, events)
            self._note_who_plays(event)
            if self._begins_a_wait(event, turn):
                self._since = entry.at
        if self._by_player(entries):
            self._stand_ins -= {entries[0].event.seat}  # type: ignore[union-attr]

    def _note_who_plays(self, event: TableEvent) -> None:
        match event:
            case PlayerJoined(seat=seat, player=player):
                self._stand_ins -= {seat}
                self._bots = self._bots | {seat} if player.is_house_bot else self._bots - {seat}
            case TurnTimedOut(seat=seat, handed_to_bot=True):
                self._stand_ins |= {seat}
            case DealStarted():
                self._waiting = False
            case WaitingForPlayers():
                self._waiting = True
            case TableClosed():
                self.closed = True

    def _begins_a_wait(self, event: TableEvent, turn: int | None) -> bool:
        """Whether the time of what is waited for next begins with an event."""
        match event:
            case Folded():
                return self.deal is None or self.deal.turn != turn
            case TurnTimedOut(handed_to_bot=handed):
                return handed
        return isinstance(event, BEGINNINGS)

    def _by_player(self, entries: list[Entry]) -> bool:
        """Whether a move is a player's own, who so takes the seat back; a stand-in is slower."""
        event = entries[0].event
        own = isinstance(event, Move) and len(entries) == 1
        early = self.pending is not None and entries[0].at < self.pending[1]
        return own and (early or isinstance(event, CardDrawn))

    def _check_chips(self, event: TableEvent) -> None:
        """What leavers are said to have, and to take home, is what is in front of them."""
        match event:
            case PlayerLeft(seat=seat, stack=stack, cashed_out=home):
                assert stack == self.stacks[seat], "the stack of a leaver"
                assert home in ({}, {seat: stack}), "what a leaver takes home"
            case TableClosed(cashed_out=home):
                assert home == self.stacks, "what is taken home at the end"

    def _next(self) -> tuple[Kind, int] | None:
        """What is due now (docs/design.md, "What must happen next is data")."""
        settings, deal = self.table.settings, self.deal
        if self.closed or self._waiting:
            return None
        if deal is None:
            return "next_deal", self._since + 1000 * settings.pause_seconds
        if deal.phase is Phase.OVER or deal.turn is None:
            return "settle", self._since
        if deal.turn in self._bots | self._stand_ins:
            least = 0 if deal.turn in self._bots else STAND_IN_MS
            return "play_bot", self._since + max(settings.thinking_ms, least)
        seconds = settings.turn_seconds
        if deal.phase is Phase.CUT:
            seconds = min(CUT_SECONDS, seconds or CUT_SECONDS)
        return ("expire_turn", self._since + 1000 * seconds) if seconds else None

    def _note_done(self, entries: list[Entry]) -> None:
        """Whether a commit is what was due, and how long it has taken."""
        if self.pending is None:
            return
        kind, due = self.pending
        first = entries[0]
        match kind:
            case "expire_turn":
                done = isinstance(first.event, TurnTimedOut)
                assert not done or first.at >= due, "a clock fired early"
            case "settle":
                done = any(isinstance(entry.event, Settled) for entry in entries)
            case "next_deal":
                kinds = DealStarted | WaitingForPlayers
                done = any(isinstance(entry.event, kinds) for entry in entries)
            case _:
                turn = self.deal.turn if self.deal else None
                done = isinstance(first.event, Move) and turn == getattr(first.event, "seat", turn)
                done = done and first.at >= due
        if done:
            self.waits.append(Wait(self.table.id, kind, due, first.at))
