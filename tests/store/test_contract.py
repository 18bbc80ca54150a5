"""What both stores promise (service/store/base.py)."""

import threading
import time
from dataclasses import replace
from random import Random

import pytest

from service.engine.commands import Cut, Draw, Source
from service.engine.house_rules import HouseRules
from service.store.base import (
    ATTEMPTS,
    NOTED_MS,
    Backlog,
    Census,
    Change,
    Crowded,
    Due,
    Listed,
    NotFound,
    StaleVersion,
    Store,
    Unavailable,
    kept_for,
)
from service.store.tokens import Revoked
from service.store.watches import Guard
from service.tables import (
    Join,
    Leave,
    Play,
    Player,
    Settle,
    Start,
    Status,
    Table,
    TableCommand,
    followup,
)
from service.tables.errors import TableFull
from service.tables.events import Entry, WaitingForPlayers
from service.tables.sandbox import KEPT_MS, LOG_KEPT, new_sandbox
from service.tables.table import GRACE_MS, IDLE_SECONDS
from tests.support.tables import GUEST, HOST, START, changed_by, created, history, put, seated
from tests.support.waiting import wait_until

RETRY = 1500


def test_a_table_is_loaded_as_it_was_written(store: Store) -> None:
    """What is written can be read, and is the same value."""
    change = created()
    assert store.commit(0, change) is True
    assert change.table == store.load(change.table.id)
    assert change.entries == store.entries(change.table.id, 0, 100)


def test_a_table_that_is_not_there(store: Store) -> None:
    """Whatever is asked of an unknown table, deal or player says that there is none."""
    with pytest.raises(NotFound):
        store.load("nowhere")
    with pytest.raises(NotFound):
        store.wait("nowhere", 0, 0.01)
    with pytest.raises(NotFound):
        store.change("nowhere", lambda table: changed_by(table, seated(GUEST)))
    with pytest.raises(NotFound):
        store.record("nowhere", 1)
    with pytest.raises(NotFound):
        store.accounts.account("nobody")
    assert () == store.entries("nowhere", 0, 10)
    assert () == store.records("nowhere", None, 10)
    assert () == store.tables_of("nobody", START)


@pytest.mark.parametrize("expected", [1, 3, 7, 0])
def test_a_commit_at_another_version_writes_nothing(store: Store, expected: int) -> None:
    """A change for a version that the table is not at is refused, and leaves no trace."""
    table = put(store, created(seats=3))
    other = put(store, changed_by(table, seated(GUEST)))
    late = changed_by(table, seated(Player("late", "Late", "human")))
    assert table.version == 1
    assert store.commit(expected, late) is False
    assert other == store.load(table.id)
    assert [1, 2] == [entry.id for entry in store.entries(table.id, 0, 10)]


def test_a_table_is_made_once(store: Store) -> None:
    """Making a table that exists already is refused."""
    put(store, created())
    assert store.commit(0, created()) is False


def test_the_same_commit_sent_twice_is_written_once(store: Store) -> None:
    """A change that is sent again is true again, and nothing is written a second time."""
    change = created()
    assert [True, True] == [store.commit(0, change), store.commit(0, change)]
    assert change.entries == store.entries(change.table.id, 0, 10)


def test_a_commit_sent_again_after_others(store: Store) -> None:
    """A change that is sent again is true though others have changed the table since."""
    table = put(store, created(seats=4))
    change = changed_by(table, seated(GUEST))
    after = put(store, change)
    later = put(store, changed_by(after, seated(Player("late", "Late", "human"))))
    assert store.commit(table.version, change) is True
    assert later == store.load(table.id)


def test_an_equal_change_of_somebody_else_is_another_one(store: Store) -> None:
    """Of two callers who ask for just the same at the same moment, one alone gets it."""
    table = put(store, created())
    one, other = changed_by(table, seated(GUEST)), changed_by(table, seated(GUEST))
    assert one == other
    assert [True, False] == [store.commit(1, one), store.commit(1, other)]


def test_all_or_nothing(store: Store) -> None:
    """State, version, log, due entry, lobby entry and deal record come with the same commit."""
    ended = None
    for change in history(Random(7), deals=1):
        before = put_and_see(store, change)
        ended = change.record or ended
        refused = replace(change, table=replace(change.table, host="thief"), id="another")
        assert store.commit(change.entries[0].id - 1, refused) is False
        assert before == see(store, change.table)
    assert ended is not None
    assert ended == store.record("random", 1)


def put_and_see(store: Store, change: Change) -> object:
    """Commit a change, and check that all of it is there."""
    table = put(store, change)
    assert table == store.load(table.id)
    assert change.entries == store.entries(table.id, change.entries[0].id - 1, 100)
    listed = table.status is not Status.CLOSED
    assert ([table] if listed else []) == list(store.lobby(None, open_only=False, limit=5).tables)
    due = followup(table)
    kind = due.kind if due else "forget"
    wanted = (Due(kind, table.id, table.version),) if due or not listed else ()
    assert wanted == store.claim_due(START * 2, START * 2, 10)
    if change.record:
        assert (change.record,) == store.records(table.id, None, 5)
    return see(store, table)


def see(store: Store, table: Table) -> object:
    """All that a store tells of a table."""
    return (
        store.load(table.id),
        store.entries(table.id, 0, 10_000),
        store.records(table.id, None, 100),
        store.lobby(None, open_only=False, limit=5).tables,
        store.claim_due(START * 2, START * 2, 10),
    )


def test_entries_by_pages(store: Store) -> None:
    """Log entries follow a version in order, so many at most, and none is after the last."""
    changes = list(history(Random(3), deals=1))
    for change in changes:
        put(store, change)
    log = tuple(entry for change in changes for entry in change.entries)
    last = changes[-1].table.version
    assert list(range(1, last + 1)) == [entry.id for entry in log]
    assert log == store.entries("random", 0, last)
    assert log[4:9] == store.entries("random", 4, 5)
    assert log[last - 1 :] == store.entries("random", last - 1, 5)
    assert () == store.entries("random", last, 5)
    assert () == store.entries("random", 2**53, 5)


def test_records_by_pages(store: Store) -> None:
    """Finished deals come latest first, below a number, so many at most."""
    kept = []
    for change in history(Random(5), deals=12, ante=1):
        put(store, change)
        kept += [change.record] if change.record else []
    assert list(range(1, len(kept) + 1)) == [record.number for record in kept]
    assert len(kept) > 9, "numbers of two digits have to sort as numbers"
    assert tuple(kept[::-1]) == store.records("random", None, 100)
    assert tuple(kept[8:5:-1]) == store.records("random", 10, 3)
    assert () == store.records("random", 1, 3)
    assert kept[3] == store.record("random", 4)
    with pytest.raises(NotFound):
        store.record("random", len(kept) + 1)


def test_the_lobby_by_pages(store: Store) -> None:
    """The lobby has every public table, latest first, page after page, each once."""
    names = [f"table-{n:02}" for n in range(25)]
    for name in names:
        put(store, created(name))
    seen: list[str] = []
    before = None
    while page := store.lobby(before, open_only=False, limit=7).tables:
        seen += [table.id for table in page]
        before = page[-1].id
    assert names[::-1] == seen
    assert ["table-24"] == [t.id for t in store.lobby(None, open_only=True, limit=1).tables]


def test_the_lobby_shows_what_can_be_joined(store: Store) -> None:
    """Private and closed tables are not listed; full ones not among the open ones."""
    put(store, created("a-private", visibility="private"))
    full = put(store, created("b-full", (HOST, GUEST), start_when="host"))
    closed = put(store, created("c-closed"))
    put(store, created("d-open"))
    put(store, changed_by(closed, Leave(HOST.id)))
    listed = [table.id for table in store.lobby(None, open_only=False, limit=9).tables]
    assert ["d-open", "b-full"] == listed
    assert ["d-open"] == [table.id for table in store.lobby(None, open_only=True, limit=9).tables]
    put(store, changed_by(full, Leave(GUEST.id)))
    assert ["d-open", "b-full"] == [t.id for t in store.lobby(None, open_only=True, limit=9).tables]


def test_due_entries_are_claimed_in_order(store: Store) -> None:
    """What is due is claimed once by the time asked about, and not before it is due."""
    for n, seconds in enumerate((30, 10, 20)):
        put(store, created(f"table-{n}", (HOST, GUEST), turn_seconds=seconds, seats=2))
    # The first wait is the cut, 15 seconds at the most.
    assert () == store.claim_due(START + GRACE_MS + 9_999, START + 12_000, 10)
    first = (Due("expire_turn", "table-1", 3),)
    assert first == store.claim_due(START + GRACE_MS + 10_000, START + 17_000, 10)
    rest = store.claim_due(START + GRACE_MS + 15_000, START + 18_000, 10)
    assert {"table-0", "table-2"} == {due.subject for due in rest}


def test_a_claimed_entry_comes_again(store: Store) -> None:
    """What was claimed comes again at its retry time, until its table moves on."""
    table = put(store, created(joiners=(HOST, GUEST), turn_seconds=10))
    due = (Due("expire_turn", table.id, table.version),)
    at = START + GRACE_MS + 10_000
    assert due == store.claim_due(at, at + RETRY, 10)
    assert () == store.claim_due(at + RETRY - 1, at + RETRY, 10)
    assert due == store.claim_due(at + RETRY, at + 2 * RETRY, 10)
    put(store, changed_by(table, Play(cutter(table).id, Cut(3)), at))
    later = store.claim_due(at + 9 * RETRY, at + 9 * RETRY, 10)
    assert [table.version + 1] == [due.number for due in later]


def test_due_entries_have_a_limit(store: Store) -> None:
    """One claim takes so many entries of a partition at most; the next takes more."""
    for n in range(80):
        put(store, created(f"table-{n}", (HOST, GUEST), turn_seconds=10))
    claimed: list[Due] = []
    at = START + GRACE_MS + 10_000
    while more := store.claim_due(at, at + RETRY, 2):
        assert len(more) <= 2 * 16
        claimed += more
    assert 80 == len(claimed) == len(set(claimed))


def cutter(table: Table) -> Player:
    """The player who is to cut."""
    assert table.deal is not None
    return table.seats[table.deal.cutter].player


def test_a_table_that_waits_for_people_is_due_in_the_end(store: Store) -> None:
    """A table without a clock has a due entry too, for when nobody does anything for long."""
    auto = HouseRules(cut="auto")
    put(store, created("waits"))
    put(store, created("plays", (HOST, GUEST), turn_seconds=0, rules=auto))
    ends = START + 1000 * IDLE_SECONDS
    assert () == store.claim_due(ends - 1, ends * 2, 10)
    assert (Due("close_idle", "waits", 1),) == store.claim_due(ends, ends * 2, 10)
    late = ends + GRACE_MS
    assert (Due("expire_turn", "plays", 4),) == store.claim_due(late, late * 2, 10)


def test_waiting_ends_with_a_change(store: Store) -> None:
    """Who waits for a table to change gets the new one at once when it does."""
    table = put(store, created())
    seen: list[tuple[Table, float]] = []

    def wait() -> None:
        begun = time.monotonic()
        seen.append((store.wait(table.id, table.version, 20), time.monotonic() - begun))

    threads = [threading.Thread(target=wait) for _ in range(3)]
    for thread in threads:
        thread.start()
    after = put(store, changed_by(table, seated(GUEST)))
    wait_until(lambda: len(seen) == 3, 5)
    for thread in threads:
        thread.join()
    assert [after] * 3 == [table for table, _ in seen]
    assert max(waited for _, waited in seen) < 5


def test_waiting_ends_with_the_time(store: Store) -> None:
    """Who waits in vain gets the table as it stands when the time is over."""
    table = put(store, created())
    begun = time.monotonic()
    assert table == store.wait(table.id, table.version, 0.2)
    assert 0.19 < time.monotonic() - begun < 2


class Ended(Guard):
    """Somebody who may wait until it is over, of which they hear by a name of their own."""

    woken_by = "token:mine"
    over = False

    def check(self, woken_by: frozenset[str]) -> None:
        """Refuse them then."""
        if self.over and self.woken_by in woken_by:
            raise Unavailable("It is over.")


def test_waiting_ends_with_a_refusal(store: Store) -> None:
    """Who waits under a guard is woken by its name too, and gets what it refuses."""
    table = put(store, created())
    refusals, guard = list[Unavailable](), Ended()

    def wait() -> None:
        with pytest.raises(Unavailable, match="It is over") as caught:
            store.wait(table.id, table.version, 20, guard)
        refusals.append(caught.value)

    thread = threading.Thread(target=wait)
    thread.start()
    wait_until(lambda: guard.woken_by in store.watches._of)
    guard.over = True
    store.tokens.revoke("me", Revoked("mine"), START)
    thread.join(5)
    assert 1 == len(refusals)
    assert {} == store.watches._of


def test_waiting_for_what_has_happened(store: Store) -> None:
    """Who has an older version, or one that is not ours, gets the table at once."""
    table = put(store, created())
    begun = time.monotonic()
    assert table == store.wait(table.id, table.version - 1, 20)
    assert table == store.wait(table.id, -1, 20)
    assert table == store.wait(table.id, table.version, 0)
    assert time.monotonic() - begun < 2


def test_a_change_reads_decides_and_writes(store: Store) -> None:
    """`change` gives the table as it was read and the change that was made of it."""
    table = put(store, created())
    before, change = store.change(table.id, lambda t: changed_by(t, seated(GUEST)), table.version)
    assert table == before
    assert change.table == store.load(table.id)


def test_a_refused_change_writes_nothing(store: Store) -> None:
    """What `decide` refuses goes to the caller, and the table stays as it is."""
    table = put(store, created(joiners=(HOST, GUEST)))
    with pytest.raises(TableFull):
        store.change(table.id, lambda t: changed_by(t, Join(Player("late", "Late", "human"))))
    assert table == store.load(table.id)


def test_a_change_that_is_nothing(store: Store) -> None:
    """A decision without events is no commit: the version stays."""
    table = put(store, created())
    store.change(table.id, lambda t: changed_by(t, Settle()))
    assert table == store.load(table.id)


def test_a_named_version_that_is_past(store: Store) -> None:
    """Who names a version that the table has left gets the fresh table, undecided."""
    table = put(store, created(seats=3))
    fresh = put(store, changed_by(table, seated(GUEST)))

    def decide(_: Table) -> Change:
        raise AssertionError("nothing may be decided on a version that nobody named")

    with pytest.raises(StaleVersion) as refused:
        store.change(table.id, decide, table.version)
    assert fresh == refused.value.table


def test_a_named_version_that_is_lost_in_between(store: Store) -> None:
    """Who names a version and loses the race is not judged again on another one."""
    table = put(store, created(seats=3))
    judged: list[int] = []

    def decide(seen: Table) -> Change:
        judged.append(seen.version)
        put(store, changed_by(seen, seated(GUEST)))
        return changed_by(seen, seated(Player("late", "Late", "human")))

    with pytest.raises(StaleVersion) as refused:
        store.change(table.id, decide, table.version)
    assert [table.version] == judged
    assert store.load(table.id) == refused.value.table


def test_without_a_version_one_is_judged_again(store: Store) -> None:
    """Who names no version is judged on the fresh table after each lost race, then gives up."""
    table = put(store, created(start_when="host", seats=5))
    judged: list[int] = []

    def lose(times: int, seen: Table) -> Change:
        judged.append(seen.version)
        if len(judged) <= times:
            leaves = seen.seat_of(GUEST.id) is not None
            put(store, changed_by(seen, Leave(GUEST.id) if leaves else seated(GUEST)))
        return changed_by(seen, seated(Player("late", "Late", "human")))

    before, change = store.change(table.id, lambda seen: lose(ATTEMPTS - 1, seen))
    assert list(range(1, ATTEMPTS + 1)) == judged
    assert judged[-1] == before.version
    store.change(table.id, lambda seen: changed_by(seen, Leave("late")))
    judged.clear()
    with pytest.raises(Crowded):
        store.change(table.id, lambda seen: lose(ATTEMPTS, seen))
    assert ATTEMPTS == len(judged)
    assert change.table.version < store.load(table.id).version


def test_the_tables_of_a_player(store: Store) -> None:
    """A player's tables are those they have a seat at; closed and unknown ones drop out."""
    for name in ("one", "two", "three", "left"):
        put(store, created(name, (HOST, GUEST), seats=3))
        store.accounts.note(GUEST.id, name, START)
    store.accounts.note(GUEST.id, "never-made", START)
    put(store, changed_by(store.load("left"), Leave(GUEST.id)))
    for player in (GUEST, HOST):
        put(store, changed_by(store.load("two"), Leave(player.id)))
    assert Status.CLOSED is store.load("two").status
    for now, kept in ((START, 4), (START + NOTED_MS + 1, 2)):
        assert ["one", "three"] == [table.id for table in store.tables_of(GUEST.id, now)]
        assert kept == len(store.accounts.noted(GUEST.id))
    assert () == store.tables_of(HOST.id, START), "nobody noted the host's"


def test_an_answer_to_the_health_probe(store: Store) -> None:
    """A store that is there answers."""
    store.ping()


def test_a_started_deal_survives(store: Store) -> None:
    """A table in the middle of a deal is the same after being read, and goes on."""
    table = put(
        store, created(joiners=(HOST, GUEST), start_when="host", rules=HouseRules(cut="auto"))
    )
    put(store, changed_by(table, Start(HOST.id)))
    table = store.load(table.id)
    assert table.deal is not None
    assert table.deal.turn is not None
    drawer = table.seats[table.deal.turn].player.id
    _, change = store.change(
        table.id, lambda seen: changed_by(seen, Play(drawer, Draw(Source.STOCK)))
    )
    drawn = change.table.deal
    assert drawn is not None
    assert table.deal.stock[1:] == drawn.stock
    assert table.deal.stock[0] == drawn.drawn


def test_many_threads_lose_no_update(store: Store) -> None:
    """Of many who change a table at once, each change is there, and each version once."""
    table = put(store, created(start_when="host", seats=5))
    done: list[int] = []

    def come_and_go(name: str) -> None:
        for _ in range(10):
            come = _until_written(store, table.id, Join(Player(name, name, "human")))
            done.extend((come, _until_written(store, table.id, Leave(name))))

    threads = [threading.Thread(target=come_and_go, args=(f"p{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    versions = list(range(2, 4 * 20 + 2))
    assert versions == sorted(done)
    assert versions == [entry.id for entry in store.entries(table.id, 1, 100)]
    assert store.load(table.id).version == versions[-1]


def _until_written(store: Store, table_id: str, command: TableCommand) -> int:
    while True:
        try:
            _, change = store.change(table_id, lambda seen: changed_by(seen, command))
        except Crowded:
            continue
        return change.table.version


def test_matching(store: Store) -> None:
    """Tables of the stakes come with the fewest open seats first, then the oldest, and leave."""
    people = (HOST, GUEST, Player("third", "Nalu", "human"))
    for number, seated_there in enumerate((1, 3, 2, 3)):
        put(store, created(f"table-{number}", people[:seated_there], seats=4, buy_in=100))
    put(store, created("other-seats", seats=3))
    put(store, created("other-ante", seats=4, ante=4, buy_in=80))
    put(store, created("private", seats=4, visibility="private"))
    put(store, created("own-rules", seats=4, rules=HouseRules(ace_low=True)))
    assert ["table-1", "table-3", "table-2", "table-0"] == matching(store)
    assert ["table-1", "table-3"] == matching(store, 2)
    last = Player("fourth", "Pua", "human")
    put(store, changed_by(store.load("table-1"), seated(last)))
    for player in people:
        put(store, changed_by(store.load("table-3"), Leave(player.id)))
    assert ["table-2", "table-0"] == matching(store)
    assert [] == list(store.matching(5, 5, 9))


def test_matching_goes_on(store: Store) -> None:
    """Whoever finds none that suits among the first tables goes on to the others."""
    names = [f"table-{number:02}" for number in range(23)]
    for name in names:
        put(store, created(name, seats=4, buy_in=100))
    assert names == matching(store, 99)
    assert names[:12] == matching(store, 12)


def matching(store: Store, limit: int = 9) -> list[str]:
    """The tables for four, with an ante of five, that are for anybody."""
    return [table.id for table in store.matching(4, 5, limit)]


def test_all_tables(store: Store) -> None:
    """Every table is listed by id, the latest first, page by page, until it is forgotten."""
    for number in range(5):
        visibility = ("public", "private")[number % 2]
        put(store, created(f"table-{number}", seats=3, visibility=visibility))
    closed = put(store, changed_by(store.load("table-1"), Leave(HOST.id)))
    assert Status.CLOSED is closed.status
    assert ["table-4", "table-3"] == [table.id for table in store.tables(None, 2).tables]
    last = store.tables("table-3", 9)
    assert ["table-2", "table-1", "table-0"] == [table.id for table in last.tables]
    assert ("table-0", Listed((), None)) == (last.last, store.tables("table-0", 9))
    store.paid("table-1", closed.version)
    assert store.forget(closed)
    assert "table-1" not in [table.id for table in store.tables(None, 9).tables]


def test_the_backlog(store: Store) -> None:
    """The due index tells how much there is, how much is late, and since when."""
    assert Backlog(0, 0, None) == store.backlog(START)
    for number in range(3):
        put(store, created(f"table-{number}", seats=3, idle_seconds=60 + number))
    first = START + 60_000
    assert Backlog(3, 0, first) == store.backlog(first - 1)
    assert Backlog(3, 2, first) == store.backlog(first + 1_500)


def test_the_census(store: Store) -> None:
    """It tells how many tables the lobby has, with free seats and without, and how many exist."""
    assert Census(0, 0, 0) == store.census()
    put(store, created("a-private", visibility="private"))
    put(store, created("b-full", (HOST, GUEST), start_when="host"))
    closed = put(store, created("c-closed"))
    put(store, created("d-open"))
    put(store, changed_by(closed, Leave(HOST.id)))
    assert Census(1, 1, 4) == store.census()


def test_the_log_of_a_sandbox_match(store: Store) -> None:
    """It loses its first entries, and gives the others in order from any version on."""
    change = created()
    match = new_sandbox(("easy",), 10, "seed", chosen=True)
    table = put(store, replace(change, table=replace(change.table, sandbox=match)))
    size = 250
    while table.version < LOG_KEPT + 3 * size:
        ids = range(table.version + 1, table.version + size + 1)
        entries = tuple(Entry(id_, START, None, 0, WaitingForPlayers(0)) for id_ in ids)
        table = put(store, Change(replace(table, version=ids[-1]), entries))
    kept = [entry.id for entry in store.entries(table.id, 0, 100_000)]

    assert list(range(kept[0], table.version + 1)) == kept
    assert LOG_KEPT <= len(kept) < LOG_KEPT + 2 * size
    for after in (1, kept[0] - 1, kept[0], kept[0] + 7, table.version):
        expected = [id_ for id_ in kept if id_ > after][:5]
        assert expected == [entry.id for entry in store.entries(table.id, after, 5)]


def test_how_long_a_sandbox_match_is_kept() -> None:
    """It goes an hour after its end, or sooner where tables do; others stay as long as they do."""
    table = created().table
    match = replace(table, sandbox=new_sandbox(("easy",), 10, "seed", chosen=True))

    assert (KEPT_MS, 1000) == (kept_for(match, 30 * KEPT_MS), kept_for(match, 1000))
    assert 30 * KEPT_MS == kept_for(table, 30 * KEPT_MS)
