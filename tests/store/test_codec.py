"""Tables, log entries and records are written down and read without any loss."""

from dataclasses import replace
from functools import cache
from random import Random

import msgspec
import pytest
from redis import Redis

from service.engine.cards import Card
from service.engine.combinations import Combination, Kind
from service.engine.commands import Source
from service.engine.events import (
    Called,
    CardDiscarded,
    CardDrawn,
    DealVoided,
    DeckCut,
    Folded,
    StockRenewed,
)
from service.engine.house_rules import HouseRules
from service.store import codec, keys
from service.store.base import Change, Unavailable
from service.store.redis_store import RedisStore
from service.tables.events import (
    EVENT_TYPES,
    BoughtIn,
    DealStarted,
    Entry,
    PlayerJoined,
    PlayerLeft,
    Settled,
    Showdown,
    TableClosed,
    TableEvent,
    TurnTimedOut,
    WaitingForPlayers,
)
from tests.support.tables import BOT, GUEST, START, created, history

HOUSE_RULES = (
    HouseRules(),
    HouseRules(True, 2, "auto", "every_player", "all", 0, "bot"),
    HouseRules(first_dealer=1, max_reshuffles=1, on_timeout="bot"),
)

TEN, TWO, *ROYAL = map(Card, ("Td", "2c", "Ah", "Kh", "Qh", "Jh", "7c"))

RARE: tuple[TableEvent, ...] = (
    BoughtIn(2, 100),
    CardDrawn(1, Source.STOCK, None),
    CardDrawn(1, Source.DISCARD, TEN),
    CardDiscarded(5, TWO),
    Called(3, Combination(Kind.ROYAL_FLUSH, (), tuple(ROYAL)), None, last_turn=True),
    Folded(3),
    DealVoided(4),
    DealStarted(7, (2, 3, 1), 1, 3, 5, 15, "ab" * 32),
    DeckCut(1, 51, "sál ♠ 愛 \x00\n", TEN, TWO),
    DeckCut(1, 51, "", TEN, TWO, "clock"),
    PlayerJoined(1, GUEST, 100),
    PlayerLeft(2, BOT, 0, "removed"),
    Settled(1, "showdown", (1, 3), 15, {1: 8, 3: 7}, {2: 95}),
    Showdown(()),
    StockRenewed(10, 0),
    TableClosed("deals_played"),
    TurnTimedOut(1, 3, handed_to_bot=True),
    WaitingForPlayers(0),
)


@cache
def histories() -> tuple[Change, ...]:
    """The changes of many tables, with every house rule."""
    return tuple(
        change
        for number in range(24)
        for change in history(
            Random(number),
            2 + number % 4,
            rules=HOUSE_RULES[number % 3],
            name=f"Ke'alohi ♠ {number}",
            visibility=("public", "private")[number % 2],
        )
    )


def test_tables_survive() -> None:
    """A table at any point of a random deal is the same after being written and read."""
    tables = [change.table for change in histories()]
    assert len(tables) > 1_000
    for table in tables:
        assert table == codec.load_table(codec.dump_table(table), codec.FORMAT)


def test_entries_survive() -> None:
    """A log entry of a random deal is the same, of the same type, after being read."""
    seen = set()
    for change in histories():
        for entry in change.entries:
            read = codec.load_entry(codec.dump_entry(entry))
            assert entry == read
            assert type(entry.event) is type(read.event)
            seen.add(entry.event.type)
    assert {"called", "card_drawn", "deal_voided", "showdown", "settled", "stock_renewed"} <= seen


def test_every_type_of_event_survives() -> None:
    """There is no event that can't be written and read, also with its rarest values."""
    assert set(EVENT_TYPES) == {event.type for event in RARE}
    for event in RARE:
        entry = Entry(3, START, None, 0, event)
        assert entry == codec.load_entry(codec.dump_entry(entry))


def test_records_survive() -> None:
    """The record of a random deal is the same after being written and read."""
    records = [change.record for change in histories() if change.record]
    assert len(records) > 20
    for record in records:
        assert record == codec.load_record(codec.dump_record(record))


def test_what_is_read_has_its_types() -> None:
    """What is read compares and matches like what was written: tuples, enums, seats as numbers."""
    for change in histories()[:200]:
        read = codec.load_table(codec.dump_table(change.table), codec.FORMAT)
        assert repr(change.table) == repr(read)


def test_a_newer_format_is_refused() -> None:
    """A table in a format that this release does not know is not guessed at."""
    with pytest.raises(Unavailable):
        codec.load_table(codec.dump_table(created().table), codec.FORMAT + 1)


def test_a_newer_format_is_left_untouched(redis: Redis, redis_store: RedisStore) -> None:
    """A table that a newer release wrote can't be read or changed, and stays as it is."""
    change = created()
    assert redis_store.commit(0, change)
    key = keys.keys_of(change.table.id).table(change.table.id)
    redis.hset(key, mapping={"format": codec.FORMAT + 1, "state": '{"quite":"different"}'})
    before = redis.hgetall(key)
    with pytest.raises(Unavailable):
        redis_store.load(change.table.id)
    with pytest.raises(Unavailable):
        redis_store.change(change.table.id, lambda table: replace(change, table=table))
    assert before == redis.hgetall(key)


def test_the_state_is_json(redis: Redis, redis_store: RedisStore) -> None:
    """What is stored is plain JSON, which any tool reads."""
    change = created()
    assert redis_store.commit(0, change)
    of = keys.keys_of(change.table.id)
    state = msgspec.json.decode(redis.hget(of.table(change.table.id), "state") or b"")
    assert change.table.id == state["id"]
