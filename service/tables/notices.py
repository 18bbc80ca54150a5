"""What concerns a player, of all that happens at a table: derived from its log alone.

An entry says whose turn begins with it and whom it concerns, so notices follow from any entry by
itself, wherever one begins to read.  They name no card: whoever gets one looks at the table.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from service.tables.events import DealStarted, Entry, PlayerJoined, PlayerLeft, Settled, TableClosed
from service.tables.views import player_view, rfc3339

NoticeType = Literal[
    "your_turn", "deal_started", "deal_over", "seated", "seat_lost", "table_closed"
]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that concerns a player.

    Args:
        version: the table's version after it, which is the id of its log entry.
        at: when, in milliseconds since 1970.
        table: at which table.
        type: what has happened; no two notices of one version have the same.
        data: more about it, ready for JSON, without any card.
    """

    version: int
    at: int
    table: str
    type: NoticeType
    data: dict[str, Any]


def is_news(entry: Entry) -> bool:
    """Whether somebody may get a notice of a log entry."""
    return entry.turn is not None or entry.seats is not None or lost_seat(entry) is not None


def notices(
    table_id: str, entries: Iterable[Entry], player: str, *, watching: bool = False
) -> Iterator[Notice]:
    """The notices for a player, in order.

    Args:
        table_id: the table that the log is of.
        entries: log entries in order, from any one on.
        player: for whom.
        watching: whether the player wants to know of the table without a seat there, too.
    """
    for entry in entries:
        seat = seat_in(entry, player)
        if entry.seats is not None and (seat is not None or watching):
            yield from _about_the_table(table_id, entry, seat)
        if (lost := lost_seat(entry)) is not None and entry.player == player:
            seat_lost = {"deal": entry.deal, "seat": lost}
            yield Notice(entry.id, entry.at, table_id, "seat_lost", seat_lost)
        turn = entry.turn
        if turn is not None and turn.player == player:
            ends_at = None if turn.ends_at is None else rfc3339(turn.ends_at)
            about = {"deal": entry.deal, "seat": turn.seat, "phase": turn.phase, "ends_at": ends_at}
            yield Notice(entry.id, entry.at, table_id, "your_turn", about)


def lost_seat(entry: Entry) -> int | None:
    """The seat that the clock takes from its player with a log entry, or None."""
    left = entry.event
    return left.seat if isinstance(left, PlayerLeft) and left.reason == "timed_out" else None


def seat_in(entry: Entry, player: str) -> int | None:
    """The seat of a player whom a log entry concerns, or None."""
    seats = entry.seats or {}
    return next((seat for seat, sitting in seats.items() if sitting == player), None)


def _about_the_table(table_id: str, entry: Entry, seat: int | None) -> Iterator[Notice]:
    """What a log entry tells to those whom it concerns; `seat` is the reader's own."""
    event = entry.event
    told: tuple[NoticeType, dict[str, Any]]
    match event:
        case PlayerJoined():
            told = "seated", {"player": player_view(event.player), "taken": event.seat}
        case DealStarted():
            told = "deal_started", _started(event)
        case Settled():
            told = "deal_over", _over(event, seat)
        case TableClosed():
            told = "table_closed", {"reason": event.reason}
        case _:
            return
    kind, data = told
    yield Notice(entry.id, entry.at, table_id, kind, {"seat": seat} | data)


def _started(event: DealStarted) -> dict[str, Any]:
    return {
        "deal": event.number,
        "seats": list(event.seats),
        "dealer": event.dealer,
        "cutter": event.cutter,
        "pot": event.pot,
        "commitment": event.commitment,
    }


def _over(event: Settled, seat: int | None) -> dict[str, Any]:
    return {
        "deal": event.number,
        "reason": event.reason,
        "winners": list(event.winners),
        "pot": event.pot,
        "share": 0 if seat is None else event.shares.get(seat, 0),
    }
