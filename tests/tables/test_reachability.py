"""From every state there is a way out: whoever stays away, each table comes to its end.

Nobody acts in these walks: what is due is done when it is due, and bots play their turns.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from service import bots
from service.cashier import owed
from service.engine import views
from service.engine.errors import PaiuteError
from service.engine.house_rules import HouseRules
from service.tables import (
    AddBot,
    Join,
    Leave,
    Moment,
    Play,
    Player,
    PlayForBot,
    RemoveBot,
    Settle,
    Start,
    Status,
    Table,
    TableCommand,
    followup,
    step,
)
from service.tables.bot_turns import bot_turn
from service.tables.dealing import acting_seat
from service.tables.events import Entry, PlayerJoined
from service.tables.seating import close
from tests.support.tables import DUE, any_move
from tests.tables.builders import ANN, BEN, BOT, BOT2, CAM, START, after, at, table

STEPS = 1_500
"""More than any walk here takes: three seats time out three times, in deals of 35 cards' stock."""

GUESTS = (ANN, BEN, CAM)
BOTS = (BOT, BOT2, Player("nalu", "Nalu", "house_bot", "easy"))
SITTING = {"none": GUESTS, "some": (ANN, BEN, BOT), "most": (ANN, BOT, BOT2), "all": BOTS}
"""Who sits at the table, by how many of them are the house's bots."""


LAW = hypothesis_settings(
    max_examples=100,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
"""The same histories in every run."""


def walk(state: Table, now: int = START) -> Iterator[Table]:
    """The states that a table passes through when no person ever acts again."""
    rng = Random(1)
    for _ in range(STEPS):
        pending = followup(state)
        if pending is None:
            return
        now = max(now, pending.at)
        moment = Moment(now, rng.randbytes(32))
        happened: tuple[Entry, ...]
        if pending.kind == "play_bot":
            state, happened = bot_turn(state, moment)
        else:
            state, happened = step(state, DUE[pending.kind], moment)
        assert happened, f"{pending.kind} was due and did nothing"
        yield state
    raise AssertionError("The table goes on for ever.")


def ends(state: Table, now: int = START) -> None:
    """Fail unless a table that nobody acts at comes to its end, and stays there."""
    last = (state, *walk(state, now))[-1]
    assert (Status.CLOSED, 0, None) == (last.status, last.chips, followup(last))


def settings_of(choice: tuple[Any, ...]) -> dict[str, Any]:
    """Settings of a table from one value for each of those that matter here."""
    turn_seconds, start_when, on_timeout, cut, deals, bots_after = choice
    rules = HouseRules(cut=cut, on_timeout=on_timeout, first_dealer=3, max_reshuffles=0)
    return {
        "turn_seconds": turn_seconds,
        "start_when": start_when,
        "deals": deals,
        "bots_after_seconds": bots_after,
        "rules": rules,
    }


CHOICES = tuple(
    (*choice, (None, 20)[number.bit_count() % 2])
    for number, choice in enumerate(
        product((0, 60), ("full", "host"), ("auto_play", "bot"), ("player", "auto"), (None, 2))
    )
)
"""All values of the others with either of the last one, and each two of any with one another."""


@pytest.mark.parametrize("broke", [False, True], ids=["with chips", "broke"])
@pytest.mark.parametrize("sitting", SITTING)
@pytest.mark.parametrize("status", Status)
def test_every_state_has_a_way_out(status: Status, sitting: str, broke: bool) -> None:
    """Each status, under all settings that matter, leads to a closed table by itself."""
    reached = 0
    for choice in CHOICES:
        state = reach(status, SITTING[sitting], settings_of(choice))
        if state is None:
            continue
        reached += 1
        ends(without_chips(state) if broke else state)
    assert reached


def reach(status: Status, players: tuple[Player, ...], chosen: dict[str, Any]) -> Table | None:
    """A table in a status; None where these settings have no such state."""
    state = table(3, **chosen)
    for player in players[:2]:
        state = after(state, seated(player))
    if status is Status.WAITING:
        return state if chosen["start_when"] == "full" else after(state, seated(players[2]))
    state = after(state, seated(players[2]))
    if chosen["start_when"] == "host":
        state = after(state, Start("ann"))
    if status is Status.CLOSED:
        return close(after(state, *map(Leave, seated_ids(state))), "idle", at())[0]
    while state.status is not status:
        if state.status is Status.CLOSED or (status, state.status) == ("cutting", "playing"):
            return None
        state = played_on(state)
    return state


def seated(player: Player) -> TableCommand:
    """The command that seats a player."""
    return AddBot("ann", player) if player.is_house_bot else Join(player)


def seated_ids(state: Table) -> list[str]:
    """The guests at a table, but for the last one, with whom it would close."""
    return [seat.player.id for seat in state.seats.values() if not seat.player.is_house_bot][:-1]


def played_on(state: Table) -> Table:
    """The table after its next move, made for whoever is to act, or after its settlement."""
    seat = acting_seat(state)
    if seat is None or state.deal is None:
        return after(state, Settle())
    move = bots.fallback(views.view(state.deal, seat))
    bot = state.seats[seat].bot_level
    return after(state, PlayForBot(move) if bot else Play(state.seats[seat].player.id, move))


def without_chips(state: Table) -> Table:
    """The table with nothing in front of its guests."""
    seats = {
        number: seat if seat.player.is_house_bot else replace(seat, stack=0)
        for number, seat in state.seats.items()
    }
    return replace(state, seats=seats)


@st.composite
def histories(draw: st.DrawFn) -> tuple[dict[str, Any], list[tuple[int, int]]]:
    """Settings, and a history as pairs: which of the commands that make sense, how much later."""
    chosen = settings_of(draw(st.sampled_from(CHOICES)))
    chosen["ante"] = draw(st.sampled_from((0, 1, 5, 60)))
    waits = st.sampled_from((900, 1, 5_000, 16_000, 61_000, 2_000_000))
    moves = st.lists(st.tuples(st.integers(0, 9_999), waits), min_size=20, max_size=300)
    return chosen, draw(moves)


def random_history(
    chosen: dict[str, Any], moves: list[tuple[int, int]]
) -> Iterator[tuple[Table, Table, tuple[Entry, ...], int]]:
    """Each table of a history with the one before, what happened in between, and the time."""
    state, now = table(3, **chosen), START
    for number, wait in moves:
        now += wait
        rng = Random(number)
        command = rng.choice(sensible(state, now, rng))
        try:
            following, entries = step(state, command, Moment(now, rng.randbytes(32)))
        except PaiuteError:
            continue
        yield state, following, entries, now
        state = following


def sensible(state: Table, now: int, rng: Random) -> list[TableCommand]:
    """Commands that may well fit: likely ones are there several times."""
    pending, seat = followup(state), acting_seat(state)
    commands: list[TableCommand] = [Leave(player.id) for player in GUESTS]
    commands += [RemoveBot(state.host, number) for number in state.seats]
    if state.status in (Status.WAITING, Status.PAUSE):
        commands += [Join(player) for player in GUESTS] * 8
        commands += [AddBot(state.host, bot) for bot in BOTS] * 4
        commands += [Start(state.host)] * 40
    if pending and pending.kind in DUE and pending.at <= now:
        commands += [DUE[pending.kind]] * 40
    if seat is not None:
        move = any_move(state, seat, rng)
        bot = state.seats[seat].bot_level
        played = PlayForBot(move) if bot else Play(state.seats[seat].player.id, move)
        commands += [played] * 150
    return commands


@LAW
@given(histories())
def test_every_history_has_an_end(history: tuple[dict[str, Any], list[tuple[int, int]]]) -> None:
    """Wherever people left a table, it comes to its end by itself."""
    last = (table(3, **history[0]), START)
    for _, state, _, now in random_history(*history):
        assert (Status.CLOSED is state.status) == (followup(state) is None)
        last = (state, now)
    ends(*last)


@LAW
@given(histories())
def test_every_chip_is_somebodys(history: tuple[dict[str, Any], list[tuple[int, int]]]) -> None:
    """Stacks and pot are what the house and the players brought and did not take home."""
    players = 0
    for before, state, entries, _ in random_history(*history):
        joined = [e.event for e in entries if isinstance(e.event, PlayerJoined)]
        players += sum(event.stack for event in joined if not event.player.is_house_bot)
        players -= sum(posting.amount for posting in owed(before, entries))
        assert state.chips == state.house + players
