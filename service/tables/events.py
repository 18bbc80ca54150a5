"""What has happened at a table, beside the events of its deals."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from service.engine.events import DealEvent
from service.engine.showdown import SettledHand
from service.tables.table import Player, Table

Closing = Literal["everybody_left", "deals_played", "idle", "operator"]
"""Why a table closes."""


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    """A player took a seat with a stack of chips."""

    type: ClassVar[str] = "player_joined"
    seat: int
    player: Player
    stack: int


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """A player left.

    `cashed_out` has the seat with the chips that it takes home; it is empty in the middle of a
    deal, since the seat is freed, and paid, when the deal is settled.
    """

    type: ClassVar[str] = "player_left"
    seat: int
    player: Player
    stack: int
    reason: Literal["left", "removed", "timed_out"]
    cashed_out: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BoughtIn:
    """A house bot without the chips for an ante bought in again."""

    type: ClassVar[str] = "bought_in"
    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class DealStarted:
    """A deal began: the antes are paid, and the seed is committed to."""

    type: ClassVar[str] = "deal_started"
    number: int
    seats: tuple[int, ...]
    dealer: int
    cutter: int
    ante: int
    pot: int
    commitment: str


@dataclass(frozen=True, slots=True)
class TurnTimedOut:
    """A turn, or the cut, ran out of time; what is played for the seat follows."""

    type: ClassVar[str] = "turn_timed_out"
    seat: int
    in_a_row: int
    handed_to_bot: bool


@dataclass(frozen=True, slots=True)
class Showdown:
    """The hands still in the deal were shown."""

    type: ClassVar[str] = "showdown"
    hands: tuple[SettledHand, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """The pot was paid out.

    `cashed_out` has the seats that are free now, since their players had left, with the chips that
    each takes home, its share included.
    """

    type: ClassVar[str] = "settled"
    number: int
    reason: str
    winners: tuple[int, ...]
    pot: int
    shares: dict[int, int]
    cashed_out: dict[int, int]


@dataclass(frozen=True, slots=True)
class WaitingForPlayers:
    """After the pause there were too few players with chips; the table waits for more."""

    type: ClassVar[str] = "waiting_for_players"
    number: int


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The table is closed for good; `cashed_out` has what each seat takes home.

    `note` is what an operator who has closed it tells the players.
    """

    type: ClassVar[str] = "table_closed"
    reason: Closing
    cashed_out: dict[int, int] = field(default_factory=dict)
    note: str | None = None


TableEvent = (
    DealEvent
    | PlayerJoined
    | PlayerLeft
    | BoughtIn
    | DealStarted
    | TurnTimedOut
    | Showdown
    | Settled
    | WaitingForPlayers
    | TableClosed
)
Step = tuple[Table, tuple[TableEvent, ...]]
"""A table after a command, and what happened."""

EVENT_TYPES: dict[str, type[TableEvent]] = {kind.type: kind for kind in TableEvent.__args__}


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that begins.

    Args:
        player: whose it is.
        seat: the player's seat.
        phase: what is due first, `cut` or `draw`.
        ends_at: when its clock ends, in milliseconds since 1970; None without a clock.
    """

    player: str
    seat: int
    phase: str
    ends_at: int | None


@dataclass(frozen=True, slots=True)
class Entry:
    """An event in a table's log.

    Args:
        id: the table's version after the event.
        at: when, in milliseconds since 1970.
        player: whose event it is (the player in `event.seat`), where it is somebody's.
        deal: the number of the deal it belongs to; 0 is before the first one.
        event: what happened.
        turn: the turn that begins with it, if one of a person or an outside program does.
        seats: whom it concerns, by seat, where that is everybody there but the house's bots.
    """

    id: int
    at: int
    player: str | None
    deal: int
    event: TableEvent
    turn: Turn | None = None
    seats: dict[int, str] | None = None
