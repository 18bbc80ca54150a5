"""How a simulated deal ended."""

from dataclasses import dataclass

from service.engine.combinations import Kind


@dataclass(slots=True)
class Outcome:
    """One deal.  Players are told by their place in the order of play, 0 at the dealer's left.

    Args:
        winners: the places of those who share the pot equally; all of them where it was void.
        turns: how many turns were begun, the caller's included, until the call or the void.
        renewals: how often the stock was renewed.
        caller: the place of the first who called; None where the deal was void.
        combination: what the caller laid down; None where the deal was void.
        left: how many players had a last turn after the call.
    """

    winners: tuple[int, ...]
    turns: int
    renewals: int
    caller: int | None = None
    combination: Kind | None = None
    left: int = 0

    def share(self, place: int) -> float:
        """The part of the pot that a player won."""
        return (place in self.winners) / len(self.winners)
