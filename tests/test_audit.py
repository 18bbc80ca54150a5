"""The audit: it finds whatever does not fit, and never what does, also while chips move."""

import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from redis import Redis

from service import embedded
from service.audit import Figures, Misfit, Report, audit
from service.cashier import Cashier
from service.cli import main
from service.engine.errors import PaiuteError
from service.engine.house_rules import HouseRules
from service.game import Game
from service.operators import grant
from service.sandbox import Wish, open_match
from service.store import codec, keys
from service.store.base import Unavailable
from service.store.books import PAGE, Books
from service.store.connection import connect
from service.store.redis_store import RedisStore
from service.tables import Join, Leave, Play, Player, Status, Table
from tests.store.conftest import RETENTION_SECONDS, store_at
from tests.support.audit_world import (
    CAM,
    DAN,
    QUICK,
    World,
    entries_of,
    forget_all,
    make_world,
    move_on,
)
from tests.support.client import Client, simple_choice
from tests.support.game import KeptQueue, Played
from tests.support.processes import RunningService
from tests.support.tables import (
    BOT,
    GUEST,
    HOST,
    START,
    any_move,
    changed_by,
    created,
    open_account,
    put,
    settings,
)
from tests.support.tampering import (
    ALL,
    Tamper,
    balance_is_changed,
    change_event,
    change_state,
    house_is_changed,
    index_is_changed,
)
from tests.support.waiting import wait_until


@pytest.fixture
def store(redis: Redis, redis_url: str) -> RedisStore:
    """A store over the real server, which is empty."""
    return store_at(redis_url)


@pytest.fixture
def played(store: RedisStore) -> Played:
    """A game on it, with accounts of the host and a guest."""
    return Played(store)


@pytest.fixture
def world(played: Played) -> World:
    """A system at rest."""
    return make_world(played)


@pytest.fixture
def books(redis_url: str) -> Iterator[Books]:
    """The books of that server."""
    client = connect(redis_url)
    yield Books(client)
    client.close()


def says(report: Report) -> list[str]:
    """What does not fit, in words; for a test that fails."""
    return [str(misfit) for misfit in report.misfits]


# What fits.


def test_nothing_is_there(books: Books, redis: Redis) -> None:
    """An empty store has no chips, and they fit."""
    report = audit(books)
    assert report.fits
    assert Figures() == report.figures


def test_a_system_at_rest(world: World, books: Books) -> None:
    """The figures are those of the accounts and tables, and all chips are accounted for."""
    report = audit(books)
    assert [] == says(report)
    store, figures = world.played.store, report.figures
    balances = [store.accounts.account(one.id).balance for one in (HOST, GUEST, CAM, DAN)]
    assert (4, sum(balances), 4000) == (figures.accounts, figures.balances, figures.granted)
    assert figures.on_tables == world.waiting.chips + world.dealing.chips
    assert figures.house == world.waiting.house + world.dealing.house
    assert (0, 0) == (figures.on_their_way, figures.moved_meanwhile)
    assert (2, 0) == (figures.tables, figures.difference)
    assert figures.there == figures.balances + figures.on_tables


def test_what_operators_do(world: World, books: Books) -> None:
    """Tables that are closed in the middle of all, and chips that are granted, fit as well."""
    for table in (world.dealing, world.waiting):
        assert Status.CLOSED is world.played.game.close(table.id, None).status
    for token in ("one", "two", "one"):
        grant(world.played.game, DAN.id, 500, "for the outage", token)
    report = audit(books)
    assert [] == says(report)
    assert (5000, 0) == (report.figures.granted, report.figures.on_tables)


def test_at_every_moment_of_games(played: Played, books: Books) -> None:
    """Between any two moves of people and bots who come, play and leave, all chips fit."""
    chance = random.Random(3)
    people = [Player(f"p{n}", f"P{n}", "human") for n in range(4)]
    for one in people:
        open_account(played.store, one)
    tables = [
        played.table("easy", *more, seats=4, deals=3, turn_seconds=30, rules=rules)
        for more in ((), ("medium",))
        for rules in (QUICK, HouseRules())
    ]
    for _ in range(120):
        table = played.store.load(chance.choice(tables).id)
        person = chance.choice(people)
        try:
            if chance.random() < 0.25:
                played.game.join(table.id, person)
            elif chance.random() < 0.15:
                played.game.act(table.id, Leave(person.id))
        except PaiuteError:
            pass
        move_on(played, table.id, chance, chance.randrange(8))
        assert [] == says(audit(books))
    assert {played.store.load(table.id).status for table in tables} >= {Status.CLOSED}


def test_closed_and_forgotten(played: Played, books: Books) -> None:
    """A table's chips go home when it closes; what the house lost there is kept when it goes."""
    table = played.table("easy", "easy", seats=3, rules=QUICK, deals=4, turn_seconds=30)
    chance = random.Random(1)
    wait_until(lambda: move_on(played, table.id, chance, 10).status is Status.CLOSED)
    closed = played.store.load(table.id)
    figures = audit(books).figures
    won = played.store.accounts.account(HOST.id).balance - 1000
    assert (0, won, 0) == (figures.on_tables, figures.house, figures.house_before)
    assert won == closed.house
    forget_all(played)
    report = audit(books)
    assert [] == says(report)
    assert (0, 0, won) == (report.figures.tables, report.figures.house, report.figures.house_before)


@pytest.mark.parametrize("how", ["end", "leave", "idle"])
@pytest.mark.parametrize("levels", [("easy",), ("easy", "easy")])
def test_a_sandbox_match(
    played: Played,
    books: Books,
    monkeypatch: pytest.MonkeyPatch,
    levels: tuple[str, ...],
    how: str,
) -> None:
    """A sandbox match has no chips, however it ends, and the beginning of its log may be gone."""
    monkeypatch.setattr("service.store.redis_store.LOG_KEPT", 30)
    chance = random.Random(2)
    table = open_match(played.game, HOST, Wish(levels, 60, "seed"))
    seen = set()
    while table.status is not Status.CLOSED:
        if how != "end" and table.number == 41:
            break
        table = played.game.act(table.id, Play(HOST.id, any_move(table, 1, chance)))
        if table.number not in seen and table.number % 20 == 1:
            assert [] == says(audit(books))
        seen.add(table.number)
    if how == "leave":
        table = played.game.act(table.id, Leave(HOST.id))
    elif how == "idle":
        played.clock.advance(table.settings.idle_seconds + 10)
        table = played.game.look(table.id)

    assert Status.CLOSED is table.status
    assert [] == says(audit(books))
    assert played.store.entries(table.id, 0, 1)[0].id > 1


def test_more_than_a_page(played: Played, books: Books) -> None:
    """Ledgers and logs that are longer than a page are read to their end."""
    table = played.table("easy", joiners=(GUEST,), seats=4, start_when="host", buy_in=1)
    for _ in range(PAGE // 2 + 3):
        played.game.act(table.id, Leave(GUEST.id))
        played.game.join(table.id, GUEST)
    assert PAGE < entries_of(played, GUEST)
    assert PAGE < played.store.load(table.id).version
    assert [] == says(audit(books))


# What is on its way.


def test_a_buy_in_on_its_way(world: World, books: Books) -> None:
    """A buy-in that has left its account and not arrived is on its way, until it is back."""
    store = world.played.store
    buy_in = Cashier(store).take(DAN.id, world.waiting, f"join-{world.waiting.id}-y", START)
    report = audit(books)
    assert [] == says(report)
    assert (100, 0) == (report.figures.on_their_way, report.figures.moved_meanwhile)
    assert store.send_back(buy_in.posting)
    assert 100 == audit(books).figures.on_their_way
    Cashier(store).send_back(buy_in, START)
    report = audit(books)
    assert [] == says(report)
    assert 0 == report.figures.on_their_way


def test_a_buy_in_for_a_table_that_never_was(played: Played, books: Books) -> None:
    """The same where the table does not come about."""
    table = created("never-made").table
    buy_in = Cashier(played.store).take(GUEST.id, table, "join-never-made-z", START)
    assert ([], 100) == (says(audit(books)), audit(books).figures.on_their_way)
    Cashier(played.store).send_back(buy_in, START)
    assert ([], 0) == (says(audit(books)), audit(books).figures.on_their_way)


def test_a_payout_on_its_way(world: World, books: Books) -> None:
    """What a table owes is on its way until it is on the account, and not counted twice then."""
    store = world.played.store
    change = changed_by(store.load(world.waiting.id), Leave(CAM.id))
    put(store, change)
    report = audit(books)
    assert ([], 100) == (says(report), report.figures.on_their_way)
    (posting,) = change.owed
    store.accounts.post(posting)
    assert ([], 0) == (says(audit(books)), audit(books).figures.on_their_way)
    store.paid(change.table.id, change.table.version)
    assert ([], 0) == (says(audit(books)), audit(books).figures.on_their_way)


class BooksWithAPause(Books):
    """Books that let something happen when the tables are counted and the accounts are not."""

    def __init__(self, redis: Redis, pause: Callable[[], object]) -> None:
        super().__init__(redis)
        self._pause = pause

    def account_ids(self) -> list[str]:
        """The ids of all accounts, after the pause."""
        self._pause()
        return super().account_ids()


def seat_of_cam_is_paid(played: Played, table: Table) -> None:
    played.game.act(table.id, Leave(CAM.id))


def dan_joins(played: Played, table: Table) -> None:
    played.game.join(table.id, DAN)


def dan_comes_and_goes(played: Played, table: Table) -> None:
    played.game.join(table.id, DAN)
    played.game.act(table.id, Leave(DAN.id))


def dan_makes_a_table(played: Played, table: Table) -> None:
    made = played.game.create_table(DAN, settings(seats=3), ("easy",))
    played.game.join(made.id, CAM)


def somebody_signs_up(played: Played, table: Table) -> None:
    account = played.game.sign_up("New", "human")
    played.game.join(table.id, account.player)


def all_leave_and_it_is_forgotten(played: Played, table: Table) -> None:
    for player in (CAM, HOST, GUEST):
        played.game.act(table.id, Leave(player.id))
    closed = played.store.load(table.id)
    assert Status.CLOSED is closed.status
    assert played.store.forget(closed)


@pytest.mark.parametrize(
    ("happens", "moved"),
    [
        (seat_of_cam_is_paid, -100),
        (dan_joins, 100),
        (dan_comes_and_goes, 0),
        (dan_makes_a_table, 200),
        (somebody_signs_up, 100),
        (all_leave_and_it_is_forgotten, -300),
    ],
)
def test_it_moves_while_it_is_counted(
    world: World, redis: Redis, happens: Callable[[Played, Table], None], moved: int
) -> None:
    """What moves between the counting of tables and of accounts is in the sum once."""
    books = BooksWithAPause(redis, lambda: happens(world.played, world.waiting))
    report = audit(books)
    assert [] == says(report)
    assert (0, moved) == (report.figures.difference, report.figures.moved_meanwhile)
    assert [] == says(audit(Books(redis)))


# What does not fit.


@pytest.mark.parametrize("tamper", ALL, ids=lambda tamper: tamper.__name__)
def test_tampering_is_named(redis: Redis, world: World, books: Books, tamper: Tamper) -> None:
    """Whatever is changed by hand is named: where it is, what there has to be, and what there is.

    Nothing else is, though much else does not fit any more by itself.
    """
    wanted = tamper(redis, world)
    assert [wanted] == audit(books).misfits


def test_many_misfits(redis: Redis, world: World, books: Books) -> None:
    """Each account and table that does not fit is named, the tables first."""
    wanted = [
        house_is_changed(redis, world),
        balance_is_changed(redis, world),
        index_is_changed(redis, world),
    ]
    report = audit(books)
    assert wanted[0] == report.misfits[0]
    assert 3 == len(report.misfits)
    assert set(wanted) == set(report.misfits)
    assert 7 - 5 == -report.figures.difference


# Tables that were made before there were accounts.


def first_format(redis: Redis, store: RedisStore, *joiners: Player) -> Table:
    """A table as an earlier release wrote it, whose chips came from nowhere."""
    table = put(store, created("old-table", joiners, seats=4, start_when="host"))
    table = put(store, changed_by(table, Join(CAM, invite_code="invite")))
    table = put(store, changed_by(table, Leave(CAM.id)))
    change_event(redis, table.id, table.version, lambda said: said.pop("cashed_out"))
    redis.delete(keys.keys_of(table.id).owed(table.id))
    write_in_first_format(redis, table.id)
    return store.load(table.id)


def write_in_first_format(redis: Redis, table_id: str) -> None:
    redis.hset(keys.keys_of(table_id).table(table_id), "format", 1)
    change_state(redis, table_id, lambda said: said.pop("house"))


def test_a_table_of_the_first_format(
    played: Played, store: RedisStore, redis: Redis, books: Books
) -> None:
    """Its chips are the house's; who joins later brings chips, and whoever leaves takes some."""
    table = first_format(redis, store, HOST, BOT)
    figures = audit(books).figures
    assert (200, 200, 0) == (figures.on_tables, figures.house, figures.difference)
    played.game.join(table.id, GUEST)
    assert [] == says(audit(books))
    played.game.act(table.id, Leave(HOST.id))
    report = audit(books)
    assert [] == says(report)
    assert 1100 == store.accounts.account(HOST.id).balance
    redis.hincrby(keys.keys_of(HOST.id).account(HOST.id), "balance", 1)
    assert 1 == len(audit(books).misfits)
    redis.hincrby(keys.keys_of(HOST.id).account(HOST.id), "balance", -1)
    played.game.act(table.id, Leave(GUEST.id))
    assert Status.CLOSED is store.load(table.id).status
    assert [] == says(audit(books))
    forget_all(played)
    report = audit(books)
    assert ([], 100) == (says(report), report.figures.house_before)


def test_a_closed_table_of_the_first_format(
    played: Played, store: RedisStore, redis: Redis, books: Books
) -> None:
    """Nobody has got anything for its stacks."""
    table = put(store, created("old-table", (HOST, BOT), seats=4, start_when="host"))
    table = put(store, changed_by(table, Leave(HOST.id)))
    assert Status.CLOSED is table.status
    for event in (table.version - 1, table.version):
        change_event(redis, table.id, event, lambda said: said.pop("cashed_out"))
    redis.delete(keys.keys_of(table.id).owed(table.id))
    write_in_first_format(redis, table.id)
    report = audit(books)
    assert ([], 0, 0) == (says(report), report.figures.on_tables, report.figures.house)


# While it goes on.


def played_by_many(url: str, stop: threading.Event, seed: int, faults: list[str]) -> None:
    """Somebody who signs up, makes tables, joins, and leaves again, in any order."""
    chance = random.Random(seed)
    game = Game(RedisStore(connect(url), RETENTION_SECONDS, 4), KeptQueue(), grant=1000)
    me = game.sign_up(f"P{seed}", "human").player
    while not stop.is_set():
        try:
            match chance.randrange(4):
                case 0:
                    levels = ("easy",) * chance.randrange(3)
                    deals = chance.choice([1, 2, None])
                    game.create_table(me, settings(seats=3, turn_seconds=1, deals=deals), levels)
                case 1:
                    me = game.sign_up(f"P{seed}", "human").player
                case 2:
                    for table in game.store.lobby(None, open_only=True, limit=3).tables:
                        game.join(table.id, me)
                case 3:
                    for table in game.store.tables_of(me.id, game.now()):
                        game.act(table.id, Leave(me.id))
        except PaiuteError:
            continue
        except Exception as error:
            faults.append(repr(error))
            raise


def swept_by_one(url: str, stop: threading.Event) -> None:
    """A worker that does whatever is due."""
    game = Game(RedisStore(connect(url), RETENTION_SECONDS, 4), KeptQueue())
    while not stop.is_set():
        for due in game.store.claim_due(game.now(), game.now() + 1500, 20):
            with suppress(PaiuteError):
                game.run(due)


def test_no_false_alarm(redis: Redis, redis_url: str, books: Books) -> None:
    """While many come, play, and leave, the audit finds that all fits, again and again."""
    stop, faults = threading.Event(), list[str]()
    threads = [
        threading.Thread(target=played_by_many, args=(redis_url, stop, seed, faults))
        for seed in range(5)
    ] + [threading.Thread(target=swept_by_one, args=(redis_url, stop))]
    for thread in threads:
        thread.start()
    moved = 0
    try:
        for _ in range(12):
            report = audit(books)
            assert [] == says(report)
            moved += abs(report.figures.moved_meanwhile)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert [] == faults
    assert moved, "nothing moved while it was counted"
    report = audit(books)
    assert ([], 0) == (says(report), report.figures.moved_meanwhile)


def plays(url: str, stop: threading.Event, seed: int) -> None:
    """People over HTTP, one after the other: each plays a deal against bots, and leaves."""
    while not stop.is_set():
        client = Client(url, f"Player {seed}")
        with closing(client):
            view = client.create(seats=3, deals=2, bots=[{"level": "easy"}] * 2, thinking_ms=0)
            for _ in range(2 + seed):
                choice = simple_choice(view) if view["you"] else None
                if choice is None or view["status"] == "closed":
                    break
                client.act(view, choice)
                view = client.view(view["id"])
            client.post(f"/tables/{view['id']}/leave")


def test_a_running_service(service: RunningService) -> None:
    """`paiute audit --data` on a service at which people play: all fits, and it says so."""
    stop = threading.Event()
    threads = [threading.Thread(target=plays, args=(service.url, stop, n)) for n in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(3):
            done = paiute_audit("--data", str(service.data))
            assert "All chips are accounted for." in done.stdout.splitlines()[-1:], done.stdout
            assert (0, "") == (done.returncode, done.stderr)
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def paiute_audit(*options: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    env = {name: text for name, text in os.environ.items() if not name.startswith("PAIUTE_")}
    command = [sys.executable, "-m", "service.cli", "audit", *options]
    return subprocess.run(
        command, env=env | settings, capture_output=True, text=True, timeout=60, check=False
    )


# The command.


@pytest.mark.parametrize("name", ["data", "a long name " * 10 + "end"])
def test_with_and_without_a_service(tmp_path: Path, name: str) -> None:
    """The store of a data folder is found while it runs, and else started for the time.

    Wherever its socket is; and what the settings name is another store.
    """
    data = tmp_path / name
    other = {"PAIUTE_REDIS_URL": "unix:///there/is/none"}
    service = RunningService(data, "--workers", "1")
    try:
        client = Client(service.url)
        client.create(seats=3, bots=[{"level": "easy"}])
        client.close()
        running = paiute_audit("--data", str(data), "--json", **other)
    finally:
        service.stop()
    stopped = paiute_audit("--data", str(data), "--json", **other)
    assert (0, 0) == (running.returncode, stopped.returncode), running.stderr + stopped.stderr
    assert running.stdout == stopped.stdout
    said = json.loads(stopped.stdout)
    assert (True, []) == (said["fits"], said["misfits"])
    assert 200 == said["figures"]["on_tables"]
    assert not embedded.is_locked(data)


def command(*options: str, redis_url: str | None) -> Result:
    """The command in this process."""
    settings = {"PAIUTE_REDIS_URL": redis_url, "PAIUTE_SECRET": None}
    return CliRunner().invoke(main, ["audit", *options], env=settings)


def test_the_command_says_what_fits(redis_url: str, world: World) -> None:
    """It prints the figures, and ends with 0."""
    said = command(redis_url=redis_url)
    assert 0 == said.exit_code
    *figures, last = said.output.splitlines()
    assert "All chips are accounted for." == last
    assert "difference 0" == " ".join(figures[-1].split())
    assert "granted 4,000" in [" ".join(line.split()) for line in figures]


def test_the_command_names_what_does_not_fit(redis: Redis, redis_url: str, world: World) -> None:
    """It names the first misfit and says how many more there are; for programs it names all."""
    house, balance = house_is_changed(redis, world), balance_is_changed(redis, world)
    said = command(redis_url=redis_url)
    assert 1 == said.exit_code
    assert str(house) in said.output
    assert str(balance) not in said.output
    assert "And 1 more; --json names them." == said.output.splitlines()[-1]
    said = command("--json", redis_url=redis_url)
    assert 1 == said.exit_code
    report = json.loads(said.output)
    assert [house.what, balance.what] == [one["what"] for one in report["misfits"]]
    assert -2 == report["figures"]["difference"]


def test_a_misfit_in_words() -> None:
    """A misfit says in one line where it is, what is expected, and what is there."""
    wrong = Misfit("table", "T1", 17, "pot", 15, 10)
    assert "table T1, event 17: pot: expected 15, found 10" == str(wrong)
    wrong = Misfit("account", "A1", 3, "number", 3, None)
    assert "account A1, ledger entry 3: number: expected 3, found nothing" == str(wrong)


@pytest.mark.parametrize(
    ("options", "redis_url", "complaint"),
    [
        ([], None, "/data. Name the data folder of `paiute serve`"),
        (["--data", "elsewhere"], None, "/elsewhere. Name the data folder"),
        ([], "unix:///there/is/none", "The store can't be reached now (`tables`)."),
        ([], "nonsense", "begin with one of redis://"),
    ],
)
def test_it_can_not_be_done(
    options: list[str],
    redis_url: str | None,
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a store, or with one that is away, it says so and ends with 2; it makes nothing."""
    monkeypatch.chdir(tmp_path)
    said = command(*options, redis_url=redis_url)
    assert 2 == said.exit_code
    assert complaint in said.output
    assert "Traceback" not in said.output
    assert [] == list(tmp_path.iterdir())


def test_a_newer_format(redis: Redis, redis_url: str, world: World) -> None:
    """A table of a newer release can't be judged, so the audit can't be done."""
    key = keys.keys_of(world.waiting.id).table(world.waiting.id)
    redis.hset(key, "format", codec.FORMAT + 1)
    said = command(redis_url=redis_url)
    assert 2 == said.exit_code
    assert "newer release" in said.output


def test_a_store_that_is_restarted(redis: Redis, world: World, monkeypatch: Any) -> None:
    """What was read of two servers says nothing."""
    runs = iter(["one", "another"])
    monkeypatch.setattr(Books, "server", lambda _: next(runs))
    with pytest.raises(Unavailable, match="restarted"):
        audit(Books(redis))


def test_progress_on_a_terminal(redis_url: str, world: World) -> None:
    """Where standard error is a terminal, it shows what is counted."""
    terminal, end = os.openpty()
    env = {**os.environ, "PAIUTE_REDIS_URL": redis_url, "TERM": "xterm"}
    with subprocess.Popen(
        [sys.executable, "-m", "service.cli", "audit"], env=env, stdout=subprocess.PIPE, stderr=end
    ) as process:
        os.close(end)
        shown = b"".join(iter(lambda: read(terminal), b""))
    os.close(terminal)
    assert 0 == process.returncode
    assert b"Tables" in shown
    assert b"100%" in shown


def read(terminal: int) -> bytes:
    """What is written to a terminal; nothing once everybody has closed it."""
    try:
        return os.read(terminal, 1024)
    except OSError:
        return b""
