"""A deal by the engine itself, at a table as the service has it: what outside bots are shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter_ns

from service import bots
from service.bots.bot import Bot
from service.bots.turn import Turn
from service.engine import rules, showdown, views
from service.engine.commands import Command, Cut, Draw
from service.engine.deal import Deal, new_deal
from service.engine.errors import Illegal
from service.engine.events import Called, CardDrawn, DealEvent, DealVoided, StockRenewed
from service.engine.house_rules import HouseRules
from service.engine.replacing import replace
from service.simulate.outcome import Outcome
from service.simulate.outside import BadAnswer, LateAnswer, Outside
from service.simulate.tally import Tally, Verb
from service.tables.table import Player, Seat, Settings, Status, Table
from service.tables.views import table_view

Named = tuple[str, Bot | Outside]
"""A player and its name."""


def play(
    seed: str,
    position: int,
    seated: Sequence[Named],
    house: HouseRules,
    *,
    rng: Random,
    tally: Tally,
    number: int = 1,
) -> Outcome:
    """Play a deal to its end.

    Args:
        seed: what the order of the cards follows from.
        position: where the deck is cut.
        seated: the players in the order of play, the dealer last; they sit in seats 1, 2, ...
        house: the house rules.
        rng: the chance that the house's bots have.
        tally: where moves are counted that were late or illegal, and what answers took.
        number: the number of the deal, and of its table: what outside bots know it by.
    """
    seats = tuple(range(1, len(seated) + 1))
    deal = new_deal(seed, seats, 0, house)
    deal, happened = rules.apply(deal, deal.cutter, Cut(position))
    table = _table(deal, [name for name, _ in seated], number)
    outcome = Outcome((), 0, 0)
    while deal.turn is not None:
        table = replace(table, deal=deal, version=table.version + len(happened))
        turn = _Turn(table, deal, deal.turn, tally)
        deal, happened = turn.played(*seated[deal.turn - 1], rng)
        for event in happened:
            _note(outcome, event, deal)
    winners = showdown.settle(deal).winners or seats  # A void deal is everyone's.
    return replace(outcome, winners=tuple(seat - 1 for seat in winners))


def _note(outcome: Outcome, event: DealEvent, after: Deal) -> None:
    match event:
        case StockRenewed(number=number):
            outcome.renewals = number
        case CardDrawn() | DealVoided() if after.caller is None:
            outcome.turns += 1
        case DealVoided():  # In a last turn: nobody gets what was called for.
            outcome.caller, outcome.combination, outcome.left = None, None, 0
        case Called(seat=seat, combination=combination, last_turn=False):
            outcome.caller, outcome.combination = seat - 1, combination.name
            outcome.left = len(after.last_turns)


@dataclass(frozen=True, slots=True)
class _Turn:
    """A seat that is to move."""

    table: Table
    deal: Deal
    seat: int
    tally: Tally

    def played(
        self, name: str, who: Bot | Outside, rng: Random
    ) -> tuple[Deal, tuple[DealEvent, ...]]:
        """The deal after the move of a player, or after the fallback's."""
        seen = views.view(self.deal, self.seat)
        if isinstance(who, Bot):
            command = who.play(Turn.of(seen), rng)
        else:
            command = self._asked(name, who) or bots.fallback(seen)
        try:
            return rules.apply(self.deal, self.seat, command)
        except Illegal:
            self.tally.illegal[name] += 1
            return rules.apply(self.deal, self.seat, bots.fallback(seen))

    def _asked(self, name: str, who: Outside) -> Command | None:
        """What an outside bot answers; None where that is no move, or late."""
        view = table_view(self.table, self.table.seats[self.seat].player.id, 0)
        started = perf_counter_ns()
        try:
            command = who.move(view)
        except BadAnswer:
            self.tally.illegal[name] += 1
            return None
        except LateAnswer:
            self.tally.late[name] += 1
            return None
        verb: Verb = "draw" if isinstance(command, Draw) else "discard"
        self.tally.note(name, verb, perf_counter_ns() - started)
        return command


def _table(deal: Deal, names: Sequence[str], number: int) -> Table:
    """A table that plays for nothing, with a deal that is cut; ids look as they do elsewhere.

    Each deal has a table of its own: versions count from 0, and a bot may go by either number.
    """
    players = {seat: _player(seat, name) for seat, name in enumerate(names, start=1)}
    return Table(
        id=f"{number:026}",
        settings=Settings(
            seats=len(names), ante=0, buy_in=0, turn_seconds=0, pause_seconds=0, rules=deal.rules
        ),
        host=players[1].id,
        invite_code="",
        created_at=0,
        seats={seat: Seat(player, 0, dealt=number) for seat, player in players.items()},
        version=0,
        status=Status.PLAYING,
        number=number,
        dealer=deal.dealer,
        deal=deal,
    )


def _player(seat: int, name: str) -> Player:
    if name in bots.LEVELS:
        return Player(f"{seat:026}", name, "house_bot", name)
    return Player(f"{seat:026}", name, "bot")
