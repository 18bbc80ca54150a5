"""What is told to whom: each notice once, whatever happens on the way."""

import json
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from random import Random

import pytest
from redis import Redis

from service import sandbox
from service.engine.cards import DECK
from service.store.base import NotFound, Store
from service.store.keys import keys_of
from service.store.redis_store import RedisStore
from service.store.webhooks import MOST_WEBHOOKS, TooManyWatchers, TooManyWebhooks, Webhook
from service.tables import Leave, Play, Player, Status
from service.tables.notices import notices
from service.webhooks import postman, telling
from service.webhooks.postman import PAUSES, WebhookOff, Wish
from service.webhooks.sending import Outcome
from service.webhooks.targets import ForbiddenTarget
from tests.store.conftest import RETENTION_SECONDS
from tests.support.dying import Deathbed, Killed
from tests.support.tables import START, any_move
from tests.webhooks.office import ALL, DOWN, OK, Office

HOUR = 3600


def expected(office: Office, table: str, player: Player, *, watching: bool = False) -> list[str]:
    """What the whole log of a table tells a player that webhooks tell of."""
    log = office.store.entries(table, 0, 10_000)
    found = notices(table, log, player.id, watching=watching)
    return [one.type for one in found if one.type in ALL]


def test_a_whole_deal_is_told(office: Office) -> None:
    """Each of two players is told their own turns, the seats, the end of the deal and the table."""
    keola, pua = office.player("keola"), office.player("pua")
    hook = office.hook(keola)
    table = office.table(keola)
    office.game.join(table, pua)
    theirs = office.hook(pua, "your_turn")
    office.play(table)
    office.run_due()

    told = office.endpoints.types(hook)
    assert expected(office, table, keola) == told
    assert ["seated", "seated"] == told[:2]
    assert ["deal_over", "table_closed"] == told[-2:]
    assert {"your_turn"} == set(office.endpoints.types(theirs))
    turns = [one for one in expected(office, table, pua) if one == "your_turn"]
    assert len(turns) - len(office.endpoints.types(theirs)) in (0, 1), "the cut may be before it"


def test_what_is_told_names_no_card(office: Office) -> None:
    """No delivery of a whole deal holds what looks like a card; each has an id of its own."""
    keola, pua = office.player("keola"), office.player("pua")
    office.hook(keola)
    table = office.table(keola, deals=2)
    office.hook(pua, table=table)
    office.game.join(table, pua)
    office.play(table)
    office.run_due()
    bodies = [delivery.body for _, delivery in office.endpoints.taken]
    assert len(bodies) > 10
    assert not [card for card in DECK for body in bodies if f'"{card}"' in body]
    ids = [delivery.id for _, delivery in office.endpoints.taken]
    assert len(ids) == len(set(ids))
    for body in bodies:
        said = json.loads(body)
        assert {"type", "timestamp", "data"} == set(said)
        assert table == said["data"]["table"]


def test_one_table_is_watched(office: Office) -> None:
    """A webhook of a table tells of it without a seat there, and of no other one."""
    keola, pua, nalu = map(office.player, ("keola", "pua", "nalu"))
    table, other = office.table(keola), office.table(nalu)
    hook = office.hook(nalu, table=table)
    office.game.join(other, keola)
    office.game.join(table, pua)
    office.play(table)
    office.run_due()
    told = office.endpoints.types(hook)
    assert "your_turn" not in told
    assert ["seated", "deal_over", "table_closed"] == told
    with pytest.raises(NotFound):
        office.hook(nalu, table="nowhere")


def test_only_what_happens_later_is_told(office: Office) -> None:
    """A new webhook tells nothing of before, though another one of the player still waits to."""
    keola, pua = office.player("keola"), office.player("pua")
    first = office.hook(keola)
    table = office.table(keola, seats=3)
    second = office.hook(keola)
    office.game.join(table, pua)
    office.run_due()
    assert ["seated", "seated"] == office.endpoints.types(first)
    assert ["seated"] == office.endpoints.types(second)


def test_who_leaves_and_comes_back_is_told(office: Office) -> None:
    """A player who joins, leaves and joins again before anything is told misses nothing."""
    keola, pua = office.player("keola"), office.player("pua")
    table = office.table(keola, seats=3)
    hook = office.hook(pua)
    for _ in range(2):
        office.game.join(table, pua)
        office.game.act(table, Leave(pua.id))
    office.game.join(table, pua)
    office.run_due()
    assert ["seated"] * 3 == office.endpoints.types(hook)


def test_a_webhook_made_while_a_seat_is_taken(store: Store) -> None:
    """Between the noting of a table and the seat's commit a webhook may be made: it is told."""
    office = Office(store)
    keola, pua = office.player("keola"), office.player("pua")
    table = office.table(keola, seats=3)
    hooks: list[Webhook] = []
    note = store.accounts.note

    def note_and_make(player_id: str, table_id: str, at: int, most: int = 0) -> bool:
        if not hooks:
            hooks.append(office.hook(pua))
        return note(player_id, table_id, at, most)

    store.accounts.note = note_and_make  # type: ignore[method-assign]
    office.game.join(table, pua)
    office.run_due()
    assert ["seated"] == office.endpoints.types(hooks[0])


def versions(office: Office, hook: Webhook) -> list[int]:
    """The versions that a webhook's endpoint was told of, in order."""
    mine = [one.body for id_, one in office.endpoints.taken if id_ == hook.id]
    return [json.loads(body)["data"]["version"] for body in mine]


def test_two_tell_at_once(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one tells of less just before another one does, the other still tells the rest."""

    def dies(*_: object, **__: object) -> bool:
        raise Killed

    keola = office.player("keola")
    hook = office.hook(keola)
    table = office.table(keola, seats=4)
    office.run_due()
    office.game.join(table, office.player("pua"))
    early = office.store.load(table)
    office.game.join(table, office.player("nalu"))
    late = office.store.load(table)
    hooks = office.store.webhooks
    told, meanwhile = hooks.told, [early]

    def told_and_then_tells(table_id: str, webhooks: Iterable[Webhook]) -> dict[str, int]:
        found = told(table_id, webhooks)
        while meanwhile:
            with monkeypatch.context() as patch:
                patch.setattr(hooks, "all_told", dies)
                with pytest.raises(Killed):
                    office.postman.notify(meanwhile.pop(), office.clock.now)
        return found

    hooks.told = told_and_then_tells  # type: ignore[method-assign]
    office.postman.notify(late, office.clock.now)
    office.run_due()
    assert [1, 2, 3] == versions(office, hook)


def test_two_workers_tell_of_one_table(store: Store) -> None:
    """However two workers get into each other's way, each seat is told of, once and in order."""
    office = Office(store)
    for number in range(20):
        host, *others = [office.player(f"player-{number}-{n}") for n in range(6)]
        hook, over = office.hook(host, "seated"), threading.Event()
        table = office.table(host, seats=6)

        def tell(table: str = table, over: threading.Event = over) -> None:
            while not over.is_set():
                office.postman.notify(store.load(table), office.clock.now)

        with ThreadPoolExecutor(2) as pool:
            telling = [pool.submit(tell) for _ in range(2)]
            for player in others:
                office.game.join(table, player)
            over.set()
        for one in telling:
            one.result()
        office.run_due()
        joined = [
            one.id for one in store.entries(table, 0, 99) if one.event.type == "player_joined"
        ]
        assert joined == versions(office, hook)


def test_so_many_watch_a_table(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """One who watches too many is refused; whoever has a part in the table is told of it still."""
    monkeypatch.setattr(postman, "MOST_WATCHERS", 2)
    host, guest, late = map(office.player, ("keola", "pua", "nalu"))
    table = office.table(host, seats=4)
    office.game.join(table, guest)
    watching = [office.hook(office.player(name), table=table) for name in ("koa", "kai")]
    with pytest.raises(TooManyWatchers):
        office.hook(late, table=table)
    mine = [office.hook(host, table=table), office.hook(guest)]
    theirs = office.hook(late)
    office.game.join(table, late)
    office.run_due()
    for hook in (*watching, *mine, theirs):
        assert ["seated"] == office.endpoints.types(hook)


def test_who_only_came_by_makes_room(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where many are told of a table, those who left it are not, until they come back."""
    monkeypatch.setattr(telling, "MOST_WATCHERS", 3)
    host, guest = office.player("keola"), office.player("pua")
    table = office.table(host, seats=3)
    hook, theirs = office.hook(host, "seated"), office.hook(guest, "seated")
    for _ in range(2):
        office.game.join(table, guest)
        office.game.act(table, Leave(guest.id))
        office.run_due()
    assert {host.id, guest.id} == office.store.webhooks.heard(table).keys()

    others = [office.player(name) for name in ("koa", "kai")]
    for player in others:
        office.hook(player)
        office.game.join(table, player)
        office.game.act(table, Leave(player.id))
    office.game.join(table, guest)
    office.run_due()
    assert 4 == len(office.store.webhooks.heard(table)), "they may be about to sit down again"
    office.pass_time(11)
    office.game.act(table, Leave(guest.id))
    office.game.join(table, guest)
    office.run_due()
    assert {host.id, guest.id} == office.store.webhooks.heard(table).keys()
    office.game.join(table, others[0])
    office.run_due()
    assert {host.id, guest.id, others[0].id} == office.store.webhooks.heard(table).keys()
    assert ["seated"] * 7 == office.endpoints.types(hook)
    assert ["seated"] * 5 == office.endpoints.types(theirs)


def test_tables_that_nobody_hears_of_cost_nothing(office: Office) -> None:
    """Where nobody has webhooks nothing is due for them; nor when the last one was deleted."""
    keola, pua = office.player("keola"), office.player("pua")
    table = office.table(keola, seats=3)
    assert [] == office.run_due("notify", "deliver")
    hook = office.hook(keola)
    office.postman.remove(keola.id, hook.id)
    office.game.join(table, pua)
    assert 1 == len(office.run_due("notify", "deliver"))
    office.game.act(table, Leave(pua.id))
    office.game.join(table, pua)
    assert [] == office.run_due("notify", "deliver")
    assert {} == office.store.webhooks.heard(table)


def test_a_closed_table_is_forgotten(office: Office) -> None:
    """A minute after a table has closed nothing of it is left here, and nothing is told again."""
    keola = office.player("keola")
    hook = office.hook(keola)
    watching = office.hook(keola, table=office.table(keola))
    table = watching.table
    assert table is not None
    office.game.act(table, Leave(keola.id))
    office.run_due()
    assert "table_closed" in office.endpoints.types(watching)
    told = len(office.endpoints.taken)
    assert office.store.webhooks.heard(table)
    office.pass_time(61)
    assert {} == office.store.webhooks.heard(table)
    assert {} == office.store.webhooks.told(table, [hook, watching])
    assert [] == office.run_due("notify")
    assert told == len(office.endpoints.taken)


def test_a_webhook_that_hears_nothing_beside_one_that_does(office: Office) -> None:
    """A player whose only webhook is of another table is not told of this one, others are."""
    keola, pua = office.player("keola"), office.player("pua")
    table, other = office.table(keola, seats=3), office.table(keola, seats=3)
    office.hook(pua, table=other)
    hook = office.hook(keola)
    office.game.join(table, pua)
    office.run_due()
    assert [keola.id] == list(office.store.webhooks.heard(table))
    assert ["seated"] == office.endpoints.types(hook)
    late = office.hook(pua)
    office.game.join(table, office.player("nalu"))
    office.run_due()
    assert "seated" in office.endpoints.types(late)


def test_failures_are_tried_again_after_growing_pauses(office: Office) -> None:
    """A delivery comes again, the same, after longer and longer pauses, and the others after it."""
    keola, pua = office.player("keola"), office.player("pua")
    hook = office.hook(keola)
    office.endpoints.usual = DOWN
    table = office.table(keola, seats=3)
    office.game.join(table, pua)
    office.run_due()
    for pause in PAUSES[:4]:
        tries = len(office.endpoints.sent)
        office.pass_time(0.79 * pause)
        assert tries == len(office.endpoints.sent)
        office.pass_time(0.42 * pause)
        assert tries + 1 == len(office.endpoints.sent)
    office.endpoints.usual = OK
    office.pass_time(1.21 * PAUSES[4])
    assert ["seated", "seated"] == office.endpoints.types(hook)
    ids = [delivery.id for _, delivery in office.endpoints.sent]
    assert 2 == len(set(ids))
    assert 1 == len(set(ids[:-1]))
    assert None is office.postman.find(keola.id, hook.id)[1].failing_since


def test_a_dead_endpoint_is_switched_off(office: Office) -> None:
    """After the time of the setting, and not before, it is off; on again it tells from then on."""
    keola, pua = office.player("keola"), office.player("pua")
    hook = office.hook(keola)
    office.endpoints.usual = DOWN
    table = office.table(keola, seats=4)
    office.run_due()
    hours = 0
    while not (standing := office.postman.find(keola.id, hook.id)[1]).off:
        office.pass_time(HOUR)
        hours += 1
    assert 72 <= hours <= 72 + 8
    assert ("failing", 0, 1) == (standing.off, standing.waiting, standing.dropped)
    with pytest.raises(WebhookOff):
        office.postman.test(keola.id, hook.id, office.clock.now)

    office.game.join(table, pua)
    office.run_due()
    office.endpoints.usual = OK
    office.postman.turn_on(keola.id, hook.id, office.clock.now)
    office.game.join(table, office.player("nalu"))
    office.run_due()
    assert ["seated"] == office.endpoints.types(hook)


def test_who_says_gone_is_switched_off_at_once(office: Office) -> None:
    """410 Gone is taken at its word."""
    keola = office.player("keola")
    hook = office.hook(keola)
    office.endpoints.outcomes = [Outcome("status_410", gone=True)]
    office.table(keola)
    office.run_due()
    assert "gone" == office.postman.find(keola.id, hook.id)[1].off


def test_an_endpoint_may_ask_for_a_longer_pause(office: Office) -> None:
    """Retry-After makes the pause longer, up to a day."""
    keola = office.player("keola")
    office.hook(keola)
    office.endpoints.outcomes = [
        Outcome("status_503", retry_after=600),
        Outcome("x", retry_after=1e9),
    ]
    office.table(keola)
    office.run_due()
    office.pass_time(590)
    assert 1 == len(office.endpoints.sent)
    office.pass_time(11)
    assert 2 == len(office.endpoints.sent)
    office.pass_time(24 * HOUR - 10)
    assert 2 == len(office.endpoints.sent)
    office.pass_time(11)
    assert 1 == len(office.endpoints.taken)


def test_a_test_is_sent(office: Office) -> None:
    """A `ping` is sent when asked for, each time with an id of its own."""
    keola = office.player("keola")
    hook = office.hook(keola)
    ids = [office.postman.test(keola.id, hook.id, office.clock.now) for _ in range(2)]
    office.run_due()
    assert ids == [delivery.id for _, delivery in office.endpoints.taken]
    assert ["ping", "ping"] == office.endpoints.types(hook)


def test_what_is_refused(office: Office) -> None:
    """Forbidden targets, one too many, and other people's webhooks are refused."""
    keola, pua = office.player("keola"), office.player("pua")
    hook = office.hook(keola)
    office.endpoints.private = False
    with pytest.raises(ForbiddenTarget):
        office.hook(keola)
    office.endpoints.private = True
    for ask in (office.postman.find, office.postman.remove):
        with pytest.raises(NotFound):
            ask(pua.id, hook.id)
    for _ in range(MOST_WEBHOOKS - 1):
        office.hook(keola)
    with pytest.raises(TooManyWebhooks):
        office.hook(keola)


def test_a_wish_that_comes_again(office: Office) -> None:
    """The same wish of the same token makes one webhook, and its first secret is the one."""
    keola = office.player("keola")
    wish = Wish("http://127.0.0.1/", ALL)
    first, again = (office.postman.make(keola.id, wish, START + n, "once") for n in range(2))
    assert first == again
    other = office.postman.make(keola.id, replace(wish, url="http://127.0.0.2/"), START, "once")
    assert {first, other} == {one for one, _ in office.postman.of(keola.id)}
    assert keys_of(keola.id) is keys_of(first.id) is keys_of(other.id)


def test_the_latest_is_listed_first(office: Office) -> None:
    """Webhooks are listed by when they were made, whatever their ids are."""
    keola, wish = office.player("keola"), Wish("http://127.0.0.1/", ALL)
    made = [office.postman.make(keola.id, wish, START + n, str(n)) for n in range(5)]
    assert made[::-1] == [one for one, _ in office.postman.of(keola.id)]


def test_a_move_costs_the_same(redis: Redis, redis_url: str) -> None:
    """A move takes as many round trips where webhooks hear of it, and fail, as where none does."""
    bed = Deathbed(redis_url, 0, done=True)
    office = Office(RedisStore(bed.redis, RETENTION_SECONDS, 1, clock=lambda: START))
    office.endpoints.usual = DOWN
    costs: list[int] = []
    for names in (("keola", "pua"), ("nalu", "koa")):
        host, guest = map(office.player, names)
        if not costs:
            office.hook(host)
        table = office.table(host)
        office.game.join(table, guest)
        before = bed.steps
        office.begin(table)
        costs.append(bed.steps - before)
        office.run_due("notify", "deliver")
    bed.redis.close()
    assert costs[0] == costs[1]
    assert office.endpoints.sent


@pytest.mark.parametrize("done", [True, False])
def test_killed_at_every_step(redis: Redis, redis_url: str, *, done: bool) -> None:
    """Whatever round trip of telling or delivering is the last one of a process, none is lost.

    Nor is one told twice: every id comes once more at most, since its endpoint's answer was lost.
    """
    for step in count(1):
        redis.flushall()
        bed = Deathbed(redis_url, 0, done=done)
        office = Office(RedisStore(bed.redis, RETENTION_SECONDS, 1, clock=lambda: START))
        keola, pua = office.player("keola"), office.player("pua")
        hook = office.hook(keola)
        table = office.table(keola)
        office.game.join(table, pua)
        bed._step = bed.steps + step
        try:
            office.run_due("notify", "deliver")
            died, bed._step = False, 0
        except Killed:
            office.pass_time(10)
            died = True
        sent = [delivery.id for _, delivery in office.endpoints.sent]
        told = expected(office, table, keola)
        assert len(told) == len(set(sent)), step
        assert len(sent) <= len(told) + 1
        assert set(told) == set(office.endpoints.types(hook))
        bed.redis.close()
        if not died:
            assert step > 8
            return


def test_a_match_longer_than_its_log(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is still in the log is told, once; what the log has lost is passed over."""
    for store in ("memory", "redis_store"):
        monkeypatch.setattr(f"service.store.{store}.LOG_KEPT", 60)
    keola = office.player("keola")
    hook = office.hook(keola, "deal_over")
    match = sandbox.open_match(office.game, keola, sandbox.Wish(("easy",), 40, "seed"))
    early = match
    chance = Random(1)
    while match.status is not Status.CLOSED:
        match = office.game.act(match.id, Play(keola.id, any_move(match, 1, chance)))
        early = match if match.number < 30 else early
    office.postman.notify(early, office.clock.now)
    office.run_due()
    kept = office.store.entries(match.id, 0, 1000)
    over = [one.id for one in kept if one.event.type == "settled"]

    assert kept[0].id > 1
    assert over == versions(office, hook)


def test_nobody_hears_of_anothers_match(office: Office) -> None:
    """A match is there for its player's webhooks alone."""
    keola, pua = office.player("keola"), office.player("pua")
    match = sandbox.open_match(office.game, keola, sandbox.Wish(("easy",), 4, "seed"))
    office.hook(keola, table=match.id)

    with pytest.raises(NotFound):
        office.hook(pua, table=match.id)
    assert {keola.id} == office.store.webhooks.heard(match.id).keys()
