"""What older releases have stored is read; what a newer one has is left alone."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from redis import Redis

from service.game import Game
from service.past_deals import past_deal
from service.store import codec, keys
from service.store.accounts import Account, Posting
from service.store.redis_store import RedisStore
from service.tables import Settle, Status
from service.tables.events import Entry
from service.tables.proofs import proof_of
from service.tables.replays import deal_at
from tests.support.game import KeptQueue
from tests.support.tables import HOST, START, changed_by

FIRST = Path(__file__).parents[1] / "data" / "format-1"


def lines(name: str) -> list[bytes]:
    """The lines of a file that the first format's release wrote."""
    return (FIRST / name).read_bytes().splitlines()


@pytest.mark.parametrize("stored", lines("tables.jsonl"))
def test_tables_of_the_first_format(stored: bytes) -> None:
    """A table in any status is read; its chips, which came from nowhere, are the house's."""
    table = codec.load_table(stored, 1)
    assert table.chips == table.house
    assert (table.status is Status.CLOSED) == (table.house == 0)
    assert table == codec.load_table(codec.dump_table(table), codec.FORMAT)


def test_the_log_and_the_records_of_the_first_format() -> None:
    """Every kind of entry and every record is read."""
    entries = [codec.load_entry(line) for line in lines("entries.jsonl")]
    assert list(range(1, len(entries) + 1)) == [entry.id for entry in entries]
    assert {type(entry) for entry in entries} == {Entry}
    assert [1, 2] == [codec.load_record(line).number for line in lines("records.jsonl")]


def test_deals_of_the_first_format_are_looked_back_at(
    redis: Redis, redis_store: RedisStore
) -> None:
    """A record without versions gets them from the table's log, and can be replayed and proven."""
    last = codec.load_table(lines("tables.jsonl")[-1], 1)
    of, id_, log = keys.keys_of(last.id), last.id, lines("entries.jsonl")
    state = codec.dump_table(replace(last, version=len(log)))
    redis.hset(of.table(id_), mapping={"version": len(log), "format": 1, "state": state})
    for number, entry in enumerate(log, start=1):
        redis.xadd(of.log(id_), {"commit": "first", "entry": entry}, f"{number}-0")
    redis.hset(of.deals(id_), mapping=dict(enumerate(lines("records.jsonl"), start=1)))

    game = Game(redis_store, KeptQueue())
    for number, stored in enumerate(lines("records.jsonl"), start=1):
        old, record = codec.load_record(stored), past_deal(game.store, id_, number).record
        assert 0 == old.to_version < record.from_version < record.to_version
        assert old.actions == tuple(replace(action, version=0) for action in record.actions)
        last_hands = deal_at(record, record.to_version).hands
        shown = {hand.seat: hand.cards for hand in record.result.hands if hand.cards}
        assert shown == {seat: last_hands[seat].cards for seat in shown}
        dealt = proof_of(record).dealt
        assert dealt is not None
        assert record.wild_card == dealt.wild_card


def test_a_table_of_the_first_format_goes_on(redis: Redis, redis_store: RedisStore) -> None:
    """It is played on from where it stood, and is written in the present format."""
    stored = next(one for one in lines("tables.jsonl") if b'"settling"' in one)
    before = codec.load_table(stored, 1)
    key = keys.keys_of(before.id).table(before.id)
    redis.hset(key, mapping={"version": before.version, "format": 1, "state": stored})
    table, change = redis_store.change(before.id, lambda seen: changed_by(seen, Settle()))
    assert before == table
    assert change.table == redis_store.load(before.id)
    assert str(codec.FORMAT).encode() == redis.hget(key, "format")
    assert change.table.chips == change.table.house + sum(-one.amount for one in change.owed)


def test_an_account_of_the_first_format(redis: Redis, redis_store: RedisStore) -> None:
    """Whoever had an account has it still, with a ledger from now on."""
    account = Account(HOST, 10_000, START)
    redis.set(keys.first_account(HOST.id), msgspec.json.encode(account))
    redis_store.accounts.post(Posting("out-1", HOST.id, 5, "cash_out", START, "table-1"))
    assert 10_005 == redis_store.accounts.account(HOST.id).balance
    whys = [entry.posting.why for entry in redis_store.accounts.ledger(HOST.id, None, 9)]
    assert ["cash_out", "grant"] == whys
