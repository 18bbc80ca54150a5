"""What both stores promise of further tokens and of revoked ones (service/store/tokens.py)."""

import threading

import pytest

from service.store.base import Store
from service.store.tokens import (
    FIRST_PLACE,
    MOST_TOKENS,
    REVOKED_SECONDS,
    Revoked,
    TokenNote,
    TooManyTokens,
)

NOW = 1_790_000_000
LASTING = TokenNote("token-1", ("play", "lobby"), NOW, None, "गौतम's bot")
ENDING = TokenNote("token-2", ("account",), NOW + 1, NOW + 60)


def test_tokens_are_listed_as_they_were_made(store: Store) -> None:
    """A player's tokens come the latest first, and nobody else's with them."""
    for note in (LASTING, ENDING):
        store.tokens.note("me", note)
    assert (ENDING, LASTING) == store.tokens.noted("me", NOW + 59)
    assert () == store.tokens.noted("you", NOW)


def test_expired_tokens_are_not_listed(store: Store) -> None:
    """A token is gone at the very second of its end."""
    for note in (LASTING, ENDING):
        store.tokens.note("me", note)
    assert (LASTING,) == store.tokens.noted("me", NOW + 60)


def test_so_many_tokens_and_no_more(store: Store) -> None:
    """Beyond the bound a token is refused; another account's is not."""
    fill(store, NOW + 60)
    with pytest.raises(TooManyTokens):
        store.tokens.note("me", LASTING)
    assert MOST_TOKENS == len(store.tokens.noted("me", NOW))
    store.tokens.note("you", LASTING)


def test_expired_tokens_make_place(store: Store) -> None:
    """A token that has expired does not count."""
    fill(store, NOW + 60)
    late = TokenNote("late", ("play",), NOW + 60)
    store.tokens.note("me", late)
    assert (late,) == store.tokens.noted("me", NOW + 60)


def test_revoked_tokens_make_place_after_a_day(store: Store) -> None:
    """A revoked token is not listed, but counts for a day: nobody fills the list in a hurry."""
    fill(store, None)
    store.tokens.revoke("me", Revoked("n-0"), NOW)
    assert MOST_TOKENS - 1 == len(store.tokens.noted("me", NOW))
    with pytest.raises(TooManyTokens):
        store.tokens.note("me", TokenNote("too soon", ("play",), NOW + REVOKED_SECONDS - 1))
    store.tokens.note("me", TokenNote("now", ("play",), NOW + REVOKED_SECONDS))


def test_a_revoked_token_that_ends_counts_no_longer_than_that(store: Store) -> None:
    """Revoking never makes a token count for longer than it would have."""
    fill(store, NOW + 60)
    store.tokens.revoke("me", Revoked("n-0", NOW + 60), NOW)
    store.tokens.note("me", TokenNote("late", ("play",), NOW + 60))


def fill(store: Store, expires_at: int | None) -> None:
    """Make as many tokens of mine as there may be, several at once."""

    def note(first: int) -> None:
        for number in range(first, MOST_TOKENS, 4):
            store.tokens.note("me", TokenNote(f"n-{number}", ("play",), NOW, expires_at))

    threads = [threading.Thread(target=note, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_the_list_of_the_revoked_goes_on(store: Store) -> None:
    """The list is read on from where one was, however it is read; the order is that of revoking."""
    nothing, place = store.tokens.revoked_after(FIRST_PLACE)
    assert ((), FIRST_PLACE) == (nothing, place)
    store.tokens.revoke("me", Revoked("a"), NOW)
    store.tokens.revoke("you", Revoked("b", NOW + 60), NOW)
    both, place = store.tokens.revoked_after(place)
    assert (Revoked("a"), Revoked("b", NOW + 60)) == both
    store.tokens.revoke("me", Revoked("c"), NOW)
    assert (Revoked("c"),) == store.tokens.revoked_after(place)[0]
    assert (*both, Revoked("c")) == store.tokens.revoked_after(FIRST_PLACE)[0]


def test_the_list_has_a_token_once(store: Store) -> None:
    """A token that is revoked twice is on the list once; whether one is there can be asked."""
    assert not store.tokens.revoked("a")
    for _ in range(2):
        store.tokens.revoke("me", Revoked("a"), NOW)
    assert (True, False) == (store.tokens.revoked("a"), store.tokens.revoked("b"))
    assert (Revoked("a"),) == store.tokens.revoked_after(FIRST_PLACE)[0]


def test_revoking_wakes_whoever_waits_for_it(store: Store) -> None:
    """Who waits for the end of a token hears of it, by the token's name, and nobody else."""
    with store.watches.watching("poll", "token:a", "token:b") as watch:
        assert watch is not None
        woken_by: set[frozenset[str]] = set()
        for _ in range(3):  # A subscription that has just begun wakes everybody.
            store.tokens.revoke("me", Revoked("a"), NOW)
            woken_by.add(watch.wait(5))
        assert frozenset({"token:a"}) in woken_by
