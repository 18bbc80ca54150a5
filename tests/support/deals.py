"""Finished deals in numbers: played by random legal commands, with the records they leave."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from service.engine import rules, showdown
from service.engine.commands import Call, Command, Cut, Discard
from service.engine.deal import Deal, Phase, new_deal
from service.engine.events import CutBy, DealEvent, DeckCut
from service.engine.house_rules import HouseRules
from service.engine.shuffle import commitment
from service.tables import Player, Table
from service.tables.events import DealStarted, Entry, Settled, TableEvent
from service.tables.records import DealRecord, record_of
from service.tables.table import Seat
from tests.engine.generators import any_command
from tests.support.tables import BOT, HOST, START, settings

BEFORE = 7
"""The version of the table before each of these deals."""

CUT_BY: tuple[CutBy | None, ...] = ("player", "bot", "clock", None)
"""Who makes the cut, by turns; None is a deal of before that was told."""

ENTROPIES = ("", "a coin", "sál ♠ 愛", "e\u0301 is not \u00e9", "\U0001f0a1", "\x00\n\u2028", " ")


def new_deals(chance: Random) -> Deal:
    """A deal before its cut, of any seats and house rules, with few renewals of the stock."""
    seats = sorted(chance.sample(range(1, 6), chance.randrange(2, 6)))
    place = chance.randrange(len(seats))
    house = HouseRules(
        ace_low=chance.random() < 0.2,
        final_turns=chance.choice(("complete_round", "every_player")),
        reshuffle=chance.choice(("keep_top", "all")),
        max_reshuffles=chance.randrange(1, 4),
    )
    return new_deal(chance.randbytes(32).hex(), (*seats[place:], *seats[:place]), 5, house)


def played(deal: Deal, chance: Random) -> Iterator[tuple[Deal, tuple[DealEvent, ...]]]:
    """Play a deal to its end: the deal after each command, and what happened.

    In many deals nobody calls before the stock has been renewed.
    """
    patience = chance.choice((0,) * 16 + (1, 1, 1, 2))
    while deal.phase is not Phase.OVER:
        seat, command = _command(deal, chance, patience)
        deal, events = rules.apply(deal, seat, command)
        yield deal, events


def _command(deal: Deal, chance: Random, patience: int) -> tuple[int, Command]:
    seat, command = any_command(deal, chance)
    if isinstance(command, Cut):
        return seat, Cut(command.position, chance.choice(ENTROPIES))
    if isinstance(command, Call) and deal.reshuffles < patience:
        return seat, Discard(chance.choice(rules.legal(deal, seat).discard))
    return seat, command


def any_record(chance: Random, number: int = 1) -> DealRecord:
    """The record of a whole deal."""
    first = deal = new_deals(chance)
    events: list[TableEvent] = []
    for after, happened in played(deal, chance):
        deal = after
        events += (_cut_by(event, CUT_BY[number % len(CUT_BY)]) for event in happened)
    return record_from(first, deal, events, number)


def _cut_by(event: DealEvent, by: CutBy | None) -> DealEvent:
    return replace(event, by=by) if isinstance(event, DeckCut) else event


def record_from(first: Deal, last: Deal, events: list[TableEvent], number: int = 1) -> DealRecord:
    """The record of a deal that began so, went so, and is over."""
    result = showdown.settle(last)
    begun = DealStarted(
        number, first.seats, first.dealer, first.cutter, 5, first.pot, commitment(first.seed)
    )
    settled = Settled(number, result.reason, result.winners, result.pot, {}, {})
    log = [
        Entry(version, START + version, None, number, event)
        for version, event in enumerate((begun, *events, settled), start=BEFORE + 1)
    ]
    players = dict(zip(first.seats, (HOST, BOT, *OTHERS), strict=False))
    seats = {seat: Seat(player, 0) for seat, player in players.items()}
    table = Table("table-1", settings(), HOST.id, "", START, seats, number=number)
    return record_of(replace(table, deal=last, result=result), log)


OTHERS = tuple(Player(f"player-{n}", f"Player {n}", "human") for n in range(3, 6))
"""Who sits there beside the host and a house bot."""
