"""What somebody could do to chips by hand, and what the audit has to say of it."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from redis import Redis

from service.audit import Misfit
from service.cashier import Cashier
from service.store import keys
from service.store.accounts import Posting
from service.store.base import Change, Due
from service.tables import Leave, Table
from tests.support.audit_world import CAM, DAN, World, entries_of
from tests.support.tables import GUEST, HOST, START, changed_by, put

Tamper = Callable[[Redis, World], Misfit]


def balance_is_changed(redis: Redis, world: World) -> Misfit:
    was = redis.hincrby(keys.keys_of(GUEST.id).account(GUEST.id), "balance", 5) - 5
    return Misfit("account", GUEST.id, None, "balance", was, was + 5)


def ledger_amount_is_changed(redis: Redis, world: World) -> Misfit:
    ledger = keys.keys_of(CAM.id).ledger(CAM.id)
    rewrite(redis, ledger, lambda n, said: said | {b"amount": b"-99"} if n == 2 else said)
    return Misfit("account", CAM.id, 2, "balance after it", 901, 900)


def ledger_entry_is_removed(redis: Redis, world: World) -> Misfit:
    redis.xdel(keys.keys_of(GUEST.id).ledger(GUEST.id), "3-0")
    return Misfit("account", GUEST.id, 3, "number", 3, 4)


def last_ledger_entry_is_removed(redis: Redis, world: World) -> Misfit:
    last = entries_of(world.played, GUEST)
    redis.xdel(keys.keys_of(GUEST.id).ledger(GUEST.id), f"{last}-0")
    return Misfit("account", GUEST.id, None, "postings in the index", last - 1, last)


def ledger_entry_can_not_be_read(redis: Redis, world: World) -> Misfit:
    ledger = keys.keys_of(CAM.id).ledger(CAM.id)
    rewrite(redis, ledger, lambda n, said: said | {b"amount": b"many"} if n == 2 else said)
    return Misfit("account", CAM.id, 2, "a ledger entry", "something that can be read", None)


def index_is_changed(redis: Redis, world: World) -> Misfit:
    redis.hset(keys.keys_of(DAN.id).postings(DAN.id), "grant", "2")
    return Misfit("account", DAN.id, 1, "number of grant in the index", 1, 2)


def balance_falls_below_0(redis: Redis, world: World) -> Misfit:
    of = keys.keys_of(DAN.id)
    fields = {"id": "x", "amount": -1100, "balance": -100, "why": "buy_in", "at": 0}
    redis.xadd(of.ledger(DAN.id), fields | {"table": "t", "deal": ""}, "2-0")  # type: ignore[arg-type]
    redis.hset(of.postings(DAN.id), "x", "2")
    redis.hset(of.account(DAN.id), "balance", "-100")
    return Misfit("account", DAN.id, 2, "chips below 0", 0, -100)


def granted_again(redis: Redis, world: World) -> Misfit:
    world.played.store.accounts.post(Posting("gift", DAN.id, 100, "grant", START))
    return Misfit("account", DAN.id, 2, "why", "anything but grant", "grant")


def granted_less_than_nothing(redis: Redis, world: World) -> Misfit:
    world.played.store.accounts.post(Posting("grant-x", DAN.id, -100, "grant", START))
    return Misfit("account", DAN.id, 2, "why", "anything but grant", "grant")


def paid_out_as_a_grant(redis: Redis, world: World) -> Misfit:
    world.played.store.accounts.post(Posting("grant-x", DAN.id, 100, "cash_out", START, "t"))
    return Misfit("account", DAN.id, 2, "why", "grant", "cash_out")


def paid_out_by_no_table(redis: Redis, world: World) -> Misfit:
    world.played.store.accounts.post(Posting("out-x-1-1", DAN.id, 100, "cash_out", START))
    return Misfit("account", DAN.id, 2, "table", "a table", None)


def paid_out_by_two_ids(redis: Redis, world: World) -> Misfit:
    table, id_ = world.waiting, f"out-{world.waiting.id}-5-5"
    posting = Posting(id_, CAM.id, 100, "cash_out", START, table.id)
    number = world.played.store.accounts.post(posting).number
    what = f"table {table.id}: event that pays {id_} out"
    return Misfit("account", CAM.id, number, what, "there", None)


def paid_out_to_somebody_else(redis: Redis, world: World) -> Misfit:
    table, id_ = world.waiting, f"out-{world.waiting.id}-5-4"
    world.played.store.accounts.post(Posting(id_, DAN.id, 100, "cash_out", START, table.id))
    return Misfit("account", DAN.id, 2, f"table {table.id}: player of {id_}", CAM.id, DAN.id)


def paid_out_too_much(redis: Redis, world: World) -> Misfit:
    table, store = world.waiting, world.played.store
    change = put_without_paying(world)
    (posting,) = change.owed
    number = store.accounts.post(replace(posting, amount=150)).number
    store.paid(table.id, change.table.version)
    what = f"table {table.id}: chips of {posting.id}"
    return Misfit("account", CAM.id, number, what, 100, 150)


def posted_twice(redis: Redis, world: World) -> Misfit:
    of = keys.keys_of(CAM.id)
    ((last, fields),) = cast(Any, redis.xrevrange(of.ledger(CAM.id), count=1))
    number, balance = int(last.split(b"-")[0]), int(fields[b"balance"]) - 100
    redis.xadd(of.ledger(CAM.id), fields | {b"balance": str(balance)}, f"{number + 1}-0")
    redis.hset(of.account(CAM.id), "balance", str(balance))
    what = f"earlier entry of {fields[b'id'].decode()}"
    return Misfit("account", CAM.id, number + 1, what, None, number)


def stack_is_changed(redis: Redis, world: World) -> Misfit:
    table = world.dealing
    number, seat = next(iter(table.seats.items()))
    change_state(redis, table.id, lambda said: add(said["seats"][str(number)], "stack", 7))
    what = f"stack of seat {number}"
    return Misfit("table", table.id, None, what, seat.stack, seat.stack + 7)


def house_is_changed(redis: Redis, world: World) -> Misfit:
    table = world.dealing
    change_state(redis, table.id, lambda said: add(said, "house", 7))
    return Misfit("table", table.id, None, "chips of the house", table.house, table.house + 7)


def state_can_not_be_read(redis: Redis, world: World) -> Misfit:
    redis.hset(keys.keys_of(world.waiting.id).table(world.waiting.id), "state", "{")
    what = "the state of the table"
    return Misfit("table", world.waiting.id, None, what, "something that can be read", None)


def event_is_removed(redis: Redis, world: World) -> Misfit:
    redis.xdel(keys.keys_of(world.waiting.id).log(world.waiting.id), "3-0")
    return Misfit("table", world.waiting.id, 3, "id", 3, 4)


def last_event_is_removed(redis: Redis, world: World) -> Misfit:
    table = world.waiting
    redis.xdel(keys.keys_of(table.id).log(table.id), f"{table.version}-0")
    what = "events in the log"
    return Misfit("table", table.id, None, what, table.version, table.version - 1)


def event_is_added(redis: Redis, world: World) -> Misfit:
    of, table = keys.keys_of(world.waiting.id), world.waiting
    redis.xadd(of.log(table.id), {"commit": "x", "entry": "[]"}, f"{table.version + 1}-0")
    what = "last event in the log"
    return Misfit("table", table.id, None, what, table.version, table.version + 1)


def a_share_is_changed(redis: Redis, world: World) -> Misfit:
    table = world.dealing
    settled = next(one for one in log_of(world, table) if one.event.type == "settled")

    def change(said: Any) -> None:
        said["shares"] = {seat: chips + 1 for seat, chips in said["shares"].items()}

    change_event(redis, table.id, settled.id, change)
    pot, shares = settled.event.pot, settled.event.shares
    what = "sum of the shares"
    return Misfit("table", table.id, settled.id, what, pot, pot + len(shares))


def a_pot_is_changed(redis: Redis, world: World) -> Misfit:
    table = world.dealing
    begun = next(one for one in log_of(world, table) if one.event.type == "deal_started")
    change_event(redis, table.id, begun.id, lambda said: add(said, "pot", -5))
    return Misfit("table", table.id, begun.id, "pot", begun.event.pot, begun.event.pot - 5)


def cashed_out_is_changed(redis: Redis, world: World) -> Misfit:
    table = world.waiting
    left = next(one for one in log_of(world, table) if one.event.type == "player_left")
    change_event(redis, table.id, left.id, lambda said: add(said["cashed_out"], "4", -1))
    return Misfit("table", table.id, left.id, "chips that seat 4 takes home", 100, 99)


def arrival_is_missing(redis: Redis, world: World) -> Misfit:
    of, table = keys.keys_of(world.waiting.id), world.waiting
    first = next(id_ for id_, at in arrivals(redis, table).items() if at == b"2")
    redis.hdel(of.arrivals(table.id), first)
    what = f"arrival of the buy-in of {HOST.id}"
    return Misfit("table", table.id, 1, what, "there", None)


def arrival_is_made_up(redis: Redis, world: World) -> Misfit:
    of, table = keys.keys_of(world.waiting.id), world.waiting
    redis.hset(of.arrivals(table.id), "join-made-up", "2")
    what = "player_joined of the buy-in join-made-up"
    return Misfit("table", table.id, 2, what, "there", None)


def buy_in_is_on_no_account(redis: Redis, world: World) -> Misfit:
    table, of = world.played.game.join(world.waiting.id, DAN), keys.keys_of(DAN.id)
    redis.delete(of.account(DAN.id), of.ledger(DAN.id), of.postings(DAN.id))
    id_ = next(id_ for id_, at in arrivals(redis, table).items() if int(at) == table.version)
    what = f"buy-in {id_} on account {DAN.id}"
    return Misfit("table", table.id, table.version, what, -100, None)


def refund_is_missing(redis: Redis, world: World) -> Misfit:
    store, table = world.played.store, world.waiting
    buy_in = Cashier(store).take(DAN.id, table, f"join-{table.id}-y", START)
    store.send_back(buy_in.posting)
    store.done(buy_in.due)
    what = f"table {table.id}: refund back-join-{table.id}-y"
    return Misfit("account", DAN.id, 2, what, 100, None)


def refund_of_nothing(redis: Redis, world: World) -> Misfit:
    posting = Posting("back-join-y", DAN.id, 100, "refund", START, world.waiting.id)
    world.played.store.accounts.post(posting)
    return Misfit("account", DAN.id, 2, "chips of the buy-in that came back", None, -100)


def buy_in_is_lost(redis: Redis, world: World) -> Misfit:
    store, table, id_ = world.played.store, world.waiting, f"join-{world.waiting.id}-y"
    store.done(Cashier(store).take(DAN.id, table, id_, START).due)
    what = f"table {table.id}: {id_} at the table, on its way, or back"
    return Misfit("account", DAN.id, 2, what, "there", None)


def buy_in_arrives_and_comes_back(redis: Redis, world: World) -> Misfit:
    store, table = world.played.store, world.waiting
    id_ = next(id_ for id_, at in arrivals(redis, table).items() if at == b"2")
    back = Posting(f"back-{id_}", HOST.id, 100, "refund", START, table.id)
    number = store.accounts.post(back).number
    what = f"table {table.id}: arrival of {id_}, which came back"
    return Misfit("account", HOST.id, number - 1, what, None, "there")


def return_is_not_noted(redis: Redis, world: World) -> Misfit:
    table, id_ = world.dealing, f"join-{world.dealing.id}-x"
    redis.hdel(keys.keys_of(table.id).arrivals(table.id), id_)
    what = f"table {table.id}: note that {id_} came back"
    return Misfit("account", GUEST.id, 3, what, "there", None)


def put_without_paying(world: World) -> Change:
    change = changed_by(world.played.store.load(world.waiting.id), Leave(CAM.id))
    put(world.played.store, change)
    return change


def owed_is_removed(redis: Redis, world: World) -> Misfit:
    table = put_without_paying(world).table
    redis.delete(keys.keys_of(table.id).owed(table.id))
    what = f"payout out-{table.id}-7-4 on account {CAM.id}, or owed"
    return Misfit("table", table.id, 7, what, 100, None)


def owed_is_changed(redis: Redis, world: World) -> Misfit:
    table = put_without_paying(world).table
    key = keys.keys_of(table.id).owed(table.id)
    owed = cast(bytes, redis.hget(key, "7"))
    redis.hset(key, "7", owed.replace(b":100,", b":200,"))
    return Misfit("table", table.id, 7, f"owed as out-{table.id}-7-4", 100, 200)


def owed_is_not_due(redis: Redis, world: World) -> Misfit:
    table = put_without_paying(world).table
    world.played.store.done(Due("pay_out", table.id, 7))
    return Misfit("table", table.id, 7, "due entry of what is owed", "there", None)


def table_is_removed(redis: Redis, world: World) -> Misfit:
    of, id_ = keys.keys_of(world.waiting.id), world.waiting.id
    redis.delete(of.table(id_), of.log(id_), of.arrivals(id_), of.owed(id_))
    lost = int(redis.hget(of.house, "chips") or 0)
    what = "chips that the house lost at forgotten tables"
    return Misfit("house", of.house, None, what, lost - 300, lost)


def house_of_forgotten_tables_is_changed(redis: Redis, world: World) -> Misfit:
    of = keys.keys_of(world.gone)
    chips = int(redis.hget(of.house, "chips") or 0)
    redis.hincrby(of.house, "chips", 3)
    what = "chips that the house lost at forgotten tables"
    return Misfit("house", of.house, None, what, chips, chips + 3)


def change_state(redis: Redis, table_id: str, change: Callable[[Any], None]) -> None:
    key = keys.keys_of(table_id).table(table_id)
    said = json.loads(redis.hget(key, "state") or b"")
    change(said)
    redis.hset(key, "state", json.dumps(said))


def change_event(redis: Redis, table_id: str, id_: int, change: Callable[[Any], None]) -> None:
    def changed(number: int, fields: dict[bytes, bytes]) -> dict[bytes, bytes]:
        if number != id_:
            return fields
        said = json.loads(fields[b"entry"])
        change(said[5])
        return fields | {b"entry": json.dumps(said).encode()}

    rewrite(redis, keys.keys_of(table_id).log(table_id), changed)


def add(said: Any, name: str, more: int) -> None:
    said[name] += more


def log_of(world: World, table: Table) -> tuple[Any, ...]:
    return world.played.store.entries(table.id, 0, 100_000)


def arrivals(redis: Redis, table: Table) -> dict[str, bytes]:
    found: Any = redis.hgetall(keys.keys_of(table.id).arrivals(table.id))
    return {id_.decode(): at for id_, at in found.items()}


def rewrite(redis: Redis, key: str, change: Callable[[int, dict[bytes, bytes]], Any]) -> None:
    """Write a stream anew: with what `change` makes of each entry; None leaves it out."""
    entries: Any = redis.xrange(key)
    redis.delete(key)
    for id_, fields in entries:
        changed = change(int(id_.split(b"-")[0]), fields)
        if changed is not None:
            redis.xadd(key, changed, id_)


ALL: tuple[Tamper, ...] = (
    balance_is_changed,
    ledger_amount_is_changed,
    ledger_entry_is_removed,
    last_ledger_entry_is_removed,
    ledger_entry_can_not_be_read,
    index_is_changed,
    balance_falls_below_0,
    posted_twice,
    granted_again,
    granted_less_than_nothing,
    paid_out_as_a_grant,
    paid_out_by_no_table,
    paid_out_by_two_ids,
    paid_out_to_somebody_else,
    paid_out_too_much,
    stack_is_changed,
    house_is_changed,
    state_can_not_be_read,
    event_is_removed,
    last_event_is_removed,
    event_is_added,
    a_share_is_changed,
    a_pot_is_changed,
    cashed_out_is_changed,
    arrival_is_missing,
    arrival_is_made_up,
    buy_in_is_on_no_account,
    refund_is_missing,
    refund_of_nothing,
    buy_in_is_lost,
    buy_in_arrives_and_comes_back,
    return_is_not_noted,
    owed_is_removed,
    owed_is_changed,
    owed_is_not_due,
    table_is_removed,
    house_of_forgotten_tables_is_changed,
)
"""All of them; each does harm in one place."""
