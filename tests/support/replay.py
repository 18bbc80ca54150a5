"""Plays a table's log again by the rules: the proof that nothing was lost, doubled or made up."""

from collections.abc import Iterator
from dataclasses import dataclass

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
from service.tables.events import BoughtIn, DealStarted, Entry, PlayerJoined, PlayerLeft, Settled

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

    deals: int = 0
    settled: int = 0
    turns: int = 0
    stacks: dict[int, int] | None = None
    longest_gap: float = 0


def replay(store: Store, table_id: str) -> Replay:
    """Check every event of a table against the rules, and the chips against the events.

    Each deal is dealt again from its seed; every command that its events tell of has to be legal
    in its turn, and has to make just these events.
    """
    table = store.load(table_id)
    found, stacks, deal, pot = Replay(), dict[int, int](), None, 0
    log = log_of(store, table_id)
    events = iter(log)
    for entry in events:
        match event := entry.event:
            case PlayerJoined(seat=seat, stack=stack):
                stacks[seat] = stack
            case PlayerLeft(seat=seat) if deal is None or seat not in deal.seats:
                del stacks[seat]
            case BoughtIn(seat=seat, amount=amount):
                stacks[seat] += amount
            case DealStarted():
                found.deals += 1
                assert found.deals == event.number == entry.deal
                settled = event.number != table.number or table.result is not None
                deal = _begun(store, table_id, event) if settled else table.deal
                assert deal is not None
                deal = new_deal(deal.seed, event.seats, event.ante, table.settings.rules)
                for seat in event.seats:
                    stacks[seat] -= event.ante
                pot = event.pot
            case Settled(number=number, shares=shares):
                assert deal is not None
                assert Phase.OVER is deal.phase
                assert (number, pot) == (found.deals, sum(shares.values()))
                found.settled += 1
                for seat, share in shares.items():
                    stacks[seat] += share
                for seat in event.seats_freed:
                    del stacks[seat]
                deal = None
            case DealVoided() | DeckCut() | CardDrawn() | CardDiscarded() | Called() | Folded():
                assert deal is not None
                deal = _applied(deal, event, events)
                found.turns += isinstance(event, CardDiscarded | Called)
            case StockRenewed():
                assert deal is not None
                deal = _applied(deal, event, events)
    assert stacks == {number: seat.stack for number, seat in table.seats.items()}
    assert deal is None or deal == table.deal
    found.stacks = stacks
    times = [entry.at for entry in log]
    found.longest_gap = max((b - a for a, b in zip(times, times[1:], strict=False)), default=0) / 1000
    return found


def _begun(store: Store, table_id: str, event: DealStarted) -> Deal:
    record = store.record(table_id, event.number)
    return new_deal(record.seed, event.seats, event.ante, record.rules)


def _applied(deal: Deal, event: DealEvent, following: Iterator[Entry]) -> Deal:
    """The deal after the command that an event tells of, which has to make just this event."""
    happened: tuple[DealEvent, ...] = (event,)
    drawn = event
    if isinstance(event, StockRenewed):
        drawn = next(following).event  # type: ignore[assignment]
        happened = (event, drawn)
    seat, command = _command(drawn)
    after, made = rules.apply(deal, seat, command)
    assert made == happened
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
        case DealVoided(seat=seat):
            return seat, Draw(Source.STOCK)
    raise AssertionError(event)
