"""The checks of the chaos harness find what they look for, and the schedule follows its seed."""

from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from service.engine.events import CardDrawn
from service.store.memory import MemoryStore
from service.tables import Table
from service.tables.events import Settled
from tests.chaos import moves
from tests.chaos.delays import measure, percentile
from tests.chaos.faults import schedule
from tests.chaos.findings import Law
from tests.chaos.follower import Follower, Logged, Wait
from tests.chaos.journal import Outcome, Request
from tests.chaos.outages import Met, Outage, Outages, counted_from
from tests.chaos.system import Size
from tests.support.tables import history, put


def played() -> tuple[MemoryStore, Table, list[Logged]]:
    """A table played to its end, and its log."""
    store, log = MemoryStore(), []
    for change in history(Random(5)):
        table = put(store, change)
        log += [Logged(entry, change.id.encode()) for entry in change.entries]
    return store, table, log


def a_draw() -> Logged:
    """A person's draw, in a commit of its own."""
    _, table, log = played()
    bots = {seat.player.id for seat in table.seats.values() if seat.player.is_house_bot}
    commits = [one.commit for one in log]
    return next(
        one
        for one in log
        if isinstance(one.entry.event, CardDrawn)
        and commits.count(one.commit) == 1
        and one.entry.player not in bots
    )


def asked(draw: Logged, **changed: Any) -> Request:
    """The request that a draw came of, and that was acknowledged."""
    entry, event = draw.entry, draw.entry.event
    assert isinstance(event, CardDrawn)
    usual: dict[str, Any] = {
        "player": entry.player,
        "table": "random",
        "action": "draw",
        "body": {"from": event.source},
        "key": "key",
        "expected": None,
        "outcome": Outcome.ACKNOWLEDGED,
        "status": 200,
        "view": {"version": entry.id, "you": {"drawn": event.card}},
    }
    return Request(**(usual | changed))


def broken(draw: Logged, *requests: Request) -> list[str]:
    """The laws that are broken between a log of one draw and what its player was told."""
    return [law for law, _ in moves.compare([draw], requests, {str(draw.entry.player)})]


def test_the_schedule_follows_its_seed() -> None:
    """The same seed gives the same faults, another one others; a longer run begins alike."""
    short = list(schedule(7, 60))
    assert short == list(schedule(7, 60))
    assert short != list(schedule(8, 60))
    assert short == list(islice(schedule(7, 600), len(short)))


def test_faults_come_to_every_worker() -> None:
    """However many workers there are, each of them is killed or halted in a long run."""
    for count in (1, 4):
        struck = {one.part for one in schedule(7, 6000, Size(api=4, workers=count))}
        assert {f"bots {number}" for number in range(1, count + 1)} == {
            part for part in struck if part.startswith("bots")
        }


def test_acknowledged_moves_are_looked_for() -> None:
    """A move that the log has is fine; one that is not there, or is another one, is found."""
    draw = a_draw()
    told = asked(draw).view
    assert [] == broken(draw, asked(draw))
    assert Law.LOST in broken(draw, asked(draw, view=told | {"version": 1000}))
    assert Law.LOST in broken(draw, asked(draw, view=told | {"you": {"drawn": "another"}}))
    assert Law.LOST in broken(draw, asked(draw, player="somebody else"))


def test_a_move_is_acknowledged_once() -> None:
    """Two requests that were told of one and the same move are found."""
    draw = a_draw()
    assert [Law.DOUBLED] == broken(draw, asked(draw), asked(draw, key="another"))


def test_every_move_is_somebodys() -> None:
    """A move that was refused is found in the log; one that may have been done may be there."""
    draw = a_draw()
    assert [] == broken(draw, asked(draw, outcome=Outcome.UNKNOWN, view={}))
    assert [Law.NOBODYS] == broken(draw, asked(draw, outcome=Outcome.REFUSED, view={}))
    assert [Law.NOBODYS] == broken(draw)


def test_a_log_is_followed() -> None:
    """A log that keeps the rules is followed to its end, in pieces too."""
    store, table, log = played()
    follower = Follower(table, store)
    for place in range(0, len(log), 7):
        follower.go_on(log[place : place + 7], table)
    assert (True, 2) == (follower.closed, follower.settled)
    assert {"play_bot", "settle", "next_deal"} <= {wait.kind for wait in follower.waits}


def test_a_broken_log_is_found() -> None:
    """An entry too few, one twice, and chips out of nowhere are each found."""
    store, table, log = played()
    place = next(n for n, one in enumerate(log) if isinstance(one.entry.event, Settled))
    settled = log[place].entry.event
    assert isinstance(settled, Settled)
    more = replace(settled, shares={seat: chips + 1 for seat, chips in settled.shares.items()})
    enriched = replace(log[place], entry=replace(log[place].entry, event=more))
    for wrong in (
        [*log[:place], *log[place + 1 :]],
        [*log[:place], log[place], *log[place:]],
        [*log[:place], enriched, *log[place + 1 :]],
    ):
        with pytest.raises(AssertionError):
            Follower(table, store).go_on(wrong, table)


@pytest.mark.parametrize(
    ("outages", "expected"),
    [
        ([], (1000, Met.NOTHING)),
        ([Outage("redis", "", 200, 900)], (1000, Met.NOTHING)),
        ([Outage("redis", "", 200, 1500)], (1500, Met.OUTAGE)),
        ([Outage("redis", "", 1200, 1500)], (1500, Met.OUTAGE)),
        (
            [Outage("redis", "", 200, 1500), Outage("bots", "", 1600, 1700)],
            (1700, Met.OUTAGE),
        ),
        ([Outage("redis", "", 200, 2500)], (1000, Met.ONGOING)),
        ([Outage("redis", "", 200, None)], (1000, Met.ONGOING)),
        ([Outage("redis", "", 2001, 2500)], (1000, Met.NOTHING)),
    ],
)
def test_from_when_a_wait_counts(outages: list[Outage], expected: tuple[int, Met]) -> None:
    """What was due at 1000 and done at 2000 counts from when the last needed part was back."""
    assert expected == counted_from(outages, 1000, 2000)


def test_delays_by_what_was_needed() -> None:
    """A settlement does without the clock, the end of a turn does not."""
    outages = Outages()
    outages.add(Outage("clock", "", 500, 1500))
    waits = [Wait("table", kind, 1000, 2000) for kind in ("settle", "expire_turn")]
    found = measure(waits, outages)
    assert [1.0] == found["settle"].by_met[Met.NOTHING]
    assert [0.5] == found["expire_turn"].recovered


def test_percentiles() -> None:
    """The 99th percentile of few values is the largest."""
    assert 0.0 == percentile([], 99)
    assert 3.0 == percentile([1.0, 2.0, 3.0], 99)
    assert 50.0 == percentile([float(n) for n in range(101)], 50)
