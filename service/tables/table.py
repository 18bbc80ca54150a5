"""The state of a table: who sits where with how many chips, the settings, the current deal."""

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from service.engine.deal import Deal, Phase
from service.engine.house_rules import HouseRules
from service.engine.showdown import Result
from service.tables.sandbox import Sandbox

CUT_SECONDS = 15
"""The longest that a player may take to cut (docs/rules.md, "The deal")."""

GRACE_MS = 250
"""How long after a turn's or a cut's end its clock fires: what came in time is not overtaken."""

ANTES_IN_A_BUY_IN = 20
"""The buy-in where none is agreed, in antes."""

IDLE_SECONDS = 1_800
"""How long a table waits for people, where the operator has not said otherwise."""

MAX_TIMEOUTS = 3
"""Timed-out turns in a row that fold a player (docs/rules.md, "Leaving …")."""


class Status(StrEnum):
    """What a table is doing."""

    WAITING = "waiting"
    CUTTING = "cutting"
    PLAYING = "playing"
    SETTLING = "settling"
    PAUSE = "pause"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who can take a seat: a person, an outside program, or one of the house's bots."""

    id: str
    name: str
    kind: Literal["human", "bot", "house_bot"]
    level: str | None = None

    @property
    def is_house_bot(self) -> bool:
        """Whether the service itself plays this player's turns."""
        return self.kind == "house_bot"


@dataclass(frozen=True, slots=True)
class Settings:
    """What was agreed when the table was made.  Chips are whole; times are as their names say."""

    seats: int
    name: str = "Paiute"
    ante: int = 5
    buy_in: int = 100
    visibility: Literal["public", "private"] = "public"
    turn_seconds: int = 60
    pause_seconds: int = 5
    thinking_ms: int = 800
    start_when: Literal["full", "host"] = "full"
    deals: int | None = None
    """How many deals are played before the table closes; None is no end."""
    idle_seconds: int = IDLE_SECONDS
    """How long the table waits for people where no other clock runs; the service's to say."""
    bots_after_seconds: int | None = None
    """How long after its making house bots take the seats that are open; None is never."""
    quick: bool = False
    """Whether it was made for somebody who wanted any table."""
    rated: bool = False
    """Whether deals count in the ratings of those who play; at tables of before nobody agreed."""
    rules: HouseRules = field(default_factory=HouseRules)


@dataclass(frozen=True, slots=True)
class Seat:
    """A taken seat: its player and the stack in front of it."""

    player: Player
    stack: int
    timeouts: int = 0
    """Turns in a row that ran out of time."""
    dealt: int = 0
    """The number of the last deal that this player was dealt into."""
    left: bool = False
    """Its player has left, and the seat becomes free once this deal is settled."""
    stand_in: str | None = None
    """The level of the bot that plays for a player out of time (house rule `on_timeout`)."""

    @property
    def bot_level(self) -> str | None:
        """The level of the bot that plays this seat's turns; None for a seat that plays its own."""
        return self.player.level if self.player.is_house_bot else self.stand_in


@dataclass(frozen=True, slots=True)
class Table:
    """A table at one version; `version` is the number of events so far."""

    id: str
    settings: Settings
    host: str
    invite_code: str
    created_at: int
    seats: dict[int, Seat] = field(default_factory=dict)
    version: int = 0
    status: Status = Status.WAITING
    number: int = 0
    """How many deals there have been, the current one included."""
    dealer: int | None = None
    deal: Deal | None = None
    deal_from: int = 0
    """The version of the table before the present deal began."""
    result: Result | None = None
    since: int = 0
    """When the present wait (a turn, a cut, a pause) began, in milliseconds since 1970."""
    house: int = 0
    """Chips that the house has put on the table for its bots, less what they took home."""
    closing: bool = False
    """Whether the table closes when the present deal is settled."""
    sandbox: Sandbox | None = None
    """The sandbox match that is played here, if it is one."""

    def seat_of(self, player: str | None) -> int | None:
        """The seat of a player who has not left, or None."""
        for number, seat in self.seats.items():
            if seat.player.id == player and not seat.left:
                return number
        return None

    def dealt_in(self, seat: int) -> bool:
        """Whether the player in a seat was dealt into the present deal; a newcomer was not."""
        return self.number > 0 and self.seats[seat].dealt == self.number

    @property
    def open_seats(self) -> tuple[int, ...]:
        """The seats nobody has."""
        return tuple(n for n in range(1, self.settings.seats + 1) if n not in self.seats)

    @property
    def ready_seats(self) -> tuple[int, ...]:
        """The seats that can be dealt in: taken, and with enough chips for the ante."""
        ante = self.settings.ante
        return tuple(n for n, s in sorted(self.seats.items()) if s.stack >= ante and not s.left)

    @property
    def pot(self) -> int:
        """The chips in the pot, until they are paid out."""
        return self.deal.pot if self.deal and self.in_deal else 0

    @property
    def chips(self) -> int:
        """All chips on the table: the stacks, and a pot that is not paid out; none once closed."""
        if self.status is Status.CLOSED:
            return 0
        return self.pot + sum(seat.stack for seat in self.seats.values())

    @property
    def in_deal(self) -> bool:
        """Whether a deal is going on or not settled yet."""
        return self.status in (Status.CUTTING, Status.PLAYING, Status.SETTLING)

    @property
    def deadline(self) -> int | None:
        """When the clock of the present turn, cut or pause ends, in milliseconds since 1970."""
        seconds = self._wait_seconds
        return None if seconds is None else self.since + 1000 * seconds

    @property
    def idle_deadline(self) -> int | None:
        """When a table that waits for people, without a clock, gives up on them; None elsewhere."""
        waits = self.status is Status.WAITING or (self.untimed_turn and not self._bot_to_act)
        return self.since + 1000 * self.settings.idle_seconds if waits else None

    @property
    def fill_at(self) -> int | None:
        """When house bots take the open seats, in milliseconds since 1970; None is never.

        That is before the first deal alone, and where somebody is there for whom they play.
        """
        seconds = self.settings.bots_after_seconds
        waits = self.status is Status.WAITING and not self.number and self.open_seats
        guests = [n for n in self.ready_seats if not self.seats[n].player.is_house_bot]
        if seconds is None or not waits or not guests:
            return None
        return self.created_at + 1000 * seconds

    @property
    def expires_at(self) -> int | None:
        """When the clock plays a player's turn, or cut, for the seat; None where none is due."""
        if self.status not in (Status.CUTTING, Status.PLAYING) or self._bot_to_act:
            return None
        ends = self.idle_deadline if self.untimed_turn else self.deadline
        return None if ends is None else ends + GRACE_MS

    @property
    def untimed_turn(self) -> bool:
        """Whether somebody is to play a turn that has no clock."""
        return self.status is Status.PLAYING and not self.settings.turn_seconds

    @property
    def _bot_to_act(self) -> bool:
        turn = self.deal.turn if self.deal else None
        return turn is not None and self.seats[turn].bot_level is not None

    @property
    def _wait_seconds(self) -> int | None:
        turn_seconds = self.settings.turn_seconds
        if self.status is Status.CUTTING:
            return min(CUT_SECONDS, turn_seconds) if turn_seconds else CUT_SECONDS
        if self.status is Status.PLAYING and turn_seconds:
            return turn_seconds
        return self.settings.pause_seconds if self.status is Status.PAUSE else None


@dataclass(frozen=True, slots=True)
class Moment:
    """The time and the chance that a step may use; both are data, so a step is pure.

    Args:
        at: milliseconds since 1970.
        chance: 32 random bytes that nobody else has seen.
    """

    at: int
    chance: bytes

    def below(self, bound: int, purpose: str) -> int:
        """A number below `bound`, which tells nothing about other purposes' numbers."""
        digest = hashlib.sha256(purpose.encode() + self.chance).digest()
        return int.from_bytes(digest[:16], "big") % bound

    @property
    def seed(self) -> str:
        """The seed of a deal that begins now, in hexadecimal."""
        return hashlib.sha256(b"seed" + self.chance).hexdigest()


def new_table(
    table_id: str, settings: Settings, host: Player, invite_code: str, moment: Moment
) -> Table:
    """An empty table."""
    return Table(table_id, settings, host.id, invite_code, created_at=moment.at, since=moment.at)


def status_of(deal: Deal) -> Status:
    """The status of a table in the middle of this deal."""
    if deal.phase is Phase.CUT:
        return Status.CUTTING
    return Status.SETTLING if deal.phase is Phase.OVER else Status.PLAYING
