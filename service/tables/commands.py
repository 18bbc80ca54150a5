"""What players, bots and the clock may ask of a table."""

from dataclasses import dataclass

from service.engine.commands import Command
from service.tables.table import Player


@dataclass(frozen=True, slots=True)
class Join:
    """Take a seat, the named one or the first that is free; a private table wants its code.

    With `rules_hash` it is refused where the house rules are others.
    """

    player: Player
    seat: int | None = None
    invite_code: str | None = None
    rules_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """Give the seat up; in the middle of a deal the hand folds, unless it is laid down."""

    player: str


@dataclass(frozen=True, slots=True)
class Start:
    """Begin dealing; the host's to say."""

    player: str


@dataclass(frozen=True, slots=True)
class AddBot:
    """Seat a house bot; the host's to say."""

    host: str
    bot: Player
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class RemoveBot:
    """Send a house bot away; the host's to say."""

    host: str
    seat: int


@dataclass(frozen=True, slots=True)
class Play:
    """A move in the current deal, by the player in the seat."""

    player: str
    move: Command


@dataclass(frozen=True, slots=True)
class PlayForBot:
    """A move by the bot that plays the seat whose turn it is."""

    move: Command


@dataclass(frozen=True, slots=True)
class Expire:
    """The time of the present turn or cut has run out."""


@dataclass(frozen=True, slots=True)
class Settle:
    """Show the hands of a deal that is over and pay the pot out."""


@dataclass(frozen=True, slots=True)
class NextDeal:
    """The pause is over: begin the next deal."""


@dataclass(frozen=True, slots=True)
class CloseIdle:
    """Nobody has done anything at a waiting table for long: close it."""


@dataclass(frozen=True, slots=True)
class Fill:
    """Nobody has come for long: these house bots take the open seats."""

    bots: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class CloseByOperator:
    """Close the table now: a deal that goes on is void, and all take their stacks home.

    `note` is what the operator tells the players.
    """

    note: str | None = None


@dataclass(frozen=True, slots=True)
class EndMatch:
    """The guest of a sandbox match has left: close its table now, in the middle of a deal too."""


PlayerCommand = Join | Leave | Start | AddBot | RemoveBot | Play
"""What players ask for; it may be refused."""

TableCommand = (
    PlayerCommand
    | PlayForBot
    | Expire
    | Settle
    | NextDeal
    | CloseIdle
    | Fill
    | CloseByOperator
    | EndMatch
)
"""What players ask for, what is due, and what operators do; the latter two may be no-ops."""
