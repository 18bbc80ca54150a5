"""What both stores promise of ratings and boards (service/store/ratings.py)."""

import threading
from itertools import pairwise

from redis import Redis

from service.store.base import Store
from service.store.keys import RATINGS
from service.store.ratings import FORGET_SECONDS, MOST_POINTS, Kind, Ranked, Rating, Rerated, place
from service.store.redis_store import RedisStore


def rating(points: int, deals: int = 1, won: int = 0) -> Rating:
    """A rating with these points."""
    return Rating(deals, won, points, 25.1234567890123456, 8.25)


def rerated(
    player: str, after: Rating, before: Rating | None = None, kind: Kind = "human"
) -> Rerated:
    """A change of a player's rating."""
    return Rerated(player, kind, before, after)


def put(store: Store, kind: Kind, **points: int) -> None:
    """Give players their first ratings."""
    for player, its in points.items():
        assert store.ratings.apply(
            f"table-of-{player}", 1, (rerated(player, rating(its), kind=kind),)
        )


def names(board: tuple[Ranked, ...]) -> list[tuple[int, str]]:
    """Rank and player of each place."""
    return [(one.rank, one.player) for one in board]


def test_a_rating_is_read_as_it_was_written(store: Store) -> None:
    """It is exactly what was written, and who has none is not there."""
    ann, ben = rating(1100, won=1), rating(950)
    assert store.ratings.apply("table-1", 1, (rerated("ann", ann), rerated("ben", ben)))
    assert {"ann": ann, "ben": ben} == store.ratings.of(["ann", "ben", "cam"])
    assert {} == store.ratings.of([])


def test_a_deal_counts_once(store: Store) -> None:
    """A deal that was applied, or one before it, changes nothing any more; the next one does."""
    first, second, third = rating(1100), rating(1200, 2), rating(1300, 3)
    assert store.ratings.apply("table-1", 4, (rerated("ann", first),))
    for deal in (4, 3):
        assert store.ratings.apply("table-1", deal, (rerated("ann", second, first),))
        assert {"ann": first} == store.ratings.of(["ann"])
    assert store.ratings.apply("table-1", 5, (rerated("ann", second, first),))
    assert store.ratings.apply("table-2", 1, (rerated("ann", third, second),)), "another table"
    assert {"ann": third} == store.ratings.of(["ann"])


def test_what_rests_on_an_old_rating_is_refused(store: Store) -> None:
    """Where one of the ratings has changed since it was read, none is written."""
    ann, newer = rating(1100), rating(1150, 2)
    put(store, "human", ann=1100, ben=900)
    assert store.ratings.apply("table-1", 1, (rerated("ann", newer, ann),))

    stale = (rerated("ben", rating(800, 2), rating(900)), rerated("ann", rating(1, 2), ann))
    assert not store.ratings.apply("table-2", 1, stale)
    assert not store.ratings.apply("table-2", 1, (rerated("ann", rating(1)),)), "not the first"
    assert {"ann": newer, "ben": rating(900)} == store.ratings.of(["ann", "ben"])
    assert [(1, "ann"), (2, "ben")] == names(store.ratings.board("human", None, 9))
    fresh = (rerated("ann", rating(1160, 3), newer),)
    assert store.ratings.apply("table-2", 1, fresh), "a refused deal is not taken for a rated one"


def test_of_many_at_once_none_is_lost(store: Store) -> None:
    """Of many who rate deals of one player at once, each counts once."""

    def count(table: str) -> None:
        for deal in (1, 2, 3):
            while True:
                before = store.ratings.of(["ann"]).get("ann")
                deals = (before.deals if before else 0) + 1
                change = rerated("ann", rating(1000 + deals, deals), before)
                if store.ratings.apply(table, deal, (change,)):
                    break

    threads = [threading.Thread(target=count, args=(f"table-{n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {"ann": rating(1018, 18)} == store.ratings.of(["ann"])
    assert [(1, "ann")] == names(store.ratings.board("human", None, 9)), "one place a player"


def test_of_many_who_rate_one_deal_one_does(store: Store) -> None:
    """Of many who rate the same deal at once one does, and for all of them it is done."""
    done: list[bool] = []
    change = rerated("ann", rating(1100))

    def count() -> None:
        done.append(store.ratings.apply("table-1", 1, (change,)))

    threads = [threading.Thread(target=count) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [True] * 8 == done
    assert {"ann": rating(1100)} == store.ratings.of(["ann"])


def test_a_board_has_the_best_first(store: Store) -> None:
    """Players come by points, those with equal ones share a rank, and each kind is by itself."""
    put(store, "human", ann=900, ben=1200, cam=1200, dan=MOST_POINTS, eve=0, fay=1200, gus=900)
    put(store, "bot", bot=5000)
    ranks = [(1, "dan"), (2, "fay"), (2, "cam"), (2, "ben"), (5, "gus"), (5, "ann"), (7, "eve")]

    board = store.ratings.board("human", None, 9)
    assert ranks == names(board)
    assert [rating(1200)] * 3 == [one.rating for one in board[1:4]]
    assert [(1, "bot")] == names(store.ratings.board("bot", None, 9))
    for rank, player in ranks:
        alone = store.ratings.ranked(player, "human")
        assert alone is not None
        assert (rank, player) == (alone.rank, alone.player)
    assert store.ratings.ranked("nobody", "human") is None


def test_a_board_by_pages(store: Store) -> None:
    """Page by page there are the same players with the same ranks, whatever the page's size."""
    put(store, "human", **{f"player{n}": 1000 + n // 3 for n in range(12)})
    whole = store.ratings.board("human", None, 99)
    for size in (1, 2, 3, 5):
        found: list[Ranked] = []
        while page := store.ratings.board("human", found[-1].place if found else None, size):
            assert len(page) <= size
            found += page
        assert list(whole) == found


def test_pages_go_on_where_players_move(store: Store) -> None:
    """A page goes on after the place where the last one ended, though who stood there has left."""
    put(store, "human", ann=1400, ben=1300, cam=1200, dan=1100)
    first = store.ratings.board("human", None, 2)
    assert [(1, "ann"), (2, "ben")] == names(first)

    up = rerated("ben", rating(1500, 2), rating(1300))
    assert store.ratings.apply("table-1", 1, (up,))
    assert [(3, "cam"), (4, "dan")] == names(store.ratings.board("human", first[-1].place, 9))
    assert () == store.ratings.board("human", place(0, "-"), 9)


def test_places_sort_by_points() -> None:
    """Places are in the order of points, however many digits these have."""
    every = (0, 9, 10, 99, 999, 1000, 99_999, 100_000, MOST_POINTS)
    assert all(place(less, "z") < place(more, "a") for less, more in pairwise(every))


def test_which_deals_were_rated_is_known_for_a_day_more(
    redis: Redis, redis_store: RedisStore
) -> None:
    """What is kept of a table goes a day after the table does, and the ratings stay."""
    put(redis_store, "human", ann=1100)
    key = RATINGS.last_rated("table-of-ann")
    assert -1 == redis.ttl(key)
    redis_store.ratings.forget("table-of-ann")
    redis_store.ratings.forget("a-table-without-ratings")
    assert FORGET_SECONDS - 60 < redis.ttl(key) <= FORGET_SECONDS
    again = (rerated("ann", rating(1, 2), rating(1100)),)
    assert redis_store.ratings.apply("table-of-ann", 1, again)
    assert {"ann": rating(1100)} == redis_store.ratings.of(["ann"])
    kept = {key, RATINGS.ratings, RATINGS.board("human")}
    assert {name.encode() for name in kept} == set(redis.keys("*"))
