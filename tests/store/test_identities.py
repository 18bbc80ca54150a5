"""What both stores promise of outside identities (service/store/identities.py)."""

import threading
from dataclasses import replace

from service.store.base import Store
from service.store.identities import Bound, Identity

WHO = Identity("https://id.example", "248289761001")
MINE = Bound(WHO, "me", 1_790_000_000_000, opened=True)


def test_an_identity_is_bound_once(store: Store) -> None:
    """The first one binds it, for good; all others learn to whom."""
    assert MINE == store.identities.bind(MINE)
    assert MINE == store.identities.bind(replace(MINE, player="you", at=1, opened=False))
    assert (MINE,) == store.identities.of("me")
    assert () == store.identities.of("you")


def test_of_many_at_once_one_binds(store: Store) -> None:
    """Of many who bind an identity at once all learn of the same one."""
    found: list[Bound] = []

    def bind(number: int) -> None:
        found.append(store.identities.bind(replace(MINE, player=f"player-{number}")))

    threads = [threading.Thread(target=bind, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 20 == len(found)
    (bound,) = set(found)
    assert (bound,) == store.identities.of(bound.player)


def test_an_account_may_have_several(store: Store) -> None:
    """The identities of an account come the earliest first."""
    later = Bound(Identity(WHO.issuer, "another"), "me", MINE.at + 1, opened=False)
    for bound in (later, MINE):
        store.identities.bind(bound)
    assert [MINE, later] == sorted(store.identities.of("me"), key=lambda one: one.at)


def test_issuer_and_subject_make_an_identity(store: Store) -> None:
    """The same subject at another issuer, or a text moved from one to the other, is another one."""
    store.identities.bind(MINE)
    for other in (Identity("https://other.example", WHO.subject), Identity(WHO.issuer, "\n")):
        mine = replace(MINE, identity=other, player="you")
        assert mine == store.identities.bind(mine)
