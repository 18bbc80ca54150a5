"""Feeds: what is new in a log is read once for all who follow it."""

from service.store.feeds import KEPT, PAGE, Feeds
from service.tables.events import Entry, WaitingForPlayers


class Log:
    """A log, and how often it was read."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.first = 1
        self.reads = 0

    def read(self, table_id: str, after: int, limit: int) -> tuple[Entry, ...]:
        self.reads += 1
        after = max(after, self.first - 1)
        last = min(self.size, after + limit)
        return tuple(
            Entry(number, number, table_id, 0, WaitingForPlayers(0))
            for number in range(after + 1, last + 1)
        )


def ids(entries: tuple[Entry, ...]) -> list[int]:
    return [entry.id for entry in entries]


def test_one_read_for_all() -> None:
    """However many follow a table, what is new there is read once."""
    log = Log(10)
    feeds = Feeds(log.read)
    followers = [feeds.of("table") for _ in range(5)]
    assert [[6, 7, 8, 9, 10]] * 5 == [ids(feed.after(5)) for feed in followers]
    assert 1 == log.reads
    log.size = 12
    assert [[11, 12]] * 5 == [ids(feed.after(10)) for feed in followers]
    assert 2 == log.reads


def test_a_late_follower_gets_all() -> None:
    """Whoever comes from further back than is kept gets the log page by page, without a gap."""
    log = Log(KEPT + 3 * PAGE)
    feed = Feeds(log.read).of("table")
    assert [] == ids(feed.after(log.size))
    log.size += 1
    assert [log.size] == ids(feed.after(log.size - 1))
    got: list[int] = []
    while page := ids(feed.after(got[-1] if got else 0)):
        got += page
    assert list(range(1, log.size + 1)) == got


def test_much_that_is_new() -> None:
    """More new entries than are kept, for one who comes first and one who waited, leave no gap."""
    for start in (0, 10):
        log = Log(start)
        feed = Feeds(log.read).of("table")
        assert start == len(feed.after(0))
        log.size = start + KEPT + 2 * PAGE + 5
        got = list(range(1, start + 1))
        while page := ids(feed.after(len(got))):
            got += page
        assert list(range(1, log.size + 1)) == got


def test_any_place_at_any_time() -> None:
    """What a feed gives follows the version that it was asked for, whoever asked before."""
    log = Log(1000)
    feed = Feeds(log.read).of("table")
    for after in (990, 3, 700, 0, 999, 1000, 500):
        assert next(iter(ids(feed.after(after))), 1001) == after + 1


def test_nobody_follows() -> None:
    """A feed that nobody has any more is forgotten."""
    log = Log(5)
    feeds = Feeds(log.read)
    assert [5] == ids(feeds.of("table").after(4))
    assert [5] == ids(feeds.of("table").after(4))
    assert 2 == log.reads


def test_a_log_that_loses_its_first_entries() -> None:
    """Who was so far behind gets what there is after the gap, and goes on from there."""
    log = Log(10)
    feed = Feeds(log.read).of("table")
    assert 10 == len(feed.after(0))
    log.size, log.first = 1000, 950

    got = [10]
    while page := ids(feed.after(got[-1])):
        got += page
    assert [10, *range(950, 1001)] == got
    log.size = 1003
    assert [1001, 1002, 1003] == ids(feed.after(1000))
