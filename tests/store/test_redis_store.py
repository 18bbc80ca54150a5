"""What the store over Redis does beyond the contract: round trips, restarts, lost replies."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import pytest
from redis import Redis

from service.store import keys
from service.store.base import LOST_AFTER_MS, Change, Due, StaleVersion, Unavailable
from service.store.codec import FORMAT
from service.store.redis_store import RedisStore
from service.tables import Leave, Player, Table
from tests.store.conftest import RETENTION_SECONDS, store_at
from tests.support.parts import Server, own_server
from tests.support.proxy import LossyProxy, lossy_proxy
from tests.support.tables import BOT, GUEST, HOST, START, changed_by, created, put, seated
from tests.support.waiting import wait_until

LATE = Player("late", "Late", "human")
BOT_TOO = Player("house-too", "Leilani", "house_bot", "easy")


def requests_during(redis: Redis, action: Callable[[], object]) -> list[str]:
    """The names of the commands that clients sent meanwhile, each of them a round trip."""
    with redis.monitor() as monitor:  # type: ignore[no-untyped-call]
        action()
        redis.echo("end")
        names: list[str] = []
        for seen in monitor.listen():
            if seen["client_type"] == "lua":
                continue
            name = seen["command"].split()[0].upper()
            if name == "ECHO":
                return names
            if name not in ("HELLO", "CLIENT"):  # Setting up a connection.
                names.append(name)
    raise AssertionError


def test_a_change_is_two_round_trips(redis: Redis, redis_store: RedisStore) -> None:
    """A change reads once and writes once, whatever it writes."""
    table = put(redis_store, created())
    seen = requests_during(
        redis, lambda: redis_store.change(table.id, lambda t: changed_by(t, seated(GUEST)))
    )
    assert ["HMGET", "EVALSHA"] == seen


def test_a_lost_race_costs_two_more(redis: Redis, redis_store: RedisStore) -> None:
    """Being judged again reads and writes once more, and nothing else."""
    table = put(redis_store, created(seats=5))
    others = iter([GUEST])

    def decide(seen: Table) -> Change:
        for other in others:
            put(redis_store, changed_by(seen, seated(other)))
        return changed_by(seen, seated(LATE))

    seen = requests_during(redis, lambda: redis_store.change(table.id, decide))
    assert ["HMGET", "EVALSHA", "EVALSHA", "HMGET", "EVALSHA"] == seen


def test_all_keys_of_a_table_share_one_hash_tag(redis: Redis, redis_store: RedisStore) -> None:
    """What a table's life writes lies in its partition's slot, the players' keys apart."""
    table = put(redis_store, created(joiners=(HOST, GUEST), turn_seconds=10))
    put(redis_store, changed_by(table, Leave(HOST.id)))
    of = keys.keys_of(table.id)
    written = {key.decode() for key in cast(list[bytes], redis.keys("*"))}
    assert {of.table(table.id), of.log(table.id), of.due, of.lobby("full")} <= written
    assert {of.tag} == {key.split(":")[1] for key in written}


def test_the_format_is_beside_the_state(redis: Redis, redis_store: RedisStore) -> None:
    """Whoever reads a stored table can tell its format and version without reading its state."""
    table = put(redis_store, created())
    key = keys.keys_of(table.id).table(table.id)
    assert [b"1", str(FORMAT).encode()] == redis.hmget(key, "version", "format")


def test_an_older_release_has_listed_it(redis: Redis, redis_store: RedisStore) -> None:
    """A table is listed anew where a release has listed it that does not note where."""
    table = put(redis_store, created(start_when="host"))
    state = keys.keys_of(table.id).table(table.id)
    noted = cast(bytes, redis.hget(state, "listed"))
    full = put(redis_store, changed_by(table, seated(GUEST)))
    redis.hset(state, "listed", noted)
    after = put(redis_store, changed_by(full, Leave(GUEST.id)))
    assert (after,) == redis_store.lobby(None, open_only=True, limit=9).tables


def test_a_closed_table_is_kept_for_some_time(redis: Redis, redis_store: RedisStore) -> None:
    """A closed table is due to be forgotten after the retention; then nothing of it is left."""
    table = put(redis_store, created(seats=3))
    of = keys.keys_of(table.id)
    change = changed_by(table, Leave(HOST.id))
    closed = put(redis_store, change)
    assert closed == redis_store.load(table.id)
    assert 0 == redis.zcard(of.lobby("open")) + redis.zcard(of.lobby("full"))
    over = START + 1000 * RETENTION_SECONDS
    assert (Due("pay_out", table.id, closed.version),) == redis_store.claim_due(over - 1, over, 9)
    assert redis_store.forget(closed) is False, "it still owes chips"
    redis_store.paid(table.id, closed.version)
    assert (Due("forget", table.id, closed.version),) == redis_store.claim_due(over, over, 9)
    assert redis_store.forget(closed) is True
    assert [of.house] == [key.decode() for key in cast(list[bytes], redis.keys("*"))]


def test_what_was_enqueued_at_once_is_swept_later(redis: Redis, redis_store: RedisStore) -> None:
    """The sweep leaves the fast path some time before it takes a job for lost."""
    table = put(redis_store, created(joiners=(BOT, BOT_TOO)))
    found = redis.zrange(keys.keys_of(table.id).due, 0, -1, withscores=True)
    assert [(f"play_bot:{table.id}:{table.version}".encode(), START + LOST_AFTER_MS)] == found


@pytest.fixture
def proxy(redis: Redis, redis_url: str, tmp_path: Path) -> Iterator[LossyProxy]:
    """A way to the real server that loses replies when told to."""
    upstream = Path(redis_url.removeprefix("unix://"))
    with lossy_proxy(upstream, tmp_path / "lossy.sock") as proxy:
        yield proxy


def test_a_lost_reply_is_no_false_conflict(proxy: LossyProxy, redis_store: RedisStore) -> None:
    """A commit whose reply is lost is sent again by the client, and is true, and there once."""
    store = store_at(proxy.url)
    table = put(store, created())
    proxy.lose(b"EVALSHA", 1)
    change = changed_by(table, seated(GUEST))
    assert store.commit(table.version, change) is True
    assert 1 == proxy.lost
    assert change.table == redis_store.load(table.id)
    assert change.entries == redis_store.entries(table.id, table.version, 9)


def test_a_lost_reply_while_others_commit(proxy: LossyProxy, redis_store: RedisStore) -> None:
    """It is also true where others have changed the table before the client sends it again."""
    store = store_at(proxy.url)
    table = put(store, created(seats=5))
    mine = changed_by(table, seated(GUEST))

    def meanwhile() -> None:
        put(redis_store, changed_by(mine.table, seated(LATE)))

    proxy.lose(b"EVALSHA", 1, meanwhile)
    assert store.commit(table.version, mine) is True
    assert 1 == proxy.lost
    names = [seat.player.id for seat in redis_store.load(table.id).seats.values()]
    assert [HOST.id, GUEST.id, LATE.id] == names


def test_a_lost_reply_of_a_loser(proxy: LossyProxy, redis_store: RedisStore) -> None:
    """A commit that lost its race, and its reply too, is refused when it is sent again."""
    store = store_at(proxy.url)
    table = put(store, created(seats=5))
    other = put(redis_store, changed_by(table, seated(LATE)))

    def decide(seen: Table) -> Change:
        put(redis_store, changed_by(seen, seated(BOT)))
        return changed_by(seen, seated(GUEST))

    proxy.lose(b"EVALSHA", 1)
    with pytest.raises(StaleVersion) as refused:
        store.change(other.id, decide, other.version)
    assert 1 == proxy.lost
    assert refused.value.table == redis_store.load(table.id)
    assert refused.value.table.seat_of(GUEST.id) is None


def test_replies_that_stay_lost(proxy: LossyProxy, redis_store: RedisStore) -> None:
    """Where the reply is lost twice the caller is told that the store is away, not a conflict."""
    store = store_at(proxy.url)
    table = put(store, created())
    proxy.lose(b"EVALSHA", 2)
    change = changed_by(table, seated(GUEST))
    with pytest.raises(Unavailable):
        store.commit(table.version, change)
    assert change.table == redis_store.load(table.id)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server of one test alone."""
    with own_server(tmp_path) as server:
        yield server


def test_a_restarted_server_has_no_scripts(server: Server) -> None:
    """After a kill and a restart the same store goes on: nothing acknowledged is lost."""
    store = store_at(server.url)
    table = put(store, created(seats=5))
    for player in (GUEST, LATE):
        server.kill()
        server.start()
        table = put(store, changed_by(table, seated(player)))
    assert table == store.load(table.id)
    assert [1, 2, 3] == [entry.id for entry in store.entries(table.id, 0, 9)]
    server.kill()
    server.start()
    assert () == store.claim_due(START, START, 5), "in a pipeline too"


def test_scripts_that_were_flushed(redis: Redis, redis_store: RedisStore) -> None:
    """A server that has forgotten its scripts is told them again."""
    table = put(redis_store, created())
    redis.script_flush()
    put(redis_store, changed_by(table, seated(GUEST)))
    redis.script_flush()
    assert 1 == len(redis_store.claim_due(START * 2, START * 2, 5))


def test_a_server_that_is_gone(server: Server) -> None:
    """Without a server every call says within 2 s that it is away, and recovers by itself."""
    store = store_at(server.url)
    table = put(store, created())
    server.kill()
    for call in calls(store, table):
        begun = time.monotonic()
        with pytest.raises(Unavailable):
            call()
        assert time.monotonic() - begun < 2
    server.start()
    wait_until(lambda: recovered(store, table), 1)
    put(store, changed_by(table, seated(GUEST)))


def test_a_server_that_hangs(server: Server) -> None:
    """A server that takes connections and never answers is away too, within 2 s."""
    store = store_at(server.url)
    table = put(store, created())
    server.halt()
    for call in calls(store, table):
        begun = time.monotonic()
        with pytest.raises(Unavailable):
            call()
        assert time.monotonic() - begun < 2
    server.go_on()
    wait_until(lambda: recovered(store, table), 1)


def calls(store: RedisStore, table: Table) -> list[Callable[[], object]]:
    """A call of every kind."""
    change = changed_by(table, seated(GUEST))
    return [
        lambda: store.load(table.id),
        lambda: store.commit(table.version, change),
        lambda: store.change(table.id, lambda _: change),
        lambda: store.entries(table.id, 0, 9),
        lambda: store.record(table.id, 1),
        lambda: store.records(table.id, None, 9),
        lambda: store.lobby(None, open_only=False, limit=9),
        lambda: store.wait(table.id, table.version, 1),
        lambda: store.claim_due(START, START, 9),
        lambda: store.accounts.account("me"),
        lambda: store.accounts.ledger("me", None, 9),
        lambda: store.accounts.note("me", table.id, START),
        lambda: store.tables_of("me", START),
        lambda: store.answers.claim("here", "key", "claim"),
        store.ping,
    ]


def recovered(store: RedisStore, table: Table) -> bool:
    """Whether the store answers again."""
    try:
        return store.load(table.id).id == table.id
    except Unavailable:
        return False


def test_waiting_places_are_bounded(redis_store: RedisStore) -> None:
    """Beyond so many waiters of a process the answer comes at once, not an error."""
    table = put(redis_store, created())
    watches = redis_store.watches
    waiters = [
        threading.Thread(target=redis_store.wait, args=(table.id, table.version, 20))
        for _ in range(4)
    ]
    for waiter in waiters:
        waiter.start()
    wait_until(lambda: len(watches._of[table.id]) == 4)
    begun = time.monotonic()
    assert table == redis_store.wait(table.id, table.version, 20)
    assert time.monotonic() - begun < 2
    put(redis_store, changed_by(table, seated(GUEST)))
    for waiter in waiters:
        waiter.join(5)
        assert not waiter.is_alive()
    assert {} == watches._of, "no table is remembered that nobody waits for"


def test_waiting_outlives_a_lost_subscription(server: Server) -> None:
    """Who waits while the subscription's connection breaks still sees the next change at once."""
    store = store_at(server.url)
    table = put(store, created())
    seen: list[Table] = []
    waiter = threading.Thread(target=lambda: seen.append(store.wait(table.id, table.version, 20)))
    waiter.start()
    with Redis.from_url(server.url) as client:
        wait_until(lambda: subscribers(client, table.id) == 1)
        assert 1 == client.client_kill_filter(_type="pubsub")
        wait_until(lambda: subscribers(client, table.id) == 1, 5)
    after = put(store, changed_by(table, seated(GUEST)))
    waiter.join(5)
    assert [after] == seen


def subscribers(redis: Redis, table_id: str) -> int:
    """How many listen to the changes of a table."""
    [(_, number)] = redis.pubsub_numsub(keys.CHANGED + table_id)
    return int(number)


def test_waiting_outlives_a_restart(server: Server) -> None:
    """A waiter either learns that the store went away, or waits on; the next one is woken."""
    store = store_at(server.url)
    table = put(store, created())
    first = threading.Thread(target=wait_or_give_up, args=(store, table))
    first.start()
    wait_until(lambda: store.watches._of)
    server.kill()
    server.start()
    seen: list[Table] = []
    second = threading.Thread(target=lambda: seen.append(store.wait(table.id, table.version, 20)))
    second.start()
    with Redis.from_url(server.url) as client:
        wait_until(lambda: subscribers(client, table.id) == 1)
    after = put(store, changed_by(table, seated(GUEST)))
    second.join(5)
    first.join(5)
    assert [after] == seen
    assert not first.is_alive()


def wait_or_give_up(store: RedisStore, table: Table) -> None:
    """Wait as a request does."""
    try:
        store.wait(table.id, table.version, 20)
    except Unavailable:
        return
