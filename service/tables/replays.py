"""A finished deal played again from its record: its state at each version of the table."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from service.engine import rules, shuffle
from service.engine.cards import Card
from service.engine.commands import Call, Command, Cut, Discard, Draw, Fold
from service.engine.deal import Deal, evolve, new_deal
from service.engine.events import DealEvent
from service.tables.records import Action, DealRecord


@dataclass(frozen=True, slots=True)
class Step:
    """A deal after one of its events.

    Args:
        version: the table's version then.
        event: what happened; None is the deal's beginning.
        before: the deal before it.
        deal: the deal after it.
    """

    version: int
    event: DealEvent | None
    before: Deal
    deal: Deal


def replay(record: DealRecord) -> Iterator[Step]:
    """Every step of a deal, by the rules, from the record alone."""
    deal = new_deal(record.seed, tuple(record.players), record.ante, record.rules)
    yield Step(record.from_version, None, deal, deal)
    for action in record.actions:
        command = _command(record, action)
        if command is None:
            continue
        after, (*first, last) = rules.apply(deal, action.seat, command)
        for version, event in enumerate(first, start=action.version - len(first)):
            before, deal = deal, evolve(deal, event)
            yield Step(version, event, before, deal)
        yield Step(action.version, last, deal, after)
        deal = after


def deal_at(record: DealRecord, version: int) -> Deal:
    """The deal as it stood at a version of the table, its first one or a later one."""
    deal = None
    for step in replay(record):
        if deal is not None and step.version > version:
            break
        deal = step.deal
    assert deal is not None
    return deal


def last_hands(record: DealRecord) -> dict[int, tuple[Card, ...]]:
    """The cards that each seat held in the end: a quicker way than a whole replay."""
    hands = dict.fromkeys(record.players, ()) | _dealt(record)
    for action in record.actions:
        if action.card is None:
            continue
        kept = tuple(card for card in hands[action.seat] if card != action.card)
        hands[action.seat] = (*kept, action.card) if action.action == "draw" else kept
    return hands


def _dealt(record: DealRecord) -> dict[int, tuple[Card, ...]]:
    """The hands as dealt to those who were there at the cut; none without one."""
    if record.cut is None:
        return {}
    before = takewhile(lambda action: action.action != "cut", record.actions)
    gone = {action.seat for action in before if action.action == "fold"}
    seats = [seat for seat in record.players if seat not in gone]
    deck = shuffle.deck(record.seed, record.position, record.entropy)
    return {seat: deck[i : 5 * len(seats) : len(seats)] for i, seat in enumerate(seats)}


def _command(record: DealRecord, action: Action) -> Command | None:
    """The command that an action tells of; None where the clock did nothing but run out."""
    match action:
        case Action(action="cut"):
            return Cut(record.position, record.entropy)
        case Action(action="draw", source=source) if source is not None:
            return Draw(source)
        case Action(action="discard", card=card) if card is not None:
            return Discard(card)
        case Action(action="call", card=card):
            return Call(card)
        case Action(action="fold"):
            return Fold()
    return None
