"""Quick match: players who want the same find each other, whatever happens at once."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from redis import Redis

from service.audit import audit
from service.game import ANY, Game, Once, Terms
from service.quick_match import quick_match
from service.store.answers import Answer
from service.store.base import ARRIVE_MS
from service.store.books import Books
from service.store.connection import connect
from service.store.redis_store import RedisStore
from service.tables import Leave, Player, Status, Table
from service.tables.errors import RulesChanged
from service.tables.matching import Wish
from tests.support.dying import Deathbed, Killed
from tests.support.game import FakeClock, KeptQueue, Played
from tests.support.tables import GUEST, HOST, open_account, settings

CAM = Player("cam", "Cam", "human")
TWO, THREE = Wish(2, 5), Wish(3, 5)


@pytest.fixture
def played() -> Played:
    """A game with three players."""
    played = Played()
    open_account(played.store, CAM)
    return played


def find(played: Played, player: Player, wish: Wish = TWO) -> Table:
    """A seat for a player."""
    return quick_match(played.game, player, wish, None)


def players(table: Table) -> list[str]:
    """Who sits at a table."""
    return [seat.player.id for seat in table.seats.values()]


def test_two_find_each_other(played: Played) -> None:
    """The first waits at a new table, the second takes its last seat, and play begins."""
    first = find(played, HOST)
    assert (Status.WAITING, "public") == (first.status, first.settings.visibility)
    second = find(played, GUEST)
    assert (first.id, [HOST.id, GUEST.id]) == (second.id, players(second))
    assert Status.CUTTING is second.status


def test_whoever_waits_already_keeps_the_table(played: Played) -> None:
    """Asking again gives the table at which one waits; once play has begun there, another one."""
    first = find(played, HOST)
    assert first == find(played, HOST)
    find(played, GUEST)
    assert first.id != find(played, HOST).id


@pytest.mark.parametrize(
    "changed",
    [
        {"seats": 2},
        {"ante": 6},
        {"visibility": "private"},
        {"buy_in": 101},
        {"start_when": "host"},
    ],
)
def test_tables_that_do_not_suit(played: Played, changed: dict[str, Any]) -> None:
    """Other stakes, dearer seats, private tables and those that a host starts are passed over."""
    other = played.table(**{"seats": 3, "ante": 5, "buy_in": 100} | changed)
    assert other.id != find(played, GUEST, THREE).id


def test_any_public_table_may_suit(played: Played) -> None:
    """A table that somebody has made suits as well, but not its maker."""
    table = played.table(seats=3)
    assert table.id != find(played, HOST, THREE).id
    assert table.id == find(played, GUEST, THREE).id


def test_the_fullest_first(played: Played) -> None:
    """The table with the fewest open seats comes first; of those with as many, the oldest."""
    oldest, fullest = played.table(seats=4), played.table("easy", "easy", seats=4)
    played.table(seats=4)
    wish = Wish(4, 5)
    assert fullest.id == find(played, GUEST, wish).id
    assert oldest.id == find(played, CAM, wish).id


def test_bots_come_in_time(played: Played) -> None:
    """Where nobody comes for so many seconds, house bots take the open seats, and play begins."""
    table = find(played, HOST, Wish(4, 5, 20))
    played.game.join(table.id, GUEST)
    played.clock.advance(19)
    assert [] == played.sweep()
    played.clock.advance(1)
    assert ["fill"] == [due.kind for due in played.sweep()]
    table = played.store.load(table.id)
    levels = [seat.player.level for seat in table.seats.values()]
    assert [None, None, "medium", "medium"] == levels
    assert Status.CUTTING is table.status
    assert 4 == len({seat.player.name for seat in table.seats.values()})


def test_bots_at_once(played: Played) -> None:
    """Who does not want to wait plays at once, against house bots."""
    table = find(played, HOST, Wish(3, 5, 0))
    assert (Status.CUTTING, 3) == (table.status, len(table.seats))


def test_no_bots_where_all_have_left(played: Played) -> None:
    """A table that everybody has left closes, and gets no bots."""
    table = find(played, HOST, Wish(3, 5, 20))
    assert Status.CLOSED is played.game.act(table.id, Leave(HOST.id)).status
    played.clock.advance(21)
    assert [] == played.sweep()


def test_bots_that_come_early_enough(played: Played) -> None:
    """Who wants bots sits where they come no later, or where no more than this seat is open."""
    late = find(played, HOST, Wish(3, 5, 60))
    soon = find(played, GUEST, Wish(3, 5, 10))
    assert late.id != soon.id
    played.clock.advance(55)
    assert late.id == find(played, CAM, Wish(3, 5, 10)).id
    assert soon.id != late.id


def test_many_older_tables_that_do_not_suit(played: Played) -> None:
    """Who wants bots finds others who do, however many tables without bots are older."""
    for n in range(25):
        host = Player(f"host-{n}", "Nalu", "human")
        open_account(played.store, host)
        played.game.create_table(host, settings(seats=3, buy_in=100), ())
    wish = Wish(3, 5, 30)
    assert 1 == len({find(played, player, wish).id for player in (HOST, GUEST, CAM)})


def test_other_house_rules(played: Played) -> None:
    """Who has agreed to other house rules is refused, and nothing is taken."""
    with pytest.raises(RulesChanged):
        quick_match(played.game, HOST, TWO, "other")
    assert () == played.store.lobby(None, open_only=False, limit=9).tables
    assert 1000 == played.store.accounts.account(HOST.id).balance


class Crowd:
    """A game over the real server, with clients of their own for those who come at once."""

    def __init__(self, redis: Redis, url: str) -> None:
        self.clock, self.url = FakeClock(), url
        self.game = self.over(redis)
        self.store = self.game.store

    def over(self, redis: Redis) -> Game:
        """The application over a client."""
        return Game(RedisStore(redis, 3600, 4, self.clock), KeptQueue(), clock=self.clock)


@pytest.fixture
def crowd(redis: Redis, redis_url: str) -> Crowd:
    """An empty server."""
    return Crowd(redis, redis_url)


@pytest.mark.parametrize("keyed", [False, True])
def test_many_at_once_pair_up(crowd: Crowd, redis: Redis, *, keyed: bool) -> None:
    """Twenty who want a table for two sit at ten, each of them once, and no chip is lost."""
    many = [Player(f"player-{n}", f"Player {n}", "human") for n in range(20)]
    for player in many:
        open_account(crowd.store, player)
    shared = connect(crowd.url)

    def seek(player: Player) -> Table:
        terms = asked(player.id) if keyed else ANY
        return quick_match(crowd.over(shared), player, TWO, None, terms)

    with ThreadPoolExecutor(len(many)) as pool:
        found = list(pool.map(seek, many))
    tables = [crowd.store.load(id_) for id_ in {table.id for table in found}]
    report = audit(Books(shared))
    shared.close()

    assert 10 == len(tables)
    assert Counter({player.id: 1 for player in many}) == Counter(
        id_ for table in tables for id_ in players(table)
    )
    assert [] == [str(misfit) for misfit in report.misfits]


def asked(key: str) -> Terms:
    """The terms of a request with an idempotency key."""
    return Terms(once=Once(key, lambda _: Answer(key, key, f"claim-{key}", "done")))


def test_many_open_tables_are_not_all_read(crowd: Crowd) -> None:
    """However many tables are open, a look at them takes as many round trips."""
    steps = []
    for guest, more in ((GUEST, 1), (CAM, 40)):
        open_account(crowd.store, guest)
        for n in range(more):
            host = Player(f"host-{more}-{n}", "Nalu", "human")
            open_account(crowd.store, host)
            crowd.game.create_table(host, settings(seats=5, buy_in=100), ())
        deathbed = Deathbed(crowd.url, 0, done=True)
        quick_match(crowd.over(deathbed.redis), guest, Wish(5, 5), None)
        deathbed.redis.close()
        steps.append(deathbed.steps)
    assert steps[0] == steps[1]


Prepare = Callable[[Crowd], object]


def nobody_waits(crowd: Crowd) -> None:
    """The request makes a table."""


def somebody_waits(crowd: Crowd) -> None:
    """The request finds a table, and with it play begins there."""
    quick_match(crowd.game, HOST, TWO, None)


@pytest.mark.parametrize("done", [False, True], ids=["before it", "after it"])
@pytest.mark.parametrize("prepare", [nobody_waits, somebody_waits])
def test_a_request_sent_again_after_a_kill(
    redis: Redis, redis_url: str, prepare: Prepare, *, done: bool
) -> None:
    """Killed at any step and sent again with its key, it seats its player once, for one buy-in."""
    for step in range(1, 60):
        redis.flushall()
        crowd = Crowd(redis, redis_url)
        for player in (HOST, GUEST):
            open_account(crowd.store, player)
        prepare(crowd)
        deathbed = Deathbed(redis_url, step, done=done)
        died = False
        try:
            quick_match(crowd.over(deathbed.redis), GUEST, TWO, None, asked("key"))
        except Killed:
            died = True
        finally:
            deathbed.redis.close()
        crowd.clock.advance(ARRIVE_MS / 1000 + 20)
        quick_match(crowd.game, GUEST, TWO, None, asked("key"))
        while due := crowd.store.claim_due(crowd.clock.now, crowd.clock.now + 1, 100):
            for one in due:
                crowd.game.run(one)
        assert 1 == len(crowd.store.tables_of(GUEST.id, crowd.clock.now)), step
        assert 900 == crowd.store.accounts.account(GUEST.id).balance, step
        assert audit(Books(redis)).fits
        if not died:
            return
    raise AssertionError("it never came to its end")
