"""What a table refuses."""

from service.engine.errors import PaiuteError
from service.engine.house_rules import HouseRules


class TableFull(PaiuteError):
    """No seat is free."""

    code = "table_full"


class SeatTaken(PaiuteError):
    """The named seat is somebody's."""

    code = "seat_taken"


class AlreadySeated(PaiuteError):
    """The player has a seat at this table."""

    code = "already_seated"


class TableNotOpen(PaiuteError):
    """The table is closed."""

    code = "table_not_open"


class NotEnoughPlayers(PaiuteError):
    """Fewer than two seats could be dealt in."""

    code = "not_enough_players"


class InsufficientChips(PaiuteError):
    """The player has not the chips for this."""

    code = "insufficient_chips"


class WrongInviteCode(PaiuteError):
    """A private table was given no invite code, or a wrong one."""

    code = "wrong_invite_code"


class RulesChanged(PaiuteError):
    """The house rules are not those that the player has agreed to; the table's own are `rules`."""

    code = "rules_changed"

    def __init__(self, rules: HouseRules) -> None:
        super().__init__(
            "The house rules here are not those that you named; look at `rules`, and decide again."
        )
        self.rules = rules


class Forbidden(PaiuteError):
    """The caller may not do this here; it is the host's to say."""

    code = "forbidden"


class NoSuchSeat(PaiuteError):
    """The table has no such seat, or nobody who could be meant sits there."""

    code = "not_found"
