"""Who may see which hands of a finished deal: the own one, those that were shown, or all."""

from dataclasses import dataclass

from service.engine.errors import PaiuteError
from service.tables.errors import NoSuchSeat
from service.tables.records import DealRecord


class HandHidden(PaiuteError):
    """The hand was never shown, and not everybody has agreed that all may see it."""

    code = "hand_hidden"


@dataclass(frozen=True, slots=True)
class PastDeal:
    """A finished deal, and the ids of the players who have agreed to open all of its hands.

    The house's bots always agree.  Once everybody who was dealt in has, the deal is open.
    """

    record: DealRecord
    agreed: frozenset[str] = frozenset()

    @property
    def agreeing(self) -> tuple[int, ...]:
        """The seats whose players agree, in dealing order."""
        return tuple(
            seat
            for seat, player in self.record.players.items()
            if player.is_house_bot or player.id in self.agreed
        )

    @property
    def opened(self) -> bool:
        """Whether all have agreed that everyone may see every hand."""
        return len(self.agreeing) == len(self.record.players)

    def seen_by(self, player: str | None) -> frozenset[int]:
        """The seats whose hands a player may see, or anybody may (`player` None)."""
        record = self.record
        own = {seat for seat, sitting in record.players.items() if sitting.id == player}
        shown = {hand.seat for hand in record.result.hands if hand.cards}
        laid = {action.seat for action in record.actions if action.cards}
        return frozenset(record.players if self.opened else own | shown | laid)

    def check_seen(self, seat: int, player: str | None) -> None:
        """Refuse to show a hand that a player may not see.

        Raises:
            NoSuchSeat: nobody was dealt in there.
            HandHidden: the hand is not for this player's eyes.
        """
        if seat not in self.record.players:
            raise NoSuchSeat("Seat {seat} was not dealt into this deal.", seat=seat)
        if seat not in self.seen_by(player):
            missing = sorted(set(self.record.players) - set(self.agreeing))
            raise HandHidden(
                "The hand of seat {seat} was never shown. It opens to all once everybody agrees; "
                "these seats have not yet: {missing}.",
                seat=seat,
                missing=", ".join(map(str, missing)),
            )
