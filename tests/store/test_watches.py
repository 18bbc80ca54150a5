"""Watches: whoever waits is woken by its own names, and by all when nobody should wait."""

import threading

from service.store.watches import Watches


def test_woken_by_its_own_names() -> None:
    """A watch says which of its names have changed since it was last asked, and no other ones."""
    watches = Watches(polls=1, streams=1)
    with watches.watching("stream", "one", "two") as watch:
        assert watch
        watches.wake("three")
        assert frozenset() == watch.wait(0)
        watches.wake("one")
        watches.wake("two")
        assert {"one", "two"} == watch.wait(10)
        assert frozenset() == watch.wait(0)


def test_names_come_and_go() -> None:
    """Names can be added and dropped while it waits."""
    watches = Watches(polls=1, streams=1)
    with watches.watching("stream", "one") as watch:
        assert watch
        watch.add("two")
        watch.drop("one")
        watches.wake("one")
        assert frozenset() == watch.wait(0)
        watches.wake_all()
        assert {"two"} == watch.wait(10)


def test_another_thread_wakes_it() -> None:
    """Whoever waits goes on as soon as something has changed."""
    watches = Watches(polls=1, streams=1)
    with watches.watching("poll", "one") as watch:
        assert watch
        threading.Timer(0.05, watches.wake, ["one"]).start()
        assert {"one"} == watch.wait(30)


def test_places_are_bounded_by_kind() -> None:
    """Polls and streams have places of their own, which come free; a look needs none."""
    watches = Watches(polls=1, streams=1)
    with watches.watching("stream", "one") as first, watches.watching("stream", "one") as second:
        assert (True, None) == (first is not None, second)
        with watches.watching("poll", "one") as poll, watches.watching("look", "one") as look:
            assert poll
            assert look
    with watches.watching("stream", "one") as again:
        assert again
