"""What both stores promise of invitations (service/store/invitations.py)."""

from redis import Redis

from service.store import keys
from service.store.base import Store
from service.store.invitations import MOST, OPEN_MS
from service.store.redis_store import RedisStore
from service.tables.invitations import Invitation
from tests.support.tables import GUEST, HOST, START
from tests.support.waiting import wait_until

ME = "me"


def invite(store: Store, table: str = "table-1", at: int = START) -> Invitation | None:
    """Have the host invite me to a table."""
    return store.invitations.add(ME, table, HOST, "code", at)


def test_an_invitation_is_read_as_it_was_made(store: Store) -> None:
    """It has its table, who invites, the code if there is one, and when."""
    made = [invite(store), store.invitations.add(ME, "table-1", GUEST, None, START)]
    expected = (
        Invitation(START, "table-1", HOST, "code", START),
        Invitation(START + 1, "table-1", GUEST, None, START),
    )
    assert expected == tuple(made) == store.invitations.of(ME)
    assert () == store.invitations.of(GUEST.id)


def test_the_same_invitation_again(store: Store) -> None:
    """One inviter invites to one table once."""
    first = invite(store)
    assert first == invite(store, at=START + 5)
    assert (first,) == store.invitations.of(ME)


def test_news_after_a_number(store: Store) -> None:
    """What came after an invitation is read by its number."""
    made = [invite(store, f"table-{n}", START + n) for n in range(4)]
    assert made[1] is not None
    assert tuple(made[2:]) == store.invitations.after(ME, made[1].number)


def test_no_more_than_there_may_be(store: Store) -> None:
    """Beyond the bound nobody gets in, but who was there; with one gone there is a place."""
    made = [invite(store, f"table-{n}") for n in range(MOST)]
    assert invite(store, "one-more") is None
    assert made[3] == invite(store, "table-3")
    assert made[0] is not None
    assert 1 == store.invitations.drop(ME, [made[0].number])
    assert invite(store, "one-more") is not None


def test_numbers_are_never_used_again(store: Store) -> None:
    """Whatever goes, the next number is a higher one."""
    first = invite(store)
    assert first is not None
    assert [1, 0] == [store.invitations.drop(ME, [first.number]) for _ in range(2)]
    assert 0 == store.invitations.drop(ME, [])
    second = invite(store)
    assert second is not None
    assert second.number > first.number


def test_old_invitations_make_room(store: Store) -> None:
    """After a day an invitation goes when the next one comes."""
    for n in range(MOST):
        invite(store, f"table-{n}", START + n)
    made = invite(store, "table-0", START + OPEN_MS)
    assert made is not None
    assert START + OPEN_MS == made.number
    assert MOST == len(store.invitations.of(ME))


def test_whoever_waits_for_news_of_the_player_is_woken(store: Store) -> None:
    """An invitation wakes who waits for the player, each time that there is a new one."""
    with store.watches.watching("poll", ME) as watch:
        assert watch is not None
        assert invite(store, "table-1")
        wait_until(lambda: ME in watch.wait(0.1))
        while watch.wait(0.1):
            """Everybody is woken when the subscription begins, too."""
        assert invite(store, "table-2")
        assert {ME} == watch.wait(10)


def test_nothing_is_kept_for_ever(redis: Redis, redis_store: RedisStore) -> None:
    """A player's invitations go by themselves after a day."""
    invite(redis_store)
    key = keys.keys_of(ME).invitations(ME)
    assert OPEN_MS - 60_000 < redis.pttl(key) <= OPEN_MS
