"""How tables, log entries and deal records are written down: JSON with a format number."""

from dataclasses import replace
from typing import Any

import msgspec

from service.store.base import NewerFormat
from service.tables.events import EVENT_TYPES, Entry, Turn
from service.tables.records import DealRecord
from service.tables.table import Table

FORMAT = 2
"""The format of a stored table; raise it, and read the older ones, when its fields change.

1. Chips came from nowhere: a buy-in was on no account's ledger.
2. `Table.house`, and what leavers take home is in the events.
"""

_encode = msgspec.json.Encoder().encode
_decode_table = msgspec.json.Decoder(Table).decode
_decode_record = msgspec.json.Decoder(DealRecord).decode


class _StoredEntry(msgspec.Struct, array_like=True):
    id: int
    at: int
    player: str | None
    deal: int
    type: str
    event: msgspec.Raw
    turn: Turn | None = None
    seats: dict[int, str] | None = None


_decode_entry = msgspec.json.Decoder(_StoredEntry).decode
_decode_event: dict[str, Any] = {
    name: msgspec.json.Decoder(kind).decode for name, kind in EVENT_TYPES.items()
}


def dump_table(table: Table) -> bytes:
    """A table in the present format."""
    return _encode(table)


def load_table(stored: bytes, format_number: int) -> Table:
    """A stored table, of this format or an older one.

    Raises:
        NewerFormat: it was written by a newer release; it is left untouched.
    """
    if format_number > FORMAT:
        raise NewerFormat("This table was written by a newer release of the service.")
    table = _decode_table(stored)
    return _from_first_format(table) if format_number == 1 else table


def _from_first_format(table: Table) -> Table:
    """Count the chips that came from nowhere as the house's."""
    return replace(table, house=table.chips)


def dump_entry(entry: Entry) -> bytes:
    """A log entry; its event's type is written beside it."""
    event = msgspec.Raw(_encode(entry.event))
    said = (entry.id, entry.at, entry.player, entry.deal, entry.event.type, event)
    return _encode(_StoredEntry(*said, entry.turn, entry.seats))


def load_entry(stored: bytes) -> Entry:
    """A stored log entry."""
    entry = _decode_entry(stored)
    event = _decode_event[entry.type](entry.event)
    said = (entry.id, entry.at, entry.player, entry.deal, event)
    return Entry(*said, entry.turn, entry.seats)


def dump_record(record: DealRecord) -> bytes:
    """The record of a deal."""
    return _encode(record)


def load_record(stored: bytes) -> DealRecord:
    """The stored record of a deal."""
    return _decode_record(stored)
