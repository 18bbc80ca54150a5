"""How many tables a player may be at, whatever happens at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from redis import Redis

from service.game import Game, LimitReached
from service.store.base import NOTED_MS
from service.store.connection import connect
from service.store.redis_store import RedisStore
from service.tables import Leave, Player
from tests.support.game import FakeClock, KeptQueue, Played
from tests.support.tables import GUEST, HOST, open_account, settings

MOST = 3


@pytest.fixture
def played() -> Played:
    """A game where nobody may be at more than three tables."""
    played = Played()
    played.game = Game(played.store, played.queue, 1000, played.clock, max_tables=MOST)
    return played


def tables(played: Played, player: Player) -> int:
    """How many tables a player sits at."""
    return len(played.store.tables_of(player.id, played.clock.now))


def test_tables_made(played: Played) -> None:
    """One table too many is not made, and costs nothing."""
    for _ in range(MOST):
        played.table()
    account = played.store.accounts.account(HOST.id)

    with pytest.raises(LimitReached, match="host of: 3") as refused:
        played.table()
    assert ("limit_reached", "tables") == (refused.value.code, refused.value.facts["limit"])
    assert account == played.store.accounts.account(HOST.id)
    listed = played.store.lobby(None, open_only=False, limit=9).tables
    assert MOST == len(listed) == tables(played, HOST)


def test_tables_joined(played: Played) -> None:
    """Seats taken count with tables made; the refusal tells how the table stands."""
    open_account(played.store, GUEST)
    hosts = [Player(f"host-{n}", "Nalu", "human") for n in range(MOST)]
    for host in hosts:
        open_account(played.store, host)
    found = [played.game.create_table(host, settings(), ()) for host in hosts]
    played.game.create_table(GUEST, settings(), ())
    for table in found[1:]:
        played.game.join(table.id, GUEST)
    balance = played.store.accounts.account(GUEST.id).balance

    with pytest.raises(LimitReached) as refused:
        played.game.join(found[0].id, GUEST)
    assert found[0] == refused.value.table == played.store.load(found[0].id)
    assert balance == played.store.accounts.account(GUEST.id).balance
    assert MOST == tables(played, GUEST)


def test_tables_watched_as_their_host(played: Played) -> None:
    """Tables of bots alone count for their host."""
    for _ in range(MOST):
        played.table("easy", "easy", deals=5)

    with pytest.raises(LimitReached):
        played.table("easy", "easy", deals=5)


def test_closed_tables_count_no_more(played: Played) -> None:
    """Any number of tables may be closed behind a player, one after the other."""
    for _ in range(3 * MOST):
        played.game.act(played.table().id, Leave(HOST.id))

    assert 0 == tables(played, HOST)


def test_tables_left_count_no_more_in_a_minute(played: Played) -> None:
    """A seat that was given up counts for a minute more, since it may just be about to be taken."""
    for _ in range(MOST):
        table = played.table(joiners=(GUEST,), seats=3)
        played.game.act(table.id, Leave(HOST.id))
    with pytest.raises(LimitReached):
        played.table()
    played.clock.advance(NOTED_MS / 1000 + 1)

    for _ in range(MOST):
        played.table()
    with pytest.raises(LimitReached):
        played.table()


def test_coming_back(played: Played) -> None:
    """Who comes back to a table does not count there twice."""
    for _ in range(MOST):
        table = played.table(joiners=(GUEST,), seats=3)
    played.game.act(table.id, Leave(HOST.id))

    assert played.game.join(table.id, HOST).seat_of(HOST.id) is not None


def test_no_limit() -> None:
    """Where the setting is 0 there is none."""
    played = Played()
    for _ in range(30):
        played.table(buy_in=5)

    assert 30 == tables(played, HOST)


def test_many_joins_at_once(redis: Redis, redis_url: str) -> None:
    """Of many seats that are taken at the same time no more are had than there may be."""
    clock = FakeClock()
    client = connect(redis_url)
    store = RedisStore(client, 3600, 4, clock)
    game = Game(store, KeptQueue(), 0, clock, max_tables=MOST)
    open_account(store, GUEST, 100_000)
    hosts = [Player(f"host-{n}", "Nalu", "human") for n in range(12)]
    for host in hosts:
        open_account(store, host)
    found = [game.create_table(host, settings(seats=3), ()).id for host in hosts]

    def join(table_id: str) -> bool:
        try:
            game.join(table_id, GUEST)
        except LimitReached:
            return False
        return True

    with ThreadPoolExecutor(len(found)) as pool:
        had = list(pool.map(join, found))
    tables, account = store.tables_of(GUEST.id, clock.now), store.accounts.account(GUEST.id)
    client.close()

    assert MOST == had.count(True) == len(tables)
    assert 100_000 - MOST * settings().buy_in == account.balance
