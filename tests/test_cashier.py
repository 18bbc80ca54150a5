"""Chips between accounts and tables: each movement once, whatever is killed in between."""

from collections.abc import Callable, Iterator

import pytest
from redis import Redis

from service.audit import audit
from service.cashier import Cashier
from service.engine import rules
from service.engine.commands import Call, Cut, Discard, Draw, Source
from service.engine.deal import Reason
from service.engine.errors import PaiuteError
from service.game import Game, Terms
from service.operators import grant
from service.store.accounts import Why
from service.store.base import ARRIVE_MS, Due
from service.store.books import Books
from service.store.redis_store import RedisStore
from service.tables import Leave, Play, Status, Table, followup
from service.tables.errors import InsufficientChips, TableFull
from tests.support.dying import Deathbed, Killed
from tests.support.game import FakeClock, KeptQueue
from tests.support.tables import GUEST, HOST, open_account, settings

CHIPS = 1000
BUY_IN = 100
MOST_STEPS = 40

Deed = Callable[[Game], object]


class Casino:
    """The application over the real server, with processes that die when told to."""

    def __init__(self, redis: Redis, url: str) -> None:
        self.clock, self._url = FakeClock(), url
        self.game = self._over(redis)
        self.store = self.game.store
        for player in (HOST, GUEST):
            open_account(self.store, player, CHIPS)

    def _over(self, redis: Redis) -> Game:
        return Game(RedisStore(redis, 3600, 4, self.clock), KeptQueue(), clock=self.clock)

    def dies(self, deed: Deed, step: int, *, done: bool) -> bool:
        """Do something in a process that dies at a step; False where it came to its end."""
        deathbed = Deathbed(self._url, step, done=done)
        try:
            deed(self._over(deathbed.redis))
        except Killed:
            return True
        finally:
            deathbed.redis.close()
        return False

    def recover(self) -> None:
        """Let time pass, and do all that has come due; each job twice."""
        self.clock.advance(ARRIVE_MS / 1000 + 1)
        while due := self.store.claim_due(self.clock.now, self.clock.now + 1, 100):
            for one in due * 2:
                self.game.run(one)

    def balance(self, player: str) -> int:
        """What a player's account has."""
        return self.store.accounts.account(player).balance

    def whys(self, player: str) -> list[Why]:
        """Why chips moved on a player's account, in order."""
        return [one.posting.why for one in self.store.accounts.ledger(player, None, 99)][::-1]


@pytest.fixture
def casino(redis: Redis, redis_url: str) -> Casino:
    """Two players with accounts, over an empty server."""
    return Casino(redis, redis_url)


Deaths = Callable[[Callable[[Casino], Deed]], Iterator[Casino]]


@pytest.fixture(params=[False, True], ids=["before it", "after it"])
def casinos(request: pytest.FixtureRequest, redis: Redis, redis_url: str) -> Deaths:
    """A way to do something again and again, dying one step later each time."""

    def each_death(prepare: Callable[[Casino], Deed]) -> Iterator[Casino]:
        for step in range(1, MOST_STEPS):
            redis.flushall()
            casino = Casino(redis, redis_url)
            died = casino.dies(prepare(casino), step, done=request.param)
            casino.recover()
            yield casino
            if not died:
                assert step > 3, "it has more steps than that"
                return
        raise AssertionError("it never came to its end")

    return each_death


def table_of(casino: Casino, player: str) -> Table | None:
    """The table that a player sits at."""
    tables = casino.store.tables_of(player, casino.clock.now)
    return tables[0] if tables else None


def test_a_join_that_dies(casinos: Deaths) -> None:
    """Killed at any step, a player sits with a buy-in that was paid, or has all chips back."""

    def prepare(casino: Casino) -> Deed:
        table = casino.game.create_table(HOST, settings(seats=3), ())
        return lambda game: game.join(table.id, GUEST)

    ends = set()
    for casino in casinos(prepare):
        table = table_of(casino, GUEST.id)
        assert casino.balance(GUEST.id) == CHIPS - (BUY_IN if table else 0)
        ends.add(tuple(casino.whys(GUEST.id)))
    assert {("grant",), ("grant", "buy_in"), ("grant", "buy_in", "refund")} == ends


def test_a_table_whose_making_dies(casinos: Deaths) -> None:
    """Killed at any step, the table is there with its maker, or the chips are back."""
    ends = set()
    for casino in casinos(lambda _: lambda game: game.create_table(HOST, settings(seats=3), ())):
        table = table_of(casino, HOST.id)
        assert casino.balance(HOST.id) == CHIPS - (BUY_IN if table else 0)
        ends.add(tuple(casino.whys(HOST.id)))
    assert {("grant", "buy_in"), ("grant", "buy_in", "refund")} <= ends


def test_a_leave_that_dies(casinos: Deaths) -> None:
    """Killed at any step, a player still sits, or is paid out once."""

    def prepare(casino: Casino) -> Deed:
        table = casino.game.create_table(HOST, settings(seats=3), ())
        casino.game.join(table.id, GUEST)
        return lambda game: game.act(table.id, Leave(GUEST.id))

    for casino in casinos(prepare):
        assert casino.balance(GUEST.id) == CHIPS - (BUY_IN if table_of(casino, GUEST.id) else 0)
        assert casino.whys(GUEST.id).count("cash_out") <= 1


def over(casino: Casino) -> Table:
    """A table whose deal is over and not settled: the guest has left in the middle of it."""
    table = casino.game.create_table(HOST, settings(seats=2, pause_seconds=5), ())
    casino.game.join(table.id, GUEST)
    table = casino.game.act(table.id, Leave(GUEST.id))
    assert Status.SETTLING is table.status
    return table


def test_a_settlement_that_dies(casinos: Deaths) -> None:
    """Killed after each of its steps and run again, the pot is paid once, and who left is paid."""

    def prepare(casino: Casino) -> Deed:
        table = over(casino)
        return lambda game: game.run(Due("settle", table.id, table.version))

    for casino in casinos(prepare):
        (table,) = casino.store.tables_of(HOST.id, casino.clock.now)
        kinds = [entry.event.type for entry in casino.store.entries(table.id, 0, 99)]
        assert 1 == kinds.count("settled")
        assert casino.balance(GUEST.id) == CHIPS - 5
        assert table.seats[1].stack == BUY_IN + 5
        assert ["grant", "buy_in", "cash_out"] == casino.whys(GUEST.id)


def test_an_operators_close_that_dies(casinos: Deaths, redis: Redis) -> None:
    """Killed at any step and asked for again, a deal is void and each stack comes home once."""

    def prepare(casino: Casino) -> Deed:
        table = casino.game.create_table(HOST, settings(seats=2), ())
        table = casino.game.join(table.id, GUEST)
        casino.game.act(table.id, simple_move(table))
        return lambda game: game.close(table.id, "Moving.")

    for casino in casinos(prepare):
        (table,) = casino.store.tables(None, 9).tables
        casino.game.close(table.id, "Again.")
        casino.recover()
        for player in (HOST, GUEST):
            assert ["grant", "buy_in", "cash_out"] == casino.whys(player.id)
            assert CHIPS == casino.balance(player.id)
        assert Reason.VOID is casino.store.record(table.id, 1).result.reason
        assert audit(Books(redis)).fits


@pytest.mark.parametrize("done", [False, True], ids=["before it", "after it"])
def test_a_grant_that_dies(redis: Redis, redis_url: str, *, done: bool) -> None:
    """Killed at any step and asked for again, a grant is made once."""
    for step in range(1, 4):
        redis.flushall()
        casino = Casino(redis, redis_url)
        casino.dies(lambda game: grant(game, GUEST.id, 500, None, "key"), step, done=done)
        grant(casino.game, GUEST.id, 500, None, "key")
        assert CHIPS + 500 == casino.balance(GUEST.id)
        report = audit(Books(redis))
        assert (True, 2 * CHIPS + 500) == (report.fits, report.figures.granted)


def test_a_refused_join_costs_nothing(casino: Casino) -> None:
    """Where the table refuses, no chips have moved."""
    table = casino.game.create_table(HOST, settings(seats=2), ("easy",))
    with pytest.raises(TableFull):
        casino.game.join(table.id, GUEST)
    assert ["grant"] == casino.whys(GUEST.id)


def test_a_join_that_loses_the_race_gets_its_chips_back(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chips that were on their way when the last seat went to another come back at once."""
    table = casino.game.create_table(HOST, settings(seats=2), ())
    take = Cashier.take

    def overtaken(cashier: Cashier, player: str, table: Table, id_: str, now: int) -> object:
        monkeypatch.undo()
        taken = take(cashier, player, table, id_, now)
        casino.game.add_bot(table.id, HOST.id, "easy")
        return taken

    monkeypatch.setattr(Cashier, "take", overtaken)
    with pytest.raises(TableFull):
        casino.game.join(table.id, GUEST)
    assert ["grant", "buy_in", "refund"] == casino.whys(GUEST.id)
    assert CHIPS == casino.balance(GUEST.id)


def test_a_join_slower_than_its_refund(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that stood still until its chips were sent back does not seat its player."""
    table = casino.game.create_table(HOST, settings(seats=3), ())
    take = Cashier.take

    def stopped(cashier: Cashier, player: str, table: Table, id_: str, now: int) -> object:
        taken = take(cashier, player, table, id_, now)
        casino.recover()
        return taken

    monkeypatch.setattr(Cashier, "take", stopped)
    with pytest.raises(PaiuteError) as refused:
        casino.game.join(table.id, GUEST)
    assert "unavailable" == refused.value.code
    assert table == casino.store.load(table.id)
    assert CHIPS == casino.balance(GUEST.id)


def test_too_few_chips(casino: Casino) -> None:
    """Nobody sits down with chips that they don't have; the refusal says how many are missing."""
    rich = casino.game.create_table(HOST, settings(seats=3, buy_in=CHIPS), ())
    with pytest.raises(InsufficientChips, match="Needed: 1; you have: 0"):
        casino.game.create_table(HOST, settings(seats=2, buy_in=1, ante=1), ())
    with pytest.raises(InsufficientChips) as refused:
        casino.game.join(casino.game.create_table(GUEST, settings(seats=3), ()).id, HOST)
    assert refused.value.table is not None, "so that the answer can say what is legal there"
    casino.game.act(rich.id, Leave(HOST.id))
    assert CHIPS == casino.balance(HOST.id)


def test_winners_take_home_what_they_won(casino: Casino) -> None:
    """After deals, leaving puts the whole stack on the account; together nothing is lost."""
    table = casino.game.create_table(HOST, settings(seats=2, pause_seconds=5), ())
    table = casino.game.join(table.id, GUEST)
    for _ in range(200):
        if table.status not in (Status.CUTTING, Status.PLAYING):
            break
        table = casino.game.act(table.id, simple_move(table), Terms(table.version))
    if table.status is Status.PLAYING:  # Nobody had luck.
        table = casino.game.act(table.id, Leave(GUEST.id))
    casino.game.run(due(table))
    for player in (HOST, GUEST):
        if table_of(casino, player.id):
            casino.game.act(table.id, Leave(player.id))
    balances = [casino.balance(player.id) for player in (HOST, GUEST)]
    assert 2 * CHIPS == sum(balances)
    assert CHIPS - 5 == min(balances)


def simple_move(table: Table) -> Play:
    """Cut, draw from the stock, call where it can be done, else throw what was drawn."""
    assert table.deal is not None
    assert table.deal.turn is not None
    player = table.seats[table.deal.turn].player.id
    if table.deal.phase == "cut":
        return Play(player, Cut(3))
    if table.deal.phase == "draw":
        return Play(player, Draw(Source.STOCK))
    view = rules.legal(table.deal, table.deal.turn)
    return Play(player, Call() if view.call is not None else Discard(view.discard[0]))


def due(table: Table) -> Due:
    """What is due at a table."""
    pending = followup(table)
    assert pending is not None
    return Due(pending.kind, table.id, table.version)


def test_a_game_without_stakes_moves_no_chips(casino: Casino) -> None:
    """Where the buy-in is nothing, the ledger stays as it is."""
    table = casino.game.create_table(HOST, settings(seats=2, ante=0, buy_in=0), ())
    casino.game.join(table.id, GUEST)
    casino.game.act(table.id, Leave(GUEST.id))
    assert ["grant"] == casino.whys(HOST.id) == casino.whys(GUEST.id)


@pytest.mark.parametrize("seconds", [0.5, 1.5])
def test_a_stranded_buy_in_does_not_keep_one_from_sitting_down(
    casino: Casino, seconds: float
) -> None:
    """Chips of a try that died come back when they are needed, unless it may be alive still."""
    settled = settings(seats=3, buy_in=CHIPS)
    assert casino.dies(lambda game: game.create_table(HOST, settled, ()), 1, done=True)
    assert 0 == casino.balance(HOST.id)
    casino.clock.advance(seconds)
    if seconds < 1:
        with pytest.raises(InsufficientChips):
            casino.game.create_table(HOST, settled, ())
        return
    casino.game.create_table(HOST, settled, ())
    assert ["grant", "buy_in", "refund", "buy_in"] == casino.whys(HOST.id)
    casino.recover()
    assert 0 == casino.balance(HOST.id)


def test_a_refused_player_is_noted_nowhere(casino: Casino) -> None:
    """Tables that one could not pay for do not count as tables that one is at."""
    rich = settings(seats=3, buy_in=2 * CHIPS)
    for _ in range(3):
        with pytest.raises(InsufficientChips):
            casino.game.create_table(HOST, rich, ())
    assert {} == casino.store.accounts.noted(HOST.id)
