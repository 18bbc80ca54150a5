"""Deals at a table: beginning, clocks, settling, the next one."""

from dataclasses import replace

import pytest

from service.engine.commands import Cut, Draw, Source
from service.engine.deal import Phase
from service.engine.errors import WrongPhase
from service.engine.events import DeckCut
from service.engine.house_rules import HouseRules
from service.tables import (
    AddBot,
    Expire,
    Followup,
    Join,
    Leave,
    NextDeal,
    Play,
    PlayForBot,
    Settle,
    Start,
    Status,
    Table,
    followup,
)
from service.tables.bot_turns import bot_turn
from service.tables.errors import Forbidden, NotEnoughPlayers, TableNotOpen
from service.tables.events import (
    BoughtIn,
    PlayerLeft,
    TableClosed,
    TableEvent,
    TurnTimedOut,
    WaitingForPlayers,
)
from service.tables.table import GRACE_MS
from service.tables.views import legal_view, table_view
from tests.tables.builders import (
    ANN,
    BEN,
    BOT,
    BOT2,
    CAM,
    START,
    after,
    at,
    cut,
    events,
    move,
    seated,
    table,
    turn,
)

TURN_ENDS = 60_000 + GRACE_MS
"""When the clock of a turn fires that began at the start."""


def started(*players: object, **settings: object) -> Table:
    """A table at which the first deal has begun."""
    return after(seated(*players, **settings), Start("ann"))  # type: ignore[arg-type]


def over(*players: object, **settings: object) -> Table:
    """A table with a deal that ended because all but one left, settled."""
    state = started(*players, **settings)
    for player in ("ben", "cam")[: len(players) - 1]:
        state = after(state, Leave(player))
    return after(state, Settle())


def test_everyone_pays_the_ante() -> None:
    """The antes move from the stacks to the pot, and no chip is lost."""
    state = started(ANN, BEN, CAM, ante=7, buy_in=50)

    assert [43, 43, 43] == [seat.stack for seat in state.seats.values()]
    assert state.deal is not None
    assert state.deal.pot == 21
    assert state.chips == 150


def test_starting_takes_two_players_and_the_host() -> None:
    """One player is too few, and others than the host may not start."""
    with pytest.raises(NotEnoughPlayers):
        after(seated(ANN), Start("ann"))
    with pytest.raises(Forbidden):
        after(seated(ANN, BEN), Start("ben"))
    with pytest.raises(TableNotOpen):
        after(started(ANN, BEN), Start("ann"))


def test_who_lacks_the_ante_sits_out() -> None:
    """Nobody is dealt in without paying."""
    state = over(ANN, BEN, ante=60, buy_in=100)
    state = after(state, Join(BEN), Join(CAM) if state.open_seats == () else Leave("ben"))

    assert all(state.seats[number].stack >= 60 for number in state.ready_seats)


def test_the_first_dealer_may_be_a_seat_or_drawn_by_lot() -> None:
    """House rule `first_dealer`: a seat deals first, or chance says who."""
    dealt = started(ANN, BEN, CAM, rules=HouseRules(first_dealer=2))
    assert dealt.dealer == 2

    by_lot = seated(ANN, BEN, CAM, rules=HouseRules())
    dealers = {after(by_lot, Start("ann"), moment=at(chance=n)).dealer for n in range(40)}
    assert {1, 2, 3} == dealers


def test_the_deal_passes_clockwise() -> None:
    """After a deal the next occupied seat deals."""
    state = started(ANN, BEN, CAM, rules=HouseRules(first_dealer=1))
    state = after(after(state, Leave("ben"), Leave("ann")), Settle())
    state = after(state, Join(BEN, 1), NextDeal())

    assert state.dealer == 3


def test_the_player_at_the_dealers_right_cuts() -> None:
    """With seat 3 dealing, seat 2 cuts, and only it."""
    state = started(ANN, BEN, CAM)

    assert Status.CUTTING is state.status
    assert state.deal is not None
    assert state.deal.turn == 2
    assert Status.PLAYING is cut(state).status


def test_the_cut_may_be_made_by_chance() -> None:
    """House rule `cut: auto`: the deal begins with the first turn."""
    state = started(ANN, BEN, rules=HouseRules(first_dealer=2, cut="auto"))

    assert Status.PLAYING is state.status


def test_a_player_has_fifteen_seconds_to_cut() -> None:
    """The cut is due after 15 seconds, or a turn's time if that is less; then chance cuts."""
    for turn_seconds, allowed in ((60, 15_000), (7, 7_000), (0, 15_000)):
        state = started(ANN, BEN, turn_seconds=turn_seconds)
        assert Followup("expire_turn", START + allowed + GRACE_MS) == followup(state)

    state, happened = events(started(ANN, BEN), Expire(), at(15_000 + GRACE_MS))
    assert TurnTimedOut(1, 0, handed_to_bot=False) == happened[0]
    assert Status.PLAYING is state.status


def made_by(happened: list[TableEvent]) -> str | None:
    """Who made the cut that is among some events."""
    (made,) = (event for event in happened if isinstance(event, DeckCut))
    return made.by


def test_who_made_the_cut() -> None:
    """The event of a cut says who made it: its player, a bot, the clock, or the house rule."""
    _, happened = events(started(ANN, BEN), Play("ann", Cut(3)))
    assert "player" == made_by(happened)
    _, happened = events(started(ANN, BEN), Expire(), at(15_000 + GRACE_MS))
    assert "clock" == made_by(happened)
    _, happened = events(seated(ANN, BEN, rules=HouseRules(cut="auto")), Start("ann"))
    assert "auto" == made_by(happened)
    _, entries = bot_turn(started(BOT, ANN), at())
    assert "bot" == made_by([entry.event for entry in entries])


def test_a_stand_in_makes_the_cut() -> None:
    """A bot that stands in for a player cuts in the next deal, and the record tells."""
    state = started(ANN, BEN)
    seat = replace(state.seats[1], stand_in="easy")
    _, entries = bot_turn(replace(state, seats=state.seats | {1: seat}), at())
    assert "bot" == made_by([entry.event for entry in entries])


def test_a_turn_without_a_clock_waits_for_long() -> None:
    """With `turn_seconds` 0 whoever stays away is folded in the end, and leaves."""
    state = cut(started(ANN, BEN, CAM, turn_seconds=0, idle_seconds=600))
    ends = 600_000 + GRACE_MS
    assert Followup("expire_turn", START + ends) == followup(state)
    assert (state, []) == events(state, Expire(), at(ends - 1))

    state, happened = events(state, Expire(), at(ends))
    assert ["turn_timed_out", "folded", "player_left"] == [event.type for event in happened]
    assert PlayerLeft(1, ANN, 95, "timed_out") == happened[-1]
    assert TurnTimedOut(1, 1, handed_to_bot=False) == happened[0]
    assert state.deal is not None
    assert (2, True) == (state.deal.turn, state.seats[1].left)


def test_no_bot_stands_in_where_no_clock_runs() -> None:
    """House rule `on_timeout: bot` is about turns that have a time."""
    rules = HouseRules(first_dealer=2, on_timeout="bot")
    state = cut(started(ANN, BEN, rules=rules, turn_seconds=0, idle_seconds=600))

    assert after(state, Expire(), moment=at(600_000 + GRACE_MS)).seats[1].left


def test_drawing_is_doing_something() -> None:
    """Who draws in a turn without a clock has as long again for the discard."""
    state = cut(started(ANN, BEN, turn_seconds=0, idle_seconds=600))
    state = move(state, Draw(Source.STOCK), at(500_000))

    assert Followup("expire_turn", START + 1_100_000 + GRACE_MS) == followup(state)


def test_a_turn_is_not_over_before_its_time() -> None:
    """An early look at the clock changes nothing, and neither does one in the time of grace."""
    state = cut(started(ANN, BEN))

    for early in (59_999, 60_000, TURN_ENDS - 1):
        assert (state, []) == events(state, Expire(), at(early))


@pytest.mark.parametrize("late", [59_999, 60_000, TURN_ENDS, 90_000])
def test_a_move_counts_until_the_clock_has_fired(late: int) -> None:
    """A move in time counts, and so does one that comes before the clock has been seen to."""
    state = move(cut(started(ANN, BEN)), Draw(Source.STOCK), at(late))

    assert state.deal is not None
    assert Phase.DISCARD is state.deal.phase
    assert 0 == state.seats[1].timeouts


def test_the_clock_that_is_shown_has_no_grace() -> None:
    """`turn_ms_left` counts down to the turn's end, and stays 0 after it."""
    state = cut(started(ANN, BEN))

    for now, left in ((0, 60_000), (59_999, 1), (60_000, 0), (60_100, 0), (99_000, 0)):
        view = table_view(state, "ann", START + now)
        assert (left, None) == (view["deal"]["turn_ms_left"], view["idle_ms_left"])


def test_the_view_says_when_a_table_gives_up_on_people() -> None:
    """`idle_ms_left` is there while a table waits, and in a player's turn without a clock."""
    waiting = seated(ANN, BOT, idle_seconds=600, turn_seconds=0)
    assert 599_000 == table_view(waiting, None, START + 1_000)["idle_ms_left"]

    cutting = after(waiting, Start("ann"))
    assert table_view(cutting, None, START)["idle_ms_left"] is None
    playing = cut(cutting)
    assert 1_000 == table_view(playing, None, START + 599_000)["idle_ms_left"]
    assert 0 == table_view(playing, None, START + 700_000)["idle_ms_left"]
    assert table_view(turn(playing), None, START)["idle_ms_left"] is None, "the bot is to act"


def test_nobody_is_late_for_a_bot() -> None:
    """The clock does not time out a house bot that is to act."""
    state = cut(started(BOT, ANN, rules=HouseRules(first_dealer=2)))

    assert (state, []) == events(state, Expire(), at(90_000))


def test_drawing_does_not_stop_the_clock() -> None:
    """A turn has one time for the draw and the discard."""
    state = move(cut(started(ANN, BEN)), Draw(Source.STOCK), at(30_000))

    assert Followup("expire_turn", START + TURN_ENDS) == followup(state)


def test_a_turn_out_of_time_is_played() -> None:
    """Nothing drawn: a card from the stock, discarded at once."""
    state = cut(started(ANN, BEN))
    assert state.deal is not None
    top = state.deal.stock[0]
    state, happened = events(state, Expire(), at(TURN_ENDS))

    assert ["turn_timed_out", "card_drawn", "card_discarded"] == [e.type for e in happened]
    assert state.deal is not None
    assert (top, 2) == (state.deal.pile[0], state.deal.turn)


def test_a_discard_out_of_time_is_the_drawn_card() -> None:
    """A card drawn from the stock is discarded when time runs out."""
    state = move(cut(started(ANN, BEN)), Draw(Source.STOCK), at(1))
    assert state.deal is not None
    drawn = state.deal.drawn
    state = after(state, Expire(), moment=at(TURN_ENDS))

    assert state.deal is not None
    assert drawn == state.deal.pile[0]


def test_a_card_from_the_discards_stays_when_time_runs_out() -> None:
    """A card taken from the discard pile cannot be discarded for the player either."""
    state = move(cut(started(ANN, BEN)), Draw(Source.DISCARD), at(1))
    assert state.deal is not None
    drawn = state.deal.drawn
    state = after(state, Expire(), moment=at(TURN_ENDS))

    assert state.deal is not None
    assert drawn in state.deal.hands[1].cards
    assert drawn != state.deal.pile[0]


def test_three_turns_out_of_time_fold() -> None:
    """The third timed-out turn in a row folds the player and frees the seat after the deal."""
    state = cut(started(ANN, BEN, CAM))
    now = 0
    for _ in range(2):
        now += TURN_ENDS
        state = after(state, Expire(), moment=at(now))
        state = turn(turn(state, at(now)), at(now))
    state, happened = events(state, Expire(), at(now + TURN_ENDS))

    assert TurnTimedOut(1, 3, handed_to_bot=False) == happened[0]
    assert PlayerLeft(1, ANN, 95, "timed_out") == happened[-1]
    assert state.deal is not None
    assert state.deal.hands[1].folded


def test_a_move_in_time_counts_anew() -> None:
    """A turn played in time takes earlier timeouts off the count."""
    state = cut(started(ANN, BEN))
    state = after(state, Expire(), moment=at(TURN_ENDS))
    assert state.seats[1].timeouts == 1

    state = turn(turn(state, at(60_000)), at(60_000))
    assert state.seats[1].timeouts == 0


def test_a_seat_may_be_handed_to_a_bot() -> None:
    """House rule `on_timeout: bot`: a bot plays on, until the player moves again."""
    rules = HouseRules(first_dealer=2, on_timeout="bot")
    state = cut(started(ANN, BEN, rules=rules))
    state, happened = events(state, Expire(), at(TURN_ENDS))

    assert [TurnTimedOut(1, 1, handed_to_bot=True)] == happened
    pending = followup(state)
    assert pending is not None
    assert pending.kind == "play_bot"
    played, _ = bot_turn(state, at(61_000))
    assert played.deal is not None
    assert played.deal.turn == 2

    back = move(state, Draw(Source.STOCK), at(61_000))
    assert back.seats[1].stand_in is None


def test_a_bot_plays_only_its_own_turn() -> None:
    """A bot's move is a no-op where a player is to act."""
    state = cut(started(ANN, BEN))

    assert (state, []) == events(state, PlayForBot(Draw(Source.STOCK)))
    assert (state, ()) == bot_turn(state, at())


def test_a_bots_turn_is_due_after_its_thinking_time() -> None:
    """House bots act `thinking_ms` after their turn began."""
    state = started(BOT, ANN, thinking_ms=300)

    assert Followup("play_bot", START + 300) == followup(state)


def test_moves_need_a_deal() -> None:
    """Before the start and in the pause there is nothing to play."""
    for state in (seated(ANN, BEN), over(ANN, BEN)):
        with pytest.raises(WrongPhase):
            after(state, Play("ann", Cut(3)))


def test_the_pause_comes_before_the_next_deal() -> None:
    """A settled table pauses; then the next deal begins, or it waits for players."""
    state = over(ANN, BEN, CAM)
    assert Followup("next_deal", START + 5_000) == followup(state)

    alone = after(state, NextDeal())
    assert Status.WAITING is alone.status
    again = after(after(state, Join(BEN)), NextDeal())
    assert (Status.CUTTING, 2) == (again.status, again.number)


def test_settling_twice_pays_once() -> None:
    """A second settlement, or a second start of the next deal, changes nothing."""
    state = over(ANN, BEN, ante=5)

    assert (state, []) == events(state, Settle())
    going = after(after(state, Join(BEN)), NextDeal())
    assert (going, []) == events(going, NextDeal())


def test_house_bots_buy_in_again() -> None:
    """A house bot without the chips for an ante buys in again, and the log says so."""
    state = seated(ANN, BOT, ante=60, buy_in=100)
    state = after(after(state, Start("ann")), moment=at())
    state = after(state, Play("ann", Cut(0))) if state.deal and state.deal.turn == 1 else state
    while state.status is Status.PLAYING:
        state = _any_turn(state)
    state = after(state, Settle())
    broke = [n for n, seat in state.seats.items() if seat.stack < 60]
    _, happened = events(state, NextDeal())

    expected = [BoughtIn(2, 100)] if 2 in broke else []
    assert expected == [event for event in happened if isinstance(event, BoughtIn)]


def _any_turn(state: Table) -> Table:
    assert state.deal is not None
    if state.deal.turn == 1:
        return turn(state)
    return bot_turn(state, at(chance=state.version))[0]


def test_a_table_may_have_a_last_deal() -> None:
    """With `deals` set the table closes when so many are settled."""
    state = started(ANN, BEN, deals=1)
    state, happened = events(after(state, Leave("ben")), Settle())

    assert TableClosed("deals_played", {1: 105}) == happened[-1]
    assert Status.CLOSED is state.status
    assert followup(state) is None


def test_a_folding_cutter_hands_the_cut_on() -> None:
    """If the cutter leaves, the next player to the right cuts, with a fresh clock."""
    state = started(ANN, BEN, CAM)
    state = after(state, Leave("ben"), moment=at(9_000))

    assert state.deal is not None
    assert (Phase.CUT, 1) == (state.deal.phase, state.deal.turn)
    assert Followup("expire_turn", START + 24_000 + GRACE_MS) == followup(state)


def test_leaving_out_of_turn_leaves_the_clock_alone() -> None:
    """The clock of whose turn it is goes on when another player leaves."""
    state = cut(started(ANN, BEN, CAM))
    state = after(state, Leave("cam"), moment=at(10_000))

    assert Followup("expire_turn", START + TURN_ENDS) == followup(state)


def test_a_table_whose_guests_are_all_away_closes() -> None:
    """Stand-ins alone do not go on after the deal in which they took over."""
    rules = HouseRules(first_dealer=2, on_timeout="bot", max_reshuffles=0)
    state = cut(started(ANN, BOT, rules=rules))
    while state.status is Status.PLAYING:
        late = after(state, Expire(), moment=at(TURN_ENDS))
        state = bot_turn(late, at(60_000))[0]
    _, happened = events(state, Settle())

    assert isinstance(happened[-1], TableClosed)
    assert "everybody_left" == happened[-1].reason
    assert 200 == sum(happened[-1].cashed_out.values())


def test_bots_do_not_play_on_without_a_guest() -> None:
    """Where no guest has the ante, a table waits for its people instead of dealing to bots."""
    state = broke_guest(seated(ANN, BOT, BOT2, ante=5))
    state, happened = events(state, NextDeal(), at(5_000))

    assert WaitingForPlayers(1) == happened[-1]
    assert Status.WAITING is state.status
    assert "start" in [one["action"] for one in legal_view(state, "ann")]


def test_a_stand_in_is_no_guest_who_plays() -> None:
    """A guest who is away, and one without chips, leave nobody whom bots could play for."""
    state = broke_guest(seated(ANN, BEN, BOT, ante=5))
    away = replace(state.seats[2], stand_in="easy")
    waiting = after(replace(state, seats=state.seats | {2: away}), NextDeal())

    assert Status.WAITING is waiting.status
    assert Status.CUTTING is after(state, NextDeal()).status


def test_bots_alone_have_a_last_deal() -> None:
    """A table of bots that knows no last deal closes after the first one."""
    state = after(table(2), AddBot("ann", BOT), AddBot("ann", BOT2), Start("ann"))
    while state.status is not Status.SETTLING:
        state = bot_turn(state, at(chance=state.version))[0]
    state, happened = events(state, Settle())

    assert isinstance(happened[-1], TableClosed)
    assert "everybody_left" == happened[-1].reason


def test_an_exhibition_has_its_deals() -> None:
    """A table of bots that knows its last deal plays until then."""
    state = after(table(2, deals=2), AddBot("ann", BOT), AddBot("ann", BOT2), Start("ann"))
    while state.status is not Status.SETTLING:
        state = bot_turn(state, at(chance=state.version))[0]

    assert Status.CUTTING is after(state, Settle(), NextDeal()).status


def broke_guest(state: Table) -> Table:
    """The table in the pause after its first deal, with nothing left to the guest in seat 1."""
    state = cut(after(state, Start("ann")))
    while state.status is Status.PLAYING:
        bots_turn = bot_turn(state, at(chance=state.version))[0]
        state = turn(state) if bots_turn is state else bots_turn
    state = after(state, Settle())
    return replace(state, seats=state.seats | {1: replace(state.seats[1], stack=0)})
