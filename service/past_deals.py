"""Deals that are over, and who has agreed to open them."""

from bisect import bisect_left, bisect_right
from dataclasses import replace

from service.engine.errors import NotSeated
from service.store.base import Store
from service.tables.events import Entry
from service.tables.openings import PastDeal
from service.tables.records import numbered


def past_deal(store: Store, table_id: str, number: int) -> PastDeal:
    """A finished deal, and who has agreed to open it.

    Raises:
        NotFound: the table has no finished deal of this number.
    """
    record = store.record(table_id, number)
    if not record.to_version:
        record = numbered(record, _log_of(store, table_id, number))
    return PastDeal(record, store.agreed(table_id, number))


def _log_of(store: Store, table_id: str, number: int) -> tuple[Entry, ...]:
    """The log entries of a deal whose versions its record, of an older release, lacks."""
    versions = range(store.load(table_id).version)

    def deal_after(version: int) -> int:
        return store.entries(table_id, version, 1)[0].deal

    first = bisect_left(versions, number, key=deal_after)
    last = bisect_right(versions, number, key=deal_after)
    return store.entries(table_id, first, last - first)


def agree_to_open(store: Store, table_id: str, number: int, player: str) -> PastDeal:
    """Note that a player agrees to let everybody see all hands of a finished deal.

    Raises:
        NotFound: the table has no finished deal of this number.
        NotSeated: the player was not dealt in.
    """
    past = past_deal(store, table_id, number)
    if all(player != sitting.id for sitting in past.record.players.values()):
        raise NotSeated("You were not dealt into this deal.")
    store.agree(table_id, number, player)
    return replace(past, agreed=store.agreed(table_id, number))
