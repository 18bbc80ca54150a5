"""The stream of an account tells each thing once, whatever happens between two of its looks."""

import threading
import time
from collections.abc import Callable, Iterator
from itertools import count
from random import Random

import pytest

from service import invitations, streams
from service.account_places import places_at
from service.account_streams import MOST_AT_ONCE, follow_account
from service.engine.house_rules import HouseRules
from service.game import ANY
from service.sandbox import Wish, open_match
from service.store.accounts import LEFT_MS
from service.store.base import Unavailable
from service.streams import Batch, Follower
from service.tables import Leave, Play, Player
from service.tables.table import IDLE_SECONDS
from service.tables.views import Json
from tests.support.game import Played
from tests.support.tables import GUEST, HOST, any_move, open_account

OTHER = Player("other", "Nalu", "human")

CLOSED = ["seated", "deal_started", "table_closed"]
"""What is told of a table for two that the player joined, and that was closed then."""


@pytest.fixture
def played() -> Played:
    """A game of two players who have no table yet."""
    return Played()


def batches(
    played: Played, player: str, cursor: str | None = None, seconds: float = 0
) -> Iterator[Batch]:
    """What a player's stream tells within some seconds; with none, what is there at once."""
    with played.store.watches.watching("look", player) as watch:
        assert watch
        until = time.monotonic() + seconds
        yield from follow_account(
            Follower(played.game, player, watch, lambda _: True, until, player), cursor
        )


def told(played: Played, cursor: str | None = None, seconds: float = 0) -> list[Json]:
    """The events of the guest's stream."""
    return [event for batch in batches(played, GUEST.id, cursor, seconds) for event in batch]


def types(events: list[Json]) -> list[str]:
    """Of which types they are, but for turns, which depend on the cards."""
    return [event["type"] for event in events if event["type"] != "your_turn"]


def facts(events: list[Json]) -> list[tuple[str, int, str]]:
    """What they tell of, each once in all."""
    return [(event["table"], event["version"], event["type"]) for event in events]


def close(played: Played, table_id: str) -> None:
    """An operator closes a table, and somebody looks at the list of the guest's tables."""
    played.game.close(table_id, None)
    played.game.tables_of(GUEST.id)


def test_a_table_that_came_and_went(played: Played) -> None:
    """A table that was joined and closed while the player was away is told, listed or not."""
    (first,) = told(played)
    table = played.table(seats=2)
    played.game.join(table.id, GUEST)
    played.game.close(table.id, None)
    events = told(played, first["id"])
    assert CLOSED == [kind for kind in types(events) if kind in CLOSED]
    played.game.tables_of(GUEST.id)
    assert facts(events) == facts(told(played, first["id"]))
    assert [] == told(played, events[-1]["id"])


def test_a_seat_that_came_and_went(played: Played) -> None:
    """A seat that was taken and left while the player was away is told up to the leaving."""
    (first,) = told(played)
    table = played.table(seats=3)
    played.game.join(table.id, GUEST)
    played.game.act(table.id, Leave(GUEST.id))
    assert ["seated"] == types(told(played, first["id"]))


def test_a_seat_that_the_clock_took(played: Played) -> None:
    """Who comes back after the clock has taken their seat is told so, before how the deal ended."""
    rules = HouseRules(cut="auto", first_dealer=1)  # The guest is the first to draw.
    played.table(seats=2, joiners=(GUEST,), rules=rules)
    (first,) = told(played)
    played.clock.advance(IDLE_SECONDS + 1)
    played.sweep()
    played.work()
    events = told(played, first["id"])

    assert ["seat_lost", "deal_over"] == types(events)[:2]
    assert {"deal": 1, "seat": 2} == events[0]["data"]
    assert facts(events[1:]) == facts(told(played, events[0]["id"]))


def test_a_table_that_goes_meanwhile(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that closes, and is noted no more, while the stream looks around is told."""
    table = played.table(seats=2)
    played.game.join(table.id, GUEST)
    noted, looks = played.store.accounts.noted, count()

    def noted_late(player: str) -> dict[str, int]:
        if next(looks) == 2:
            close(played, table.id)
        return noted(player)

    monkeypatch.setattr(played.store.accounts, "noted", noted_late)
    assert "table_closed" == types(told(played, seconds=0.3))[-1]


def test_a_log_that_cannot_be_read_for_a_while(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What could not be read is told once it can be."""
    table = played.table(seats=2)
    played.game.join(table.id, GUEST)
    cursor = told(played)[-1]["id"]
    close(played, table.id)
    read, reads = played.store.feeds._read, count()

    def away_at_first(*asked: object) -> object:
        if next(reads) < 3:
            raise Unavailable("It is away.")
        return read(*asked)  # type: ignore[arg-type]

    monkeypatch.setattr(played.store.feeds, "_read", away_at_first)
    with waking(played, GUEST.id):
        assert ["table_closed"] == types(told(played, cursor, 0.5))[-1:]


def test_clocks_that_differ(played: Played) -> None:
    """Events of a table keep their order though one process' clock is behind, and come once."""
    (first,) = told(played)
    table = played.table(seats=3)
    played.clock.advance(0.1)
    played.game.join(table.id, GUEST)
    played.clock.advance(-0.09)
    open_account(played.store, OTHER)
    played.game.join(table.id, OTHER)
    events = told(played, first["id"])
    versions = [event["version"] for event in events]
    assert sorted(versions) == versions
    assert len(events) > 2
    for place, event in enumerate(events):
        assert facts(events[place + 1 :]) == facts(told(played, event["id"]))


def test_an_id_of_long_ago(played: Played) -> None:
    """An id that is older than what is remembered brings one `resync`."""
    (first,) = told(played)
    played.clock.advance(LEFT_MS / 1000 - 1)
    assert [] == told(played, first["id"])
    played.clock.advance(2)
    (resync,) = told(played, first["id"])
    assert "resync" == resync["type"]


def test_a_sign_of_life_whatever_wakes_it(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream that is woken again and again without news says that it lives as often as ever."""
    monkeypatch.setattr(streams, "KEEP_ALIVE_SECONDS", 0.05)
    with waking(played, GUEST.id):
        silent = [batch for batch in batches(played, GUEST.id, seconds=0.6) if not batch]
    assert 4 <= len(silent) <= 12


def test_batches_are_bounded(played: Played) -> None:
    """However much there is to tell, it comes in parts, and each event says where to go on."""
    (first,) = told(played)
    for _ in range(MOST_AT_ONCE):
        close(played, played.table(seats=2, joiners=(GUEST,)).id)
    sizes = [len(batch) for batch in batches(played, GUEST.id, first["id"])]
    assert MOST_AT_ONCE == max(sizes)
    events = told(played, first["id"])
    assert sum(sizes) == len(events) > 2 * MOST_AT_ONCE
    middle = len(events) // 2
    assert facts(events[middle + 1 :]) == facts(told(played, events[middle]["id"]))


def test_the_snapshot_has_what_still_stands(played: Played) -> None:
    """An invitation that was followed is not in the snapshot, and the next one is told."""
    table = played.table(seats=3)
    invitations.invite(played.game, table.id, HOST, GUEST.id, ANY)
    played.game.join(table.id, GUEST)
    (snapshot,) = told(played)
    assert [] == snapshot["data"]["invitations"]
    assert [table.id] == [one["id"] for one in snapshot["data"]["tables"]]
    other = played.table(seats=3)
    invitations.invite(played.game, other.id, HOST, GUEST.id, ANY)
    assert ["invited"] == types(told(played, snapshot["id"]))


def test_an_id_lets_go_of_what_is_over(played: Played) -> None:
    """Tables that are over are not in the ids for ever."""
    (first,) = told(played)
    played.clock.advance(5)
    for _ in range(3):
        close(played, played.table(seats=2, joiners=(GUEST,)).id)
    last = told(played, first["id"])[-1]
    table = played.table(seats=2, joiners=(GUEST,))
    last = told(played, last["id"])[-1]
    places = places_at(last["id"])
    assert places
    assert [table.id] == list(places.tables)


class waking:  # noqa: N801 - it reads as a statement
    """Somebody who wakes a stream again and again."""

    def __init__(self, played: Played, name: str) -> None:
        self._wake: Callable[[str], None] = played.store.watches.wake
        self._name = name
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(0.01):
            self._wake(self._name)


@pytest.mark.parametrize("ends", [False, True])
def test_a_log_that_is_not_there_so_far_back(
    played: Played, monkeypatch: pytest.MonkeyPatch, *, ends: bool
) -> None:
    """Where a match has gone on for longer than its log is kept one resync stands for all."""
    monkeypatch.setattr("service.store.memory.LOG_KEPT", 20)
    match = open_match(played.game, GUEST, Wish(("easy",), 40, "seed"))
    cursor = told(played)[-1]["id"]
    chance = Random(1)
    while match.number < 5:
        match = played.game.act(match.id, Play(GUEST.id, any_move(match, 1, chance)))
    if ends:
        played.game.act(match.id, Leave(GUEST.id))
    played.clock.advance(10)
    (resync,) = told(played, cursor)

    assert "resync" == resync["type"]
    assert ([] if ends else [match.id]) == [one["id"] for one in resync["data"]["tables"]]
    assert [] == told(played, resync["id"])
    table = played.table(seats=2)
    played.game.join(table.id, GUEST)
    assert "seated" in types(told(played, resync["id"]))


def test_a_new_match_whose_beginning_is_gone(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same where the match is one that the stream knows nothing of yet."""
    monkeypatch.setattr("service.store.memory.LOG_KEPT", 20)
    cursor = told(played)[-1]["id"]
    played.clock.advance(10)
    match = open_match(played.game, GUEST, Wish(("easy",), 40, "seed"))
    chance = Random(1)
    while match.number < 5:
        match = played.game.act(match.id, Play(GUEST.id, any_move(match, 1, chance)))
    played.clock.advance(10)
    (resync,) = told(played, cursor)

    assert "resync" == resync["type"]
    assert [] == told(played, resync["id"])
