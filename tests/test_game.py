"""The application: jobs that may run twice, bots that fail, and time that runs out."""

import logging
import random
from collections import Counter
from collections.abc import Callable

import pytest

from service import bots
from service.engine.commands import Call, Command, Cut, Discard, Draw, Source
from service.engine.deal import Phase
from service.engine.house_rules import HouseRules
from service.engine.views import DealView
from service.game import OVERDUE_MS, Game, Terms
from service.store.base import Due, StaleVersion, Store, Unavailable
from service.store.watches import Guard
from service.tables import Play, Status, Table, followup
from service.tables.events import BoughtIn
from service.tables.table import GRACE_MS, IDLE_SECONDS
from tests.support.game import Played
from tests.support.tables import GUEST, HOST, START, settings

AUTO = HouseRules(cut="auto", first_dealer=1)
"""Nobody has to cut, and the first to draw sits in seat 2."""

GRACE = GRACE_MS / 1000
"""How many seconds after a turn's end its clock fires."""

Chooser = Callable[[DealView, random.Random], Command]


@pytest.fixture
def played() -> Played:
    """An empty game in memory."""
    return Played()


def sensible(view: DealView, rng: random.Random) -> Command:
    """Cut, call where possible, else draw from the stock and throw the drawn card."""
    assert view.you is not None
    legal = view.you.legal
    if legal.cut:
        return Cut(7)
    if legal.draw:
        return Draw(Source.STOCK)
    return Call() if legal.call is not None else Discard(legal.discard[-1])


@pytest.fixture
def bot_plays(monkeypatch: pytest.MonkeyPatch) -> Callable[[Chooser], None]:
    """Has every house bot play as a function says."""

    def install(chooser: Chooser) -> None:
        monkeypatch.setattr(bots, "choose", lambda _level, view, rng: chooser(view, rng))

    return install


@pytest.fixture(autouse=True)
def _sensible_bots(bot_plays: Callable[[Chooser], None]) -> None:
    bot_plays(sensible)


def test_the_maker_takes_the_first_seat(played: Played) -> None:
    """The maker of a table sits in seat 1, the bots in the next ones, each with the buy-in."""
    table = played.table("easy", "medium", seats=5, buy_in=70)
    assert [1, 2, 3] == list(table.seats)
    assert HOST == table.seats[1].player
    assert ["easy", "medium"] == [table.seats[n].player.level for n in (2, 3)]
    assert {70} == {seat.stack for seat in table.seats.values()}
    assert Status.WAITING is table.status
    assert table == played.store.load(table.id)
    assert [table.id] == [t.id for t in played.store.tables_of(HOST.id, START)]
    assert [] == played.queue.jobs


def test_a_full_table_begins(played: Played) -> None:
    """A table that begins when it is full begins with its last seat."""
    table = played.table("easy", seats=2, turn_seconds=30)
    assert Status.CUTTING is table.status
    assert ["player_joined", "player_joined", "deal_started"] == played.events(table.id)
    waits = played.table("easy", seats=2, start_when="host")
    assert Status.WAITING is waits.status


def test_an_exhibition(played: Played) -> None:
    """Where bots take every seat the maker watches, and they play to the last deal."""
    table = played.table("easy", "easy", "easy", seats=3, deals=4)
    assert table.seat_of(HOST.id) is None
    done = played.work()
    table = played.store.load(table.id)
    assert (Status.CLOSED, 4) == (table.status, table.number)
    assert {"play_bot", "settle", "next_deal"} == {due.kind for due in done}
    assert 4 == len(played.store.records(table.id, None, 10))
    assert [] == played.sweep()


def test_each_job_may_run_twice(played: Played) -> None:
    """Running a job a second time, or late, changes nothing."""
    tables = [played.table("easy", "easy", deals=4, pause_seconds=p) for p in (0, 3)]
    tables.append(played.table("easy", turn_seconds=10, deals=2, rules=AUTO))
    done = Counter[str]()
    while busy := [table for table in tables if followup(played.store.load(table.id))]:
        for table in busy:
            due = played.due(table.id)
            pending = followup(played.store.load(table.id))
            assert pending is not None
            played.clock.now = max(played.clock.now, pending.at)
            played.game.run(due)
            after = seen(played, table)
            for _ in range(2):
                played.game.run(due)
            assert after == seen(played, table)
            assert due.number < after[0].version
            done[due.kind] += 1
    assert {"play_bot", "settle", "next_deal", "expire_turn"} == set(done)
    assert min(done.values()) > 2


def seen(played: Played, table: Table) -> tuple[Table, int]:
    """A table, and how long its log is."""
    return played.store.load(table.id), len(played.store.entries(table.id, 0, 100_000))


def test_a_stale_job_is_nothing(played: Played) -> None:
    """A job of another version or kind than what is due now does nothing."""
    table = played.table("easy", "easy", thinking_ms=500)
    version = table.version
    before = seen(played, table)
    for due in (
        Due("play_bot", table.id, version - 1),
        Due("play_bot", table.id, version + 1),
        Due("settle", table.id, version),
        Due("next_deal", table.id, version),
        Due("expire_turn", table.id, version),
        Due("play_bot", table.id, version),  # The bot still thinks.
    ):
        played.game.run(due)
        assert before == seen(played, table)
    played.game.run(Due("play_bot", "nowhere", 1))


def test_a_job_that_loses_the_race(played: Played, bot_plays: Callable[[Chooser], None]) -> None:
    """A job whose table moves on while its bot thinks is dropped; the turn is played once."""
    table = played.table("easy", "easy", rules=AUTO)
    due = played.due(table.id)
    overtaken = []

    def overtake(view: DealView, rng: random.Random) -> Command:
        bot_plays(sensible)
        played.game.run(due)
        overtaken.append(seen(played, table))
        return sensible(view, rng)

    bot_plays(overtake)
    played.game.run(due)
    assert overtaken == [seen(played, table)]
    events = played.events(table.id)
    assert events.count("card_drawn") == events.count("card_discarded") + events.count("called")


def test_a_bot_thinks(played: Played) -> None:
    """With a thinking time a bot's turn is due that long after the one before, not earlier."""
    table = played.table("easy", "easy", thinking_ms=800)
    assert [] == played.queue.jobs
    played.clock.advance(0.799)
    assert [] == played.sweep()
    played.clock.advance(0.001)
    assert ["play_bot"] == [due.kind for due in played.sweep()]
    assert [] == played.queue.jobs, "the next bot thinks too"
    assert played.clock.now == played.store.load(table.id).since


def test_bots_that_need_no_time_play_in_one_job(played: Played) -> None:
    """Without thinking time one job plays bot after bot until a person is to act."""
    table = played.table("easy", "easy", joiners=(GUEST,), seats=4, rules=AUTO)
    assert [Due("play_bot", table.id, table.version)] == played.queue.jobs
    assert 1 == len(played.work())
    table = played.store.load(table.id)
    assert table.deal is not None
    assert 4 == table.deal.turn
    assert 2 == played.events(table.id).count("card_drawn")


def illegal(view: DealView, rng: random.Random) -> Command:
    """What nobody may do now."""
    assert view.you is not None
    return Draw(Source.STOCK) if view.you.legal.cut else Cut(3)


def raises(view: DealView, rng: random.Random) -> Command:
    """A bot with a fault of its own."""
    raise ZeroDivisionError("a fault in the bot")


def answers_nonsense(view: DealView, rng: random.Random) -> Command:
    """A bot that does not answer with a command at all."""
    return None  # type: ignore[return-value]


def holds_other_cards(view: DealView, rng: random.Random) -> Command:
    """A bot that draws well, and then throws a card it has not."""
    assert view.you is not None
    if view.you.legal.discard:
        assert view.wild_card is not None
        return Discard(view.wild_card)
    return sensible(view, rng)


@pytest.mark.parametrize("bad", [illegal, raises, answers_nonsense, holds_other_cards])
def test_a_bad_bot_gets_the_fallback(
    played: Played,
    bot_plays: Callable[[Chooser], None],
    caplog: pytest.LogCaptureFixture,
    bad: Chooser,
) -> None:
    """A bot that fails loses nobody's time: the fallback plays its cut and turns, and says so."""
    bot_plays(bad)
    table = played.table("easy", "medium", deals=1, rules=HouseRules(max_reshuffles=0))
    with caplog.at_level(logging.ERROR):
        played.work()
    assert Status.CLOSED is played.store.load(table.id).status
    events = played.events(table.id)
    assert events.count("card_drawn") == events.count("card_discarded")
    faults = [one for one in caplog.records if one.name == "service.tables.bot_turns"]
    assert table.id in faults[0].getMessage()
    assert faults[0].getMessage().startswith(("bot easy", "bot medium"))


def test_the_cut_runs_out_of_time(played: Played) -> None:
    """Who does not cut within 15 seconds, or the turn's time, has the deck cut at random."""
    for turn_seconds, allowed in ((0, 15), (60, 15), (10, 10)):
        table = played.table(joiners=(GUEST,), turn_seconds=turn_seconds)
        assert Status.CUTTING is table.status
        played.clock.advance(allowed + GRACE - 0.001)
        assert [] == played.sweep()
        played.clock.advance(0.001)
        assert ["expire_turn"] == [due.kind for due in played.sweep()]
        assert ["turn_timed_out", "cut"] == played.events(table.id)[-2:]
        after = played.store.load(table.id)
        assert Status.PLAYING is after.status
        assert [0, 0] == [seat.timeouts for seat in after.seats.values()]


def test_a_turn_runs_out_of_time(played: Played) -> None:
    """A turn that is not played in time is played: drawn from the stock, the card thrown."""
    table = played.table(joiners=(GUEST,), turn_seconds=20, rules=AUTO)
    assert table.deal is not None
    top, turn = table.deal.stock[0], table.deal.turn
    assert turn is not None
    hand = table.deal.hands[turn].cards
    played.clock.advance(20 + GRACE)
    played.sweep()
    after = played.store.load(table.id)
    assert after.deal is not None
    assert (top, hand) == (after.deal.pile[0], after.deal.hands[turn].cards)
    assert ["turn_timed_out", "card_drawn", "card_discarded"] == played.events(table.id)[-3:]
    assert (1, played.clock.now) == (after.seats[turn].timeouts, after.since)
    assert turn != after.deal.turn


def test_half_a_turn_runs_out_of_time(played: Played) -> None:
    """Who has drawn and not discarded in time has the drawn card thrown; drawing wins no time."""
    table = played.table(joiners=(GUEST,), turn_seconds=20, rules=AUTO)
    played.clock.advance(15)
    table = act(played, table, Draw(Source.STOCK))
    assert table.deal is not None
    drawn = table.deal.drawn
    played.clock.advance(5 + GRACE)
    played.sweep()
    after = played.store.load(table.id)
    assert after.deal is not None
    assert drawn == after.deal.pile[0]
    assert ["card_drawn", "turn_timed_out", "card_discarded"] == played.events(table.id)[-3:]


def act(played: Played, table: Table, move: Command) -> Table:
    """A move of the seat whose turn it is."""
    assert table.deal is not None
    assert table.deal.turn is not None
    player = table.seats[table.deal.turn].player.id
    return played.game.act(table.id, Play(player, move), Terms(table.version))


def pass_turn(played: Played, table: Table) -> Table:
    """Draw from the stock and throw the card."""
    table = act(played, table, Draw(Source.STOCK))
    assert table.deal is not None
    assert table.deal.drawn is not None
    return act(played, table, Discard(table.deal.drawn))


def test_three_timeouts_in_a_row_fold(played: Played) -> None:
    """The third turn in a row that runs out of time folds the hand and frees the seat."""
    table = played.table(joiners=(GUEST,), turn_seconds=20, rules=AUTO)
    absent = table.deal.turn if table.deal else None
    assert absent is not None
    for row in (1, 2):
        played.clock.advance(20 + GRACE)
        played.sweep()
        table = played.store.load(table.id)
        assert row == table.seats[absent].timeouts
        table = pass_turn(played, table)
    played.clock.advance(20 + GRACE)
    played.sweep()
    table = played.store.load(table.id)
    assert ["turn_timed_out", "folded", "player_left"] == played.events(table.id)[-3:]
    assert (Status.SETTLING, True) == (table.status, table.seats[absent].left)
    played.work()
    table = played.store.load(table.id)
    assert absent not in table.seats
    assert [table.id] == [t.id for t in played.store.lobby(None, open_only=True, limit=5).tables]


def test_a_move_ends_the_row(played: Played) -> None:
    """Whoever plays again in between is not folded by a third timeout later."""
    table = played.table(joiners=(GUEST,), turn_seconds=20, rules=AUTO)
    seat = table.deal.turn if table.deal else None
    assert seat is not None
    for late in (True, True, False, True, True):
        if late:
            played.clock.advance(20 + GRACE)
            played.sweep()
            table = played.store.load(table.id)
        else:
            table = pass_turn(played, table)
        table = pass_turn(played, table)
    assert 2 == table.seats[seat].timeouts
    assert not table.seats[seat].left


def never_calls(view: DealView, rng: random.Random) -> Command:
    """A bot whose deals don't end early."""
    move = sensible(view, rng)
    assert view.you is not None
    return Discard(view.you.legal.discard[-1]) if isinstance(move, Call) else move


def test_a_bot_takes_over(played: Played, bot_plays: Callable[[Chooser], None]) -> None:
    """With `on_timeout: bot` a bot plays for who is late, and a move of theirs takes it back."""
    bot_plays(never_calls)
    rules = HouseRules(cut="auto", on_timeout="bot")
    table = played.table(joiners=(GUEST,), turn_seconds=20, thinking_ms=400, rules=rules)
    late = table.deal.turn if table.deal else None
    assert late is not None
    played.clock.advance(20 + GRACE)
    played.sweep()
    table = played.store.load(table.id)
    assert ("turn_timed_out", "easy") == (played.events(table.id)[-1], table.seats[late].stand_in)
    played.clock.advance(2.9)
    assert [] == played.sweep()  # Its player has three seconds to come back.
    played.clock.advance(0.1)
    assert ["play_bot"] == [due.kind for due in played.sweep()]
    assert "card_drawn" in played.events(table.id)
    table = pass_turn(played, played.store.load(table.id))
    assert table.deal is not None
    assert late == table.deal.turn
    assert [Due("play_bot", table.id, table.version)] == [played.due(table.id)]
    table = act(played, table, Draw(Source.STOCK))
    assert table.seats[late].stand_in is None
    assert 0 == table.seats[late].timeouts
    assert "expire_turn" == played.due(table.id).kind


def test_the_pause(played: Played) -> None:
    """The next deal begins when the pause is over, and not earlier."""
    table = played.table("easy", "easy", pause_seconds=4, deals=3)
    played.work()
    table = played.store.load(table.id)
    assert (Status.PAUSE, 1) == (table.status, table.number)
    played.clock.advance(3.999)
    assert [] == played.sweep()
    played.clock.advance(0.001)
    assert ["next_deal"] == [due.kind for due in played.sweep()]
    assert 2 == played.store.load(table.id).number


def test_no_turn_clock(played: Played) -> None:
    """Without a clock a player may think for long; who stays away is folded, and leaves."""
    table = played.table(joiners=(GUEST,), turn_seconds=0, rules=AUTO)
    absent = table.deal.turn if table.deal else None
    assert absent is not None
    played.clock.advance(IDLE_SECONDS)
    assert [] == played.sweep()
    assert table == played.store.load(table.id)

    played.clock.advance(GRACE)
    played.sweep()
    assert ["turn_timed_out", "folded", "player_left"] == played.events(table.id)[-3:]
    played.work()
    assert absent not in played.store.load(table.id).seats


def test_a_table_that_nobody_comes_to(played: Played) -> None:
    """A waiting table closes when nobody has done anything for long, and the chips go home."""
    table = played.table("easy", seats=3, buy_in=70)
    assert 930 == played.store.accounts.account(HOST.id).balance
    played.clock.advance(IDLE_SECONDS - 0.001)
    assert [] == played.sweep()
    played.clock.advance(0.001)
    assert ["close_idle"] == [due.kind for due in played.sweep()]
    after = played.store.load(table.id)
    assert (Status.CLOSED, "table_closed") == (after.status, played.events(table.id)[-1])
    assert (1000, 0) == (played.store.accounts.account(HOST.id).balance, after.house)


def test_how_long_tables_wait_is_the_services_to_say(played: Played) -> None:
    """A table waits as long as the service was set to when the table was made."""
    game = Game(played.store, played.queue, clock=played.clock, idle_seconds=90)
    table = game.create_table(HOST, settings(idle_seconds=7), ())

    assert 90 == table.settings.idle_seconds


LATE = OVERDUE_MS / 1000


@pytest.mark.parametrize(
    ("levels", "waits", "kind"),
    [
        ((), 1_800, "close_idle"),
        (("easy",), 20 + GRACE, "expire_turn"),
        (("easy", "easy"), 0, "settle"),
        (("easy", "easy"), 4, "next_deal"),
    ],
)
def test_who_looks_sees_what_is_overdue_done(
    played: Played, levels: tuple[str, ...], waits: float, kind: str
) -> None:
    """Where no worker has seen to a clock or a settlement, looking at the table does it."""
    table = played.table(*levels, turn_seconds=20, pause_seconds=4, deals=3, rules=AUTO)
    while kind != played.due(table.id).kind:
        played.game.run(played.due(table.id))
    before = played.store.load(table.id)
    played.clock.advance(waits + LATE - 0.001)
    assert before == played.game.look(table.id)

    played.clock.advance(0.001)
    seen = played.game.look(table.id)
    assert before.version < seen.version
    assert seen == played.store.load(table.id)


def test_who_looks_plays_for_no_bot(played: Played) -> None:
    """A bot's turn is its worker's to play, however late it is."""
    table = played.table("easy", "easy")
    played.clock.advance(60)

    assert table == played.game.look(table.id)


def test_who_looks_sees_what_there_is(
    played: Played, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Where what is overdue can't be done now, the table is shown as it stands."""
    table = played.table(seats=3)
    played.clock.advance(3600)

    def away(*_: object) -> bool:
        raise Unavailable("The store of the tables can't take writes now.")

    monkeypatch.setattr(played.store, "commit", away)
    assert table == played.game.look(table.id)
    assert any("close_idle is overdue" in one.getMessage() for one in caplog.records)


def test_who_waits_sees_what_has_become_overdue(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long poll ends with what has come due in the meantime, though no worker saw to it."""
    table = played.table(seats=3)

    def wait(table_id: str, version: int, seconds: float, _guard: Guard | None) -> Table:
        assert (table.version, 25) == (version, seconds)
        played.clock.advance(3600)
        return played.store.load(table_id)

    monkeypatch.setattr(played.store, "wait", wait)
    assert table == played.game.look(table.id, table.version)
    assert Status.CLOSED is played.game.look(table.id, table.version, 25).status


def test_who_has_an_older_version_does_not_wait(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who knows another version than the present one is shown that at once."""
    table = played.table("easy", seats=3)
    monkeypatch.delattr(Store, "wait")

    assert table == played.game.look(table.id, table.version - 1, 25)


def test_queues_that_are_away_only_make_it_late(played: Played) -> None:
    """Where a job can't be enqueued the caller's move counts, and the sweep finds what is due."""
    played.queue.away = True
    table = played.table("easy", "easy", "easy", seats=3, deals=2)
    assert 3 + 1 == table.version
    for _ in range(200):
        played.clock.advance(2)
        played.sweep()
    assert [] == played.queue.jobs
    assert Status.CLOSED is played.store.load(table.id).status


def test_a_named_version(played: Played) -> None:
    """A command for a version that has passed is refused with the fresh table."""
    table = played.table("easy", seats=3)
    after = played.game.join(table.id, GUEST, terms=Terms(table.version))
    with pytest.raises(StaleVersion) as refused:
        played.game.add_bot(table.id, HOST.id, "easy", terms=Terms(table.version))
    assert after == refused.value.table


def test_bots_have_names_of_their_own(played: Played) -> None:
    """No two house bots of a table have the same name."""
    table = played.table("easy", "easy", seats=5)
    for _ in range(2):
        table = played.game.add_bot(table.id, HOST.id, "easy")
    names = [seat.player.name for seat in table.seats.values()]
    assert 5 == len(set(names))


def test_new_accounts(played: Played) -> None:
    """A new account has the grant, and an id of its own."""
    one, other = (played.game.sign_up("Keola", "bot") for _ in range(2))
    assert one == played.store.accounts.account(one.player.id)
    assert (1000, "bot", played.clock.now) == (one.balance, one.player.kind, one.created_at)
    assert one.player.id != other.player.id


def test_chips_are_conserved(played: Played) -> None:
    """Stacks and pot always make what was bought in, deal after deal."""
    table = played.table("easy", "easy", "easy", seats=3, deals=16, buy_in=5, ante=5)
    issued, after = 15, 0
    while played.queue.jobs:
        played.game.run(played.queue.jobs.pop(0))
        table = played.store.load(table.id)
        for entry in played.store.entries(table.id, after, 1000):
            issued += entry.event.amount if isinstance(entry.event, BoughtIn) else 0
        after = table.version
        there = 0 if table.status is Status.CLOSED else issued
        assert there == table.chips == table.house
    assert Status.CLOSED is table.status
    assert "bought_in" in played.events(table.id)


def test_a_settlement_is_a_record(played: Played) -> None:
    """A settled deal's record has all its actions, in order, and its result."""
    table = played.table("easy", "easy", deals=1)
    played.work()
    record = played.store.record(table.id, 1)
    happened = played.events(table.id)
    assert "cut" == record.actions[0].action
    drawn = sum(action.action == "draw" for action in record.actions)
    assert happened.count("card_drawn") + happened.count("deal_voided") == drawn
    result = played.store.load(table.id).result
    assert result == record.result
    deal = played.store.load(table.id).deal
    assert deal is not None
    assert Phase.OVER is deal.phase
    assert deal.seed == record.seed
