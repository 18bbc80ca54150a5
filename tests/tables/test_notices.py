"""What the log tells each player, against what the tables themselves say."""

import pytest

from service.engine.commands import Cut
from service.engine.deal import Phase
from service.tables import (
    AddBot,
    CloseIdle,
    Expire,
    Join,
    Leave,
    NextDeal,
    Play,
    Settle,
    Start,
    Table,
    step,
)
from service.tables.dealing import acting_seat
from service.tables.events import Entry
from service.tables.notices import is_news, notices
from service.tables.table import CUT_SECONDS
from service.tables.views import rfc3339
from tests.tables.builders import ANN, BEN, BOT, CAM, START, after, at, seated, table
from tests.tables.test_laws import PLAYERS, random_game

CUT_ENDS = rfc3339(START + 1000 * CUT_SECONDS)


def told(entries: tuple[Entry, ...], player: str, *, watching: bool = False) -> list[str]:
    """The types of a player's notices."""
    return [notice.type for notice in notices("t1", entries, player, watching=watching)]


def whose(state: Table) -> tuple[int, int, Phase] | None:
    """The deal, the seat and the phase of a turn that has not begun to be played."""
    seat = acting_seat(state)
    if state.deal is None or seat is None or state.deal.phase is Phase.DISCARD:
        return None
    return state.number, seat, state.deal.phase


@pytest.mark.parametrize("seed", range(30))
def test_each_turn_is_told_once(seed: int) -> None:
    """A person is told of each turn and each cut of their own when it begins, and of no other."""
    for before, state, entries in random_game(seed):
        new = whose(state) if whose(state) != whose(before) else None
        for player in PLAYERS:
            seat = state.seat_of(player.id)
            mine = new is not None and new[1] == seat
            found = list(notices(state.id, entries, player.id))
            turns = [one for one in found if one.type == "your_turn"]
            assert mine == bool(turns)
            for one in turns:
                assert new is not None
                assert (state.version, new[0], seat, new[2]) == (
                    one.version,
                    one.data["deal"],
                    one.data["seat"],
                    one.data["phase"],
                )


@pytest.mark.parametrize("seed", range(20))
def test_a_log_tells_the_same_from_anywhere(seed: int) -> None:
    """The notices of a whole log are those of its parts, wherever it is cut; each has its key."""
    log = [entry for _, _, entries in random_game(seed, 600) for entry in entries]
    for player in (*[one.id for one in PLAYERS], "nobody"):
        whole = list(notices("t1", log, player, watching=player == "nobody"))
        middle = len(log) // 2
        parts = [
            one
            for part in (log[:middle], log[middle:])
            for one in notices("t1", part, player, watching=player == "nobody")
        ]
        assert whole == parts
        assert len(whole) == len({(one.version, one.type) for one in whole})
        assert {one.version for one in whole} <= {entry.id for entry in log if is_news(entry)}


@pytest.mark.parametrize("seed", range(20))
def test_no_notice_names_a_card(seed: int) -> None:
    """Nothing in a notice looks like a card, nor like a part of one."""
    for _, state, entries in random_game(seed, 600):
        for player in PLAYERS:
            for one in notices(state.id, entries, player.id, watching=True):
                assert not names_a_card(one.data)


def names_a_card(data: object) -> bool:
    """Whether some text in there is a card."""
    if isinstance(data, dict):
        return any(map(names_a_card, data.values()))
    if isinstance(data, list):
        return any(map(names_a_card, data))
    return isinstance(data, str) and len(data) == 2 and data[1] in "cdhs"


def test_all_who_sit_there_hear_of_a_newcomer() -> None:
    """Who takes a seat, and those who sit there, are told; house bots are told of, not told."""
    state, first = step(table(3), Join(ANN), at())
    state, second = step(state, AddBot(ANN.id, BOT), at())
    state, third = step(state, Join(BEN, 3), at())

    assert ["seated"] * 3 == told((*first, *second, *third), ANN.id)
    assert ["seated"] == told((*first, *second, *third), BEN.id)
    assert [] == told((*first, *second, *third), BOT.id)
    (seen,) = notices("t1", third, ANN.id)
    assert (1, 3, "Ben") == (seen.data["seat"], seen.data["taken"], seen.data["player"]["name"])


def test_a_deal_from_its_start_to_its_end() -> None:
    """The cutter hears of the cut, who is next of a turn, and all how it ended, who left too."""
    state, begun = step(seated(ANN, BEN, CAM, turn_seconds=30), Start(ANN.id), at())
    assert ["deal_started", "your_turn"] == told(begun, BEN.id)
    assert ["deal_started"] == told(begun, ANN.id)
    (*_, to_cut) = notices("t1", begun, BEN.id)
    assert {"deal": 1, "seat": 2, "phase": "cut", "ends_at": CUT_ENDS} == to_cut.data

    state, dealt = step(state, Play(BEN.id, Cut(0)), at())
    assert (["your_turn"], []) == (told(dealt, ANN.id), told(dealt, BEN.id))
    state, left = step(state, Leave(ANN.id), at())
    assert (["your_turn"], []) == (told(left, BEN.id), told(left, ANN.id))
    state = after(state, Leave(CAM.id))
    state, over = step(state, Settle(), at())
    (lost,), (won,) = notices("t1", over, ANN.id), notices("t1", over, BEN.id)
    assert (1, 0, 15) == (lost.data["seat"], lost.data["share"], lost.data["pot"])
    assert (2, 15, [2]) == (won.data["seat"], won.data["share"], won.data["winners"])

    _, closed = step(after(state, NextDeal()), CloseIdle(), at(10**9))
    assert (["table_closed"], []) == (told(closed, BEN.id), told(closed, ANN.id))
    assert ["table_closed"] == told(closed, "a watcher", watching=True)


def test_the_clock_takes_a_seat() -> None:
    """Who loses the seat to the clock is told once, and nobody else; who leaves is not told."""
    state = after(seated(ANN, BEN, turn_seconds=0), Start(ANN.id), Play(ANN.id, Cut(0)))
    late = state.seats[state.deal.turn or 0].player.id if state.deal else ""
    _, lost = step(state, Expire(), at(10**9))
    _, left = step(state, Leave(late), at())

    assert "seat_lost" == told(lost, late)[0]
    assert [] == [one for one in told(lost, {ANN.id: BEN.id}.get(late, ANN.id)) if "lost" in one]
    assert {"deal": 1, "seat": state.seat_of(late)} == next(notices("t1", lost, late)).data
    assert "seat_lost" not in told(left, late)


def test_a_turn_without_a_clock_has_no_end() -> None:
    """Where turns have no clock, a turn's notice does not say when it ends."""
    state = after(seated(ANN, BEN, turn_seconds=0), Start(ANN.id))
    _, dealt = step(state, Play(ANN.id, Cut(0)), at())
    (to_draw,) = notices("t1", dealt, ANN.id)
    assert None is to_draw.data["ends_at"]
