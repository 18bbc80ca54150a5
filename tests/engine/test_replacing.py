"""Copies of frozen values."""

from dataclasses import dataclass, fields, is_dataclass, replace

import pytest

from service.engine import deal, house_rules, replacing
from service.tables import table

KINDS = [
    kind
    for module in (deal, house_rules, table)
    for kind in vars(module).values()
    if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.__name__
]
"""What is copied in a step of a deal, or of a table."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two values."""

    left: int
    right: int = 2


def test_as_the_standard_library() -> None:
    """It gives what `dataclasses.replace` does, and leaves the value itself alone."""
    pair = Pair(1)
    assert replace(pair, left=5) == replacing.replace(pair, left=5) == Pair(5, 2)
    assert Pair(1, 2) == pair
    with pytest.raises(KeyError):
        replacing.replace(pair, middle=1)  # type: ignore[call-arg]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_copied_can_be(kind: type) -> None:
    """All classes of the state take every field by its place, and have as many as are needed."""
    assert all(field.init and not field.kw_only for field in fields(kind))
    assert len(fields(kind)) > 1
