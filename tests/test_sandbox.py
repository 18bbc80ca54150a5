"""Opening sandbox matches: one an account, whatever happens at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from redis import Redis

from service.engine.errors import PaiuteError
from service.game import Game
from service.sandbox import MatchOpen, Wish, open_match
from service.store.base import NotFound
from service.store.connection import connect
from service.store.leases import LEASE_MS
from service.store.redis_store import RedisStore
from service.tables import Leave
from tests.support.game import FakeClock, KeptQueue, Played
from tests.support.tables import GUEST, HOST, open_account

WISH = Wish(("easy",), 4, "seed")


def test_many_at_once(redis: Redis, redis_url: str) -> None:
    """Of many matches that are opened at the same time one is, and the others are refused."""
    client = connect(redis_url)
    game = Game(RedisStore(client, 3600, 4), KeptQueue())
    open_account(game.store, HOST)

    def is_opened(_: int) -> bool:
        try:
            open_match(game, HOST, WISH)
        except MatchOpen:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        opened = list(pool.map(is_opened, range(16)))
    tables = game.store.tables_of(HOST.id, game.now())
    client.close()

    assert 1 == opened.count(True) == len(tables)


def test_each_has_one() -> None:
    """Others' matches are none of one's own; after the own one there may be another."""
    played = Played()
    first = open_match(played.game, HOST, WISH)
    open_match(played.game, GUEST, WISH)
    with pytest.raises(MatchOpen) as refused:
        open_match(played.game, HOST, WISH)
    assert first.id == refused.value.facts["match"]
    played.game.act(first.id, Leave(HOST.id))

    assert first.id != open_match(played.game, HOST, WISH).id


def test_a_process_that_was_killed() -> None:
    """What it was about to open stands in the way for some seconds at the most."""
    played = Played()
    clock: FakeClock = played.clock
    played.store.leases.hold(f"sandbox:{HOST.id}", "killed", clock.now, 1)
    with pytest.raises(MatchOpen):
        open_match(played.game, HOST, WISH)
    clock.advance(LEASE_MS / 1000)

    assert open_match(played.game, HOST, WISH).sandbox


def test_a_match_that_can_not_be_made() -> None:
    """A refusal leaves nothing behind that would be in the way of the next one."""
    played = Played()
    played.game = Game(played.store, played.queue, 1000, played.clock, max_tables=1)
    table = played.table()
    with pytest.raises(PaiuteError, match="as many tables"):
        open_match(played.game, HOST, WISH)
    played.game.act(table.id, Leave(HOST.id))

    assert open_match(played.game, HOST, WISH).sandbox


def test_the_table_is_gone() -> None:
    """An hour after its end the match is forgotten."""
    played = Played()
    table = open_match(played.game, HOST, WISH)
    played.game.act(table.id, Leave(HOST.id))
    played.clock.advance(3601)
    assert ["forget"] == [due.kind for due in played.sweep()]

    with pytest.raises(NotFound):
        played.store.load(table.id)
