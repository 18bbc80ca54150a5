"""Plays a table's log again by the rules: the proof that nothing was lost, doubled or made up."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from service.engine import rules
from service.engine.commands import Call, Command, Cut, Discard, Draw, Fold, Source
from service.engine.deal import Deal, Phase, new_deal
from service.engine.events import (
    Called,
    CardDiscarded,
    CardDrawn,
    DealEvent,
    DealVoided,
    DeckCut,
    Folded,
    StockRenewed,
)
from service.store.base import Store
from service.tables import Table
from service.tables.events import (
    BoughtIn,
    DealStarted,
    Entry,
    PlayerJoined,
    PlayerLeft,
    Settled,
    TableEvent,
)

PAGE = 2000


def log_of(store: Store, table_id: str) -> list[Entry]:
    """A table's whole log; its versions have no gap."""
    log: list[Entry] = []
    while page := store.entries(table_id, len(log), PAGE):
        log += page
    assert list(range(1, len(log) + 1)) == [entry.id for entry in log]
    return log


@dataclass
class Replay:
    """What a log comes to: deals begun and settled, turns, and the chips in the stacks."""

    table: Table
    store: Store
    deals: int = 0
    settled: int = 0
    turns: int = 0
    longest_gap: float = 0
    """The longest time between two events, in seconds."""
    stacks: dict[int, int] = field(default_factory=dict)
    deal: Deal | None = None
    pot: int = 0

    def follow(self, event: TableEvent, following: Iterator[Entry]) -> None:
        """Take the next event of the log."""
        match event:
            case PlayerJoined(seat=seat, stack=stack):
                self.stacks[seat] = stack
            case PlayerLeft(seat=seat) if self.deal is None or seat not in self.deal.seats:
                del self.stacks[seat]
            case BoughtIn(seat=seat, amount=amount):
                self.stacks[seat] += amount
            case DealStarted():
                self._begin(event)
            case Settled():
                self._settle(event)
            case (
                DealVoided()
                | DeckCut()
                | CardDrawn()
                | CardDiscarded()
                | Called()
                | Folded()
                | StockRenewed()
            ):
                assert self.deal is not None
                self.deal = _applied(self.deal, event, following)
                self.turns += isinstance(event, CardDiscarded | Called)

    def _begin(self, event: DealStarted) -> None:
        self.deals += 1
        assert self.deals == event.number
        now = self.table
        if event.number == now.number and now.result is None:
            assert now.deal is not None
            seed = now.deal.seed
        else:
            seed = self.store.record(now.id, event.number).seed
        self.deal = new_deal(seed, event.seats, event.ante, now.settings.rules)
        for seat in event.seats:
            self.stacks[seat] -= event.ante
        self.pot = event.pot

    def _settle(self, event: Settled) -> None:
        assert self.deal is not None
        assert Phase.OVER is self.deal.phase
        assert (event.number, self.pot) == (self.deals, sum(event.shares.values()))
        self.settled += 1
        self.deal = None
        for seat, share in event.shares.items():
            self.stacks[seat] += share
        for seat, taken_home in event.cashed_out.items():
            assert taken_home == self.stacks.pop(seat)


def replay(store: Store, table_id: str) -> Replay:
    """Check every event of a table against the rules, and the chips against the events.

    Each deal is dealt again from its seed; every command that its events tell of has to be legal
    in its turn, and has to make just these events.
    """
    table = store.load(table_id)
    found = Replay(table, store)
    log = log_of(store, table_id)
    events = iter(log)
    for entry in events:
        found.follow(entry.event, events)
    assert {number: seat.stack for number, seat in table.seats.items()} == found.stacks
    assert found.deal in (None, table.deal)
    gaps = (later.at - earlier.at for earlier, later in pairwise(log))
    found.longest_gap = max(gaps, default=0) / 1000
    return found


def _applied(deal: Deal, event: DealEvent, following: Iterator[Entry]) -> Deal:
    """The deal after the command that an event tells of, which has to make just this event."""
    happened: tuple[DealEvent, ...] = (event,)
    drawn = event
    if isinstance(event, StockRenewed):
        drawn = next(following).event  # type: ignore[assignment]
        happened = (event, drawn)
    seat, command = _command(drawn)
    after, made = rules.apply(deal, seat, command)  # The rules don't know who made a cut.
    assert made == tuple(
        replace(one, by=None) if isinstance(one, DeckCut) else one for one in happened
    )
    return after


def _command(event: DealEvent) -> tuple[int, Command]:
    match event:
        case DeckCut(seat=seat):
            return seat, Cut(event.position, event.entropy)
        case CardDrawn(seat=seat, source=source):
            return seat, Draw(source)
        case CardDiscarded(seat=seat, card=card):
            return seat, Discard(card)
        case Called(seat=seat, discarded=card):
            return seat, Call(card)
        case Folded(seat=seat):
            return seat, Fold()
        case DealVoided(seat=seat) if seat is not None:
            return seat, Draw(Source.STOCK)
    raise AssertionError(event)
