"""What holds of a table by itself: its log has no gap and adds up to its state.

Tables of the first format are an exception.  Their chips came from nowhere, and were the house's
from the day on which the table was first read in the second format (`service.store.codec`).  No
entry of the log tells that day; it follows from what the house has in the state.
"""

import math
from dataclasses import dataclass, field

from service.audit.report import Misfit, Value
from service.store.accounts import Posting, cash_out_id
from service.store.books import TableBook, Unreadable
from service.tables.events import (
    BoughtIn,
    DealStarted,
    Entry,
    PlayerJoined,
    PlayerLeft,
    Settled,
    TableClosed,
)
from service.tables.table import Player, Table


@dataclass(frozen=True, slots=True)
class Arrival:
    """A buy-in that arrived at a table: whose, how many chips, at which version."""

    player: str
    amount: int
    version: int


@dataclass(frozen=True, slots=True)
class Departure:
    """Chips that left a table for an account: whose, how many, by which event."""

    player: str
    amount: int
    event: int


@dataclass(slots=True)
class TableSums:
    """What a table comes to.

    Args:
        id: its id.
        there: whether it is there; where it is not, only `back` tells something.
        chips: what is on it, by its state.
        pot: what of it is in the pot.
        house: what the house has put on it, by its state.
        arrivals: the buy-ins that arrived, by the ids of their postings.
        back: the ids of the buy-ins that went back.
        departures: the chips that left, by the ids of their postings.
        owed: the ids of the departures that are not noted as paid.
        misfit: the first thing that does not fit.
    """

    id: str
    there: bool = True
    chips: int = 0
    pot: int = 0
    house: int = 0
    arrivals: dict[str, Arrival] = field(default_factory=dict)
    back: frozenset[str] = frozenset()
    departures: dict[str, Departure] = field(default_factory=dict)
    owed: frozenset[str] = frozenset()
    misfit: Misfit | None = None

    def forget(self, posting: str, player: str) -> None:
        """Take out a movement, once it is told of that it does not fit."""
        if posting in self.arrivals and self.arrivals[posting].player == player:
            del self.arrivals[posting]
        if posting in self.departures and self.departures[posting].player == player:
            del self.departures[posting]


def sums_of(id_: str, book: TableBook | Unreadable) -> TableSums:
    """What a table comes to, and whether it obeys the laws of tables."""
    if isinstance(book, Unreadable):
        wrong = Misfit("table", id_, book.entry, book.what, "something that can be read", None)
        return TableSums(id_, misfit=wrong)
    back = frozenset(buy_in for buy_in, at in book.arrivals.items() if at is None)
    if book.table is None:
        return TableSums(id_, there=False, back=back)
    fold = _begun(id_, book, book.table)
    for line in book.log:
        fold.follow(line.commit, line.entry)
    arrivals = fold.check(book, book.table)
    return TableSums(
        id_,
        chips=book.table.chips,
        pot=book.table.pot,
        house=book.table.house,
        arrivals=arrivals,
        back=back,
        departures=fold.departures,
        owed=frozenset(posting.id for owed in book.owed.values() for posting in owed),
        misfit=fold.misfit,
    )


@dataclass(frozen=True, slots=True)
class _Joined:
    """A guest who took a seat with chips: by which event, in which commit."""

    event: int
    commit: str
    player: str
    stack: int


@dataclass(slots=True)
class _Fold:
    """What the events of a table come to so far."""

    id: str
    last: int = 0
    stacks: dict[int, int] = field(default_factory=dict)
    players: dict[int, Player] = field(default_factory=dict)
    dealt: tuple[int, ...] = ()
    pot: int = 0
    closed: bool = False
    house: int = 0
    guests: int = 0
    """What guests have brought, less what they took home."""
    marks: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0)])
    """`guests` after each event that changed it, or that is of the first format."""
    first_format: list[tuple[int, str]] = field(default_factory=list)
    """The events that are as the first format has them, and what is missing there now."""
    second_format_from: float = math.inf
    """The first event that is as only the second format has it."""
    joined: list[_Joined] = field(default_factory=list)
    departures: dict[str, Departure] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    """The last event of each commit."""
    misfit: Misfit | None = None

    def _expect(self, entry: int | None, what: str, expected: Value, found: Value) -> None:
        """Note the first thing that does not fit."""
        if expected != found and self.misfit is None:
            self.misfit = Misfit("table", self.id, entry, what, expected, found)

    def follow(self, commit: str, entry: Entry) -> None:
        """Take the next event of the log."""
        self._expect(self.last + 1, "id", self.last + 1, entry.id)
        self.last = entry.id
        self.ends[commit] = entry.id
        match entry.event:
            case PlayerJoined(seat, player, stack):
                self._join(entry, commit, seat, player, stack)
            case PlayerLeft() as left:
                self._leave(entry, left)
            case BoughtIn(seat, amount):
                self.house += amount
                self.stacks[seat] = self.stacks.get(seat, 0) + amount
            case DealStarted() as begun:
                self._deal(entry, begun)
            case Settled() as settled:
                self._settle(entry, settled)
            case TableClosed() as end:
                self._close(entry, end)

    def _join(self, entry: Entry, commit: str, seat: int, player: Player, stack: int) -> None:
        self._expect(entry.id, f"chips in seat {seat} before", None, self.stacks.get(seat))
        self.stacks[seat], self.players[seat] = stack, player
        if player.is_house_bot:
            self.house += stack
        elif stack:
            self.joined.append(_Joined(entry.id, commit, player.id, stack))
            self._guests_have(entry, stack)

    def _leave(self, entry: Entry, left: PlayerLeft) -> None:
        self._expect(entry.id, f"stack of seat {left.seat}", self.stacks.get(left.seat), left.stack)
        if left.seat in self.dealt:
            self._expect(entry.id, "seats freed in a deal", 0, len(left.cashed_out))
        elif left.cashed_out:
            self._tells_of_second_format(entry.id)
            self._expect(entry.id, "seats freed", str([left.seat]), str(list(left.cashed_out)))
            self._go_home(entry, left.cashed_out)
        else:
            self._missing(entry, "what the seat takes home")
            self._go_home(entry, {left.seat: self.stacks.get(left.seat, 0)})

    def _deal(self, entry: Entry, begun: DealStarted) -> None:
        self._expect(entry.id, "pot before", 0, self.pot)
        self.dealt = begun.seats
        for seat in begun.seats:
            self.stacks[seat] = self.stacks.get(seat, 0) - begun.ante
            if self.stacks[seat] < 0:
                self._expect(entry.id, f"stack of seat {seat}", "0 at least", self.stacks[seat])
        self.pot += begun.ante * len(begun.seats)
        self._expect(entry.id, "pot", self.pot, begun.pot)

    def _settle(self, entry: Entry, settled: Settled) -> None:
        self._expect(entry.id, "pot", self.pot, settled.pot)
        self._expect(entry.id, "sum of the shares", settled.pot, sum(settled.shares.values()))
        for seat, share in settled.shares.items():
            self.stacks[seat] = self.stacks.get(seat, 0) + share
        self.pot, self.dealt = 0, ()
        self._go_home(entry, settled.cashed_out)

    def _close(self, entry: Entry, end: TableClosed) -> None:
        self._expect(entry.id, "pot that nobody gets", 0, self.pot)
        seats = dict(self.stacks)
        if end.cashed_out:
            self._tells_of_second_format(entry.id)
            self._expect(entry.id, "seats freed", str(sorted(seats)), str(sorted(end.cashed_out)))
            self._go_home(entry, end.cashed_out)
        elif seats:
            self._missing(entry, "what the seats take home")
            self._go_home(entry, dict(seats))
        self.closed, self.stacks = True, seats  # They are still shown.

    def _go_home(self, entry: Entry, cashed_out: dict[int, int]) -> None:
        """Seats are freed, and their chips leave the table."""
        for seat, chips in cashed_out.items():
            self._expect(
                entry.id, f"chips that seat {seat} takes home", self.stacks.pop(seat, None), chips
            )
            player = self.players.get(seat)
            if player is None or player.is_house_bot:
                self.house -= chips
            elif chips:
                self._guests_have(entry, -chips)
                id_ = cash_out_id(self.id, entry.id, seat)
                self.departures[id_] = Departure(player.id, chips, entry.id)

    def _guests_have(self, entry: Entry, more: int) -> None:
        self.guests += more
        self.marks.append((entry.id, self.guests))

    def _missing(self, entry: Entry, what: str) -> None:
        self.first_format.append((entry.id, what))
        self.marks.append((entry.id, self.guests))

    def _tells_of_second_format(self, event: int) -> None:
        self.second_format_from = min(self.second_format_from, event)

    def check(self, book: TableBook, table: Table) -> dict[str, Arrival]:
        """Compare with the state and with what is kept beside it; gives the arrivals."""
        self._expect(None, "events in the log", table.version, self.last)
        self._expect(None, "last event in the log", table.version, book.last)
        arrivals = self._arrivals(book)
        self._check_house(table)
        self._check_owed(book)
        for seat in sorted(self.stacks.keys() | table.seats.keys()):
            sitting, player = table.seats.get(seat), self.players.get(seat)
            found = sitting.stack if sitting else None
            self._expect(None, f"stack of seat {seat}", self.stacks.get(seat), found)
            if sitting and player:
                self._expect(None, f"player in seat {seat}", player.id, sitting.player.id)
        self._expect(None, "pot", self.pot, table.pot)
        chips = 0 if self.closed else self.pot + sum(self.stacks.values())
        self._expect(None, "chips", chips, table.chips)
        return arrivals

    def _arrivals(self, book: TableBook) -> dict[str, Arrival]:
        """Each arrival with the guest who took a seat in the same commit, each of them once."""
        waiting = list(self.joined)
        arrivals = {}
        for id_, version in sorted(book.arrivals.items()):
            if version is None:
                continue
            joined = next((one for one in waiting if self.ends[one.commit] == version), None)
            if joined is None:
                self._expect(version, f"player_joined of the buy-in {id_}", "there", None)
                continue
            waiting.remove(joined)
            arrivals[id_] = Arrival(joined.player, joined.stack, version)
            self._tells_of_second_format(joined.event)
        for joined in waiting:
            self.first_format.append((joined.event, f"arrival of the buy-in of {joined.player}"))
        return arrivals

    def _check_house(self, table: Table) -> None:
        """What the house has there, with what it took over from a table of the first format."""
        taken_over = table.house - self.house
        since = self._first_format_until(taken_over) if self.first_format else 0
        if since is None:
            self._expect(*min(self.first_format), "there", None)
        elif not self.first_format:
            self._expect(None, "chips of the house", self.house, table.house)
        else:
            self.departures = {
                id_: out for id_, out in self.departures.items() if out.event > since
            }

    def _first_format_until(self, taken_over: int) -> int | None:
        """The event up to which the table was of the first format; None where it never was."""
        since = max(event for event, _ in self.first_format)
        for event, guests in self.marks:
            if since <= event < self.second_format_from and guests == taken_over:
                return event
        return None

    def _check_owed(self, book: TableBook) -> None:
        for version, owed in sorted(book.owed.items()):
            for posting in owed:
                self._check_posting(version, posting)
            due = "there" if version in book.due else None
            self._expect(version, "due entry of what is owed", "there", due)

    def _check_posting(self, version: int, posting: Posting) -> None:
        out = self.departures.get(posting.id)
        owed = out.amount if out else None
        self._expect(version, f"owed as {posting.id}", owed, posting.amount)
        if out:
            self._expect(version, f"owed as {posting.id} to", out.player, posting.player)


def _begun(id_: str, book: TableBook, table: Table) -> _Fold:
    """What the events of a table begin with: nothing, where the log has its first one.

    Only that of a sandbox match may lack some.  No chips are in play there, so nobody had any, and
    all of its seats are in each deal.
    """
    first = book.log[0].entry.id if book.log else 1
    if table.sandbox is None or first == 1:
        return _Fold(id_)
    seats = tuple(range(1, table.sandbox.players + 1))  # A guest who has left was in one too.
    players = {number: seat.player for number, seat in table.seats.items()}
    return _Fold(id_, first - 1, dict.fromkeys(seats, 0), players, dealt=seats)
