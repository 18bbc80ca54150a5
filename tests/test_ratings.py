"""What deals tell of their players, and that each deal tells it once."""

from dataclasses import replace

import pytest
from openskill.models import BradleyTerryFull, PlackettLuce
from redis import Redis

from service import ratings
from service.engine.deal import Reason, new_deal
from service.engine.house_rules import HouseRules
from service.engine.showdown import Result
from service.game import Game
from service.ratings import Contest, contests, rerated
from service.store.base import Due, Store, Unavailable
from service.store.connection import connect
from service.store.memory import MemoryStore
from service.store.memory_ratings import MemoryRatings
from service.store.ratings import Rating, Rerated
from service.store.redis_store import RedisStore
from service.tables import CloseByOperator, Leave, Player, Status, Table
from service.tables.table import Seat
from tests.support.dying import Deathbed, Killed
from tests.support.game import FakeClock, KeptQueue, Played
from tests.support.tables import BOT, GUEST, HOST, START, created

MODEL = BradleyTerryFull()
ANN, BEN, CAM, DAN, EVE = (
    Player(name, name.title(), "human") for name in ("ann", "ben", "cam", "dan", "eve")
)
DEEP, ROB = (Player(name, name.title(), "bot") for name in ("deep", "rob"))
AUTO = HouseRules(cut="auto", first_dealer=1)
"""Nobody has to cut, and the first to draw sits in seat 2."""


def table_of(*players: Player, rated: bool = True, **seat: object) -> Table:
    """A table at which these players were dealt in, from seat 1 on."""
    table = created(seats=5, rated=rated).table
    order = tuple(range(1, len(players) + 1))
    seats = {n: Seat(player, 95, dealt=1) for n, player in zip(order, players, strict=True)}
    if seat:
        seats[1] = replace(seats[1], **seat)  # type: ignore[arg-type]
    deal = new_deal("00" * 32, order, 5, HouseRules())
    return replace(table, seats=seats, deal=deal, number=1, status=Status.SETTLING)


def won_by(*seats: int) -> Result:
    """The result of a deal that these seats have won."""
    return Result(Reason.SHOWDOWN, (), seats, 25)


def test_the_winner_is_compared_with_all_others() -> None:
    """One has won and all others have lost, whoever they are."""
    table = table_of(ANN, BEN, CAM)
    assert (Contest("human", ("ben",), ("ann", "cam")),) == contests(table, won_by(2))
    assert (Contest("human", ("ann", "cam"), ("ben",)),) == contests(table, won_by(1, 3))


def test_each_kind_among_its_own() -> None:
    """People are compared with people and bots with bots, where one of them has won."""
    table = table_of(ANN, DEEP, BEN, ROB)
    people, bots = Contest("human", ("ann",), ("ben",)), Contest("bot", ("rob",), ("deep",))
    assert (people,) == contests(table, won_by(1))
    assert (bots,) == contests(table, won_by(4))
    assert (people, bots) == contests(table, won_by(1, 4))
    assert () == contests(table_of(ANN, DEEP), won_by(1)), "nobody of its own kind"
    assert (bots,) == contests(table_of(DEEP, ANN, BEN, ROB), won_by(4))


@pytest.mark.parametrize(
    "table",
    [
        table_of(ANN, BEN, rated=False),
        table_of(ANN, BEN, BOT),
        replace(table_of(ANN, BEN), deal=None),
    ],
    ids=["not rated", "a house bot", "no deal"],
)
def test_what_does_not_count(table: Table) -> None:
    """No deal counts at a table that is not rated, or where a house bot was dealt in."""
    assert () == contests(table, won_by(1))


def test_a_void_deal_does_not_count() -> None:
    """A deal that nobody has won tells nothing."""
    assert () == contests(table_of(ANN, BEN), Result(Reason.VOID, (), (), 10))


def test_who_leaves_has_played() -> None:
    """Who has left, and whose bot plays on, counts as who was dealt in; a newcomer does not."""
    expected = (Contest("human", ("ben",), ("ann",)),)
    for seat in ({"left": True}, {"stand_in": "easy"}):
        table = table_of(ANN, BEN, **seat)
        newcomers = {3: Seat(CAM, 100), 4: Seat(BOT, 100)}
        table = replace(table, seats=table.seats | newcomers)
        assert expected == contests(table, won_by(2))


def after(contest: Contest, **before: Rating) -> dict[str, Rating]:
    """The ratings after a contest."""
    return {one.player: one.after for one in rerated(contest, before)}


def test_two_players_are_rated_as_the_library_does() -> None:
    """Of two, the ratings are those of the library, by the known figures of its papers' model."""
    made = after(Contest("human", ("ann",), ("ben",)))

    (won,), (lost,) = MODEL.rate([[MODEL.rating()], [MODEL.rating()]])
    assert (won.mu, won.sigma) == pytest.approx((made["ann"].mu, made["ann"].sigma), rel=1e-12)
    assert (lost.mu, lost.sigma) == pytest.approx((made["ben"].mu, made["ben"].sigma), rel=1e-12)
    assert (27.635389, 8.065901) == (round(won.mu, 6), round(won.sigma, 6))
    assert (1096, 949) == (made["ann"].points, made["ben"].points)
    assert [(1, 1), (1, 0)] == [(one.deals, one.won) for one in made.values()]


def test_points_are_the_librarys_ordinal() -> None:
    """Points are what the library calls ordinal, on a scale that begins at 1000, and whole."""
    one = MODEL.rating(mu=31.5, sigma=2.25)
    assert round(one.ordinal(alpha=28, target=1000)) == ratings.points(31.5, 2.25)
    assert 1000 == ratings.points(25, 25 / 3)
    assert 0 == ratings.points(-100, 8)
    assert 63 == ratings.uncertainty(Rating(9, 5, 1700, 31.5, 2.25))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_equals_are_rated_by_who_is_first(players: int) -> None:
    """Among equals a deal gives and takes as much as first place does by Plackett and Luce."""
    names = tuple("abcde"[:players])
    made = after(Contest("human", names[:1], names[1:]))

    ranks = [float(n) for n in range(1, players + 1)]
    first, *_ = PlackettLuce().rate([[PlackettLuce().rating()] for _ in names], ranks=ranks)
    c = (players * (MODEL.sigma**2 + MODEL.beta**2)) ** 0.5
    heads_up = (2 * (MODEL.sigma**2 + MODEL.beta**2)) ** 0.5
    gained = made["a"].mu - 25
    assert (first[0].mu - 25) * c / heads_up == pytest.approx(gained)
    assert [gained / (1 - players)] * (players - 1) == pytest.approx(
        [made[name].mu - 25 for name in names[1:]]
    )


def test_winners_share_what_one_would_get() -> None:
    """Winners of a shared pot gain as much together as the others lose, and less than one alone."""
    alone = after(Contest("human", ("ann",), ("ben", "cam", "dan")))
    shared = after(Contest("human", ("ann", "ben"), ("cam", "dan")))
    assert 0 == pytest.approx(sum(one.mu - 25 for one in shared.values()))
    assert shared["ann"].mu == shared["ben"].mu < alone["ann"].mu
    assert [1, 1, 0, 0] == [one.won for one in shared.values()]
    everybody = after(Contest("human", ("ann", "ben"), ()))
    assert {(1, 1, 25.0)} == {(one.deals, one.won, one.mu) for one in everybody.values()}


def test_losers_tell_nothing_of_each_other() -> None:
    """What a loser loses does not depend on who else has lost: a sure rating hardly moves."""
    sure, new = Rating(500, 200, 1700, 30.0, 1.5), Rating(1, 0, 950, 22.0, 8.1)
    pair = Contest("human", ("ann",), ("ben", "cam"))
    beside_new, beside_sure = (
        after(pair, ann=sure, ben=sure, cam=other)["ben"] for other in (new, sure)
    )
    assert beside_new == beside_sure
    assert 0 < 30.0 - beside_new.mu < 0.2


def test_a_favourite_gains_little() -> None:
    """Beating somebody much weaker gives little, and losing to them costs a lot."""
    strong, weak = Rating(99, 60, 1800, 33.0, 1.5), Rating(99, 30, 1400, 20.0, 1.5)
    wins = after(Contest("human", ("ann",), ("ben",)), ann=strong, ben=weak)
    loses = after(Contest("human", ("ben",), ("ann",)), ann=strong, ben=weak)
    assert 0 < wins["ann"].mu - 33 < 0.06
    assert 0.3 < 33 - loses["ann"].mu


def test_the_stronger_player_comes_out_ahead() -> None:
    """Who wins three deals of five against each of four others stands first in the end."""
    board: dict[str, Rating] = {}
    players = [player.id for player in (ANN, BEN, CAM, DAN, EVE)]
    for deal in range(200):
        other = players[1 + deal % 4]
        winner, loser = ("ann", other) if deal % 5 < 3 else (other, "ann")
        board |= after(Contest("human", (winner,), (loser,)), **board)
    assert "ann" == max(players, key=lambda player: board[player].points)
    assert 200 == board["ann"].deals
    assert 120 == board["ann"].won


def settling(played: Played, **changed: object) -> Table:
    """A table of two whose deal is over, since the guest has left it."""
    settings = {"rated": True, "rules": AUTO, "start_when": "full"} | changed
    table = played.table(joiners=(GUEST,), **settings)
    return played.game.act(table.id, Leave(GUEST.id))


def counted(store: Store) -> dict[str, tuple[int, int]]:
    """How many deals count for each of the two, and how many they have won."""
    found = store.ratings.of([HOST.id, GUEST.id])
    return {player: (rating.deals, rating.won) for player, rating in found.items()}


ONCE = {HOST.id: (1, 1), GUEST.id: (1, 0)}


@pytest.fixture(params=["memory", "redis"])
def played(request: pytest.FixtureRequest) -> Played:
    """A game over either store."""
    if request.param == "memory":
        return Played()
    request.getfixturevalue("redis")
    return Played(redis_store(request.getfixturevalue("redis_url")))


def redis_store(url: str, redis: Redis | None = None) -> RedisStore:
    """A store over the real server."""
    return RedisStore(redis or connect(url), 3600, 4, clock=lambda: START)


def test_a_settlement_rates_once(played: Played) -> None:
    """However often the job of a settlement runs, its deal counts once."""
    due = played.due(settling(played).id)
    assert {} == counted(played.store), "not before the settlement"
    for _ in range(3):
        played.game.run(due)
        assert ONCE == counted(played.store)


def test_each_deal_counts(played: Played) -> None:
    """The next deal of a table counts as well, and so does one of another table."""
    for _ in range(2):
        played.game.run(played.due(settling(played).id))
    assert {HOST.id: (2, 2), GUEST.id: (2, 0)} == counted(played.store)


def test_a_closed_table_counts_what_was_over(played: Played) -> None:
    """An operator who closes a table whose deal is over has it rated; the job comes too late."""
    table = settling(played)
    due = played.due(table.id)
    played.game.close(table.id, "We move house.")
    assert ONCE == counted(played.store)
    played.game.run(due)
    assert ONCE == counted(played.store)


def test_a_deal_that_an_operator_ends_does_not_count(played: Played) -> None:
    """An operator who closes a table in the middle of a deal voids it: nobody has won or lost."""
    table = played.table(joiners=(GUEST,), rated=True, rules=AUTO)
    assert Status.PLAYING is table.status
    played.game.close(table.id, None)
    played.work()
    assert {} == counted(played.store)


def test_whoever_looks_at_an_overdue_table_rates(played: Played) -> None:
    """A settlement that is done by somebody who looks counts like any other."""
    table = settling(played)
    played.clock.advance(2)
    assert Status.SETTLING is not played.game.look(table.id).status
    played.work()
    assert ONCE == counted(played.store)


def test_other_deals_come_between() -> None:
    """Where another deal of the player is rated just before, this one is judged again."""
    played = Played(Busy(others=2))
    played.game.run(played.due(settling(played).id))
    assert {HOST.id: (3, 1), GUEST.id: (1, 0)} == counted(played.store)


def test_too_many_come_between() -> None:
    """Where others always come first the settlement fails as a whole, and is done later."""
    busy = Busy(others=100)
    played = Played(busy)
    due = played.due(settling(played).id)
    with pytest.raises(Unavailable):
        played.game.run(due)
    assert Status.SETTLING is played.store.load(due.subject).status
    busy.others = 0
    played.game.run(due)
    assert Status.SETTLING is not played.store.load(due.subject).status
    assert 1 == played.store.ratings.of([GUEST.id])[GUEST.id].deals


class Busy(MemoryStore):
    """A store at which other deals of the host are rated again and again."""

    def __init__(self, others: int) -> None:
        super().__init__()
        self.others = others
        self.ratings: BusyRatings = BusyRatings(self)


class BusyRatings(MemoryRatings):
    """Ratings of which the host's has always just changed."""

    def __init__(self, store: Busy) -> None:
        super().__init__()
        self._store = store
        self._others = 0

    def apply(self, table_id: str, deal: int, changes: tuple[Rerated, ...]) -> bool:
        """Let somebody else be first, as long as there are others."""
        if self._store.others:
            self._store.others -= 1
            self._others += 1
            before = self.of([HOST.id]).get(HOST.id)
            after = Rating(before.deals + 1 if before else 1, 0, 1000, 25.0, 8.0)
            super().apply(f"other-{self._others}", 1, (Rerated(HOST.id, "human", before, after),))
        return super().apply(table_id, deal, changes)


def test_a_worker_is_killed_anywhere(redis: Redis, redis_url: str) -> None:
    """Wherever a settlement's worker is killed, the deal is settled and counts once in the end."""
    step = 0
    for done in (False, True):
        while True:
            redis.flushall()
            step += 1
            played = Played(redis_store(redis_url))
            due = played.due(settling(played).id)
            survived = dies(redis_url, due, step, done=done)
            played.game.run(due)
            assert ONCE == counted(played.store), (step, done)
            assert Status.SETTLING is not played.store.load(due.subject).status
            if survived:
                assert step > 5, "it was killed before, between and after all that it does"
                step = 0
                break


def dies(url: str, due: Due, step: int, *, done: bool) -> bool:
    """Run a job in a process that is killed at a step; gives whether it came to its end first."""
    try:
        game_over(url, Deathbed(url, step, done=done)).run(due)
    except Killed:
        return False
    return True


def game_over(url: str, bed: Deathbed) -> Game:
    """The application of a process that speaks to the server through a client of its own."""
    return Game(redis_store(url, bed.redis), KeptQueue(), clock=FakeClock())


@pytest.mark.parametrize(("rated", "more"), [(True, 2), (False, 0)])
def test_what_it_costs(redis: Redis, redis_url: str, rated: bool, more: int) -> None:
    """A rated deal costs its settlement two round trips, one that does not count none."""
    redis_store(redis_url).ratings.apply("other", 1, ())  # The server knows the script by now.
    steps = []
    for counts in (rated, False):
        redis.flushall()
        played = Played(redis_store(redis_url))
        due = played.due(settling(played, rated=counts).id)
        bed = Deathbed(redis_url, 0, done=True)
        game_over(redis_url, bed).run(due)
        steps.append(bed.steps)
    assert more == steps[0] - steps[1]


def test_a_forgotten_table_is_remembered_for_a_day(redis: Redis, redis_url: str) -> None:
    """When a rated table is forgotten, which of its deals were rated is forgotten a day later."""
    played = Played(redis_store(redis_url))
    table = settling(played)
    played.game.run(played.due(table.id))
    closed = played.game.act(table.id, CloseByOperator(None))
    (key,) = redis.keys("*:last-rated:*")
    for _ in range(2):
        played.game.run(Due("forget", table.id, closed.version))
        assert 0 < redis.ttl(key) <= 86_400
    assert ONCE == counted(played.store)
