"""What is counted of many deals; tallies of parts of a match add up to that of the whole."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Literal, Self

from service.bots.scores import Score
from service.engine.combinations import Kind
from service.simulate.match import Pairing
from service.simulate.outcome import Outcome

Verb = Literal["draw", "discard"]

PARTS = 60
"""A pot is shared by up to five: in sixtieths all shares are whole, and their sums exact."""


@dataclass(slots=True)
class Tally:
    """The counts of a match, or of a part of it."""

    score: Score = field(default_factory=Score)
    """Of the one player among the others."""
    deals: int = 0
    turns: int = 0
    """Begun in deals that were called, until the call, the caller's included."""
    renewed: int = 0
    """Deals in which the stock ran out, whether or not it was renewed then."""
    void: int = 0
    won: Counter[int] = field(default_factory=Counter)
    """Sixtieths of pots, by the place in the order of play."""
    calls: Counter[int] = field(default_factory=Counter)
    """By how many had a last turn after the call."""
    callers_won: Counter[int] = field(default_factory=Counter)
    """Sixtieths of pots that the callers won, by the same."""
    combinations: Counter[Kind] = field(default_factory=Counter)
    """What the callers laid down."""
    took: Counter[tuple[str, Verb, int]] = field(default_factory=Counter)
    """How many decisions took a player so many nanoseconds."""
    illegal: Counter[str] = field(default_factory=Counter)
    """Moves by player that were none, or not allowed."""
    late: Counter[str] = field(default_factory=Counter)
    """Answers by player that did not come in time."""
    cpu: float = 0.0
    """CPU seconds."""

    def __add__(self, other: Self) -> Self:
        return type(self)(
            *(getattr(self, each.name) + getattr(other, each.name) for each in fields(self))
        )

    def add_block(self, pairing: Pairing, outcomes: Sequence[Outcome]) -> None:
        """Count a block: the outcomes of the same cards with the one player in each place."""
        for outcome in outcomes:
            self._add(outcome)
        if pairing.is_of_equals:
            return  # What it wins of its like says nothing.
        shares = [outcome.share(place) for place, outcome in enumerate(outcomes)]
        self.score = self.score.add(sum(shares) / len(shares))

    def note(self, name: str, verb: Verb, nanoseconds: int) -> None:
        """Count a decision; its time is kept to about three per cent."""
        shift = max(0, nanoseconds.bit_length() - 6)
        self.took[name, verb, nanoseconds >> shift << shift] += 1

    def _add(self, outcome: Outcome) -> None:
        self.deals += 1
        self.renewed += outcome.renewals > 0 or outcome.caller is None
        part = PARTS // len(outcome.winners)
        self.won.update(dict.fromkeys(outcome.winners, part))
        if outcome.caller is None or outcome.combination is None:
            self.void += 1
            return
        self.turns += outcome.turns
        self.calls[outcome.left] += 1
        self.combinations[outcome.combination] += 1
        if outcome.caller in outcome.winners:
            self.callers_won[outcome.left] += part
