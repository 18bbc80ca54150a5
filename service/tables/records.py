"""The record of a finished deal: every action, and how it ended."""

from collections.abc import Iterable
from dataclasses import dataclass

from service.engine.cards import Card
from service.engine.commands import Source
from service.engine.events import (
    Called,
    CardDiscarded,
    CardDrawn,
    CutBy,
    DealVoided,
    DeckCut,
    Folded,
)
from service.engine.house_rules import HouseRules
from service.engine.replacing import replace
from service.engine.showdown import Result
from service.tables.events import DealStarted, Entry, Settled, TurnTimedOut
from service.tables.table import Player, Table


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that a seat did, or that was done for it; `at` in milliseconds since 1970.

    A draw without a card is the one that found the stock empty for good: the deal is void.
    """

    seat: int
    action: str
    at: int
    source: Source | None = None
    card: Card | None = None
    cards: tuple[Card, ...] | None = None
    version: int = 0
    """The table's version after it."""
    by: CutBy | None = None
    """Who made a cut; None in older records, which don't tell, and for all other actions."""


@dataclass(frozen=True, slots=True)
class DealRecord:
    """A finished deal.  `seed`, `position` and `entropy` fix all of its cards.

    `players` are in dealing order, the dealer last.  The versions, those of the actions included,
    are 0 in what releases up to 0.1 have stored; `numbered` adds them.
    """

    number: int
    dealer: int
    ante: int
    rules: HouseRules
    wild_card: Card | None
    seed: str
    position: int
    entropy: str
    players: dict[int, Player]
    actions: tuple[Action, ...]
    result: Result
    started_at: int
    ended_at: int
    from_version: int = 0
    """The table's version when the seed was committed to."""
    to_version: int = 0
    """The table's version when the deal was settled."""

    @property
    def cut(self) -> Action | None:
        """The cut; None where all but one had left before it."""
        return next((action for action in self.actions if action.action == "cut"), None)


def record_of(table: Table, entries: Iterable[Entry]) -> DealRecord:
    """The record of a table's settled deal, from the log entries of that deal.

    `table` is the table as it was before the settlement freed seats, with the result set.
    """
    log = tuple(entry for entry in entries if entry.deal == table.number)
    deal, result = table.deal, table.result
    assert deal is not None
    assert result is not None
    cut = next((entry.event for entry in log if isinstance(entry.event, DeckCut)), None)
    started, settled = _bounds(log)
    return DealRecord(
        number=table.number,
        dealer=deal.dealer,
        ante=deal.ante,
        rules=deal.rules,
        wild_card=deal.wild_card,
        seed=deal.seed,
        position=cut.position if cut else 0,
        entropy=deal.entropy,
        players={number: table.seats[number].player for number in deal.seats},
        actions=_actions(log),
        result=result,
        started_at=started.at,
        ended_at=log[-1].at,
        from_version=started.id,
        to_version=settled.id,
    )


def numbered(record: DealRecord, log: tuple[Entry, ...]) -> DealRecord:
    """A record with the versions that its deal's log entries have."""
    started, settled = _bounds(log)
    return replace(record, actions=_actions(log), from_version=started.id, to_version=settled.id)


def _bounds(log: tuple[Entry, ...]) -> tuple[Entry, Entry]:
    """The entries with which a deal began and was settled."""
    started = next(entry for entry in log if isinstance(entry.event, DealStarted))
    settled = next(entry for entry in log if isinstance(entry.event, Settled))
    return started, settled


def _actions(log: tuple[Entry, ...]) -> tuple[Action, ...]:
    return tuple(replace(action, version=entry.id) for entry in log if (action := _action(entry)))


def _action(entry: Entry) -> Action | None:
    match entry.event:
        case DeckCut(seat=seat, by=by):
            return Action(seat, "cut", entry.at, by=by)
        case CardDrawn(seat, source, card):
            return Action(seat, "draw", entry.at, source, card)
        case DealVoided(seat) if seat is not None:
            return Action(seat, "draw", entry.at, Source.STOCK)
        case CardDiscarded(seat, card):
            return Action(seat, "discard", entry.at, card=card)
        case Called(seat, combination, discarded, _):
            return Action(seat, "call", entry.at, card=discarded, cards=combination.cards)
        case Folded(seat):
            return Action(seat, "fold", entry.at)
        case TurnTimedOut(seat=seat):
            return Action(seat, "time_out", entry.at)
    return None
