"""Waiting for a condition, never for a time."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def wait_until(condition: Callable[[], T], seconds: float = 30, every: float = 0.01) -> T:
    """What a condition gives once it is true; fails the test where that takes too long."""
    until = time.monotonic() + seconds
    while True:
        if value := condition():
            return value
        assert time.monotonic() < until, f"still not so after {seconds} s: {condition}"
        time.sleep(every)
