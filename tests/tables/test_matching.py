"""Which tables suit somebody who wants any."""

from dataclasses import replace

import pytest

from service.engine.house_rules import HouseRules
from service.tables import Status, Table
from service.tables.matching import Wish, match_rank, suits
from tests.tables.builders import ANN, BEN, BOT, START, seated


def waiting(open_seats: int = 1, **settings: object) -> Table:
    """A table of usual rules with a seat or two taken."""
    players = (ANN, BEN) if open_seats == 1 else (ANN,)
    table = seated(*players, rules=HouseRules(), **settings)
    return replace(table, settings=replace(table.settings, seats=3, start_when="full"))


def test_the_fewer_seats_are_open_the_sooner() -> None:
    """A table is ranked by its open seats; a full one is for nobody."""
    assert [1, 2] == [match_rank(waiting(n)) for n in (1, 2)]
    full = seated(ANN, BEN, BOT, rules=HouseRules())
    assert match_rank(full) is None


@pytest.mark.parametrize("status", Status)
def test_between_deals(status: Status) -> None:
    """A seat is found where nobody plays: while the table waits, and in a pause."""
    ranked = match_rank(replace(waiting(), status=status)) is not None
    assert ranked == (status in (Status.WAITING, Status.PAUSE))


def test_usual_rules() -> None:
    """Tables with house rules of their own are for those who have chosen them."""
    table = waiting()
    other = replace(table.settings, rules=HouseRules(ace_low=True))
    assert match_rank(replace(table, settings=other)) is None


@pytest.mark.parametrize(
    ("bots_after", "wanted", "open_seats", "status", "expected"),
    [
        (None, None, 2, Status.WAITING, True),
        (60, None, 2, Status.WAITING, True),
        (None, 60, 2, Status.WAITING, False),
        (30, 60, 2, Status.WAITING, True),
        (90, 60, 2, Status.WAITING, False),
        (None, 60, 1, Status.WAITING, True),
        (None, 60, 2, Status.PAUSE, True),
    ],
)
def test_bots(
    bots_after: int | None, wanted: int | None, open_seats: int, status: Status, *, expected: bool
) -> None:
    """Who wants bots gets a seat where they come in time, or where none are needed to begin."""
    table = waiting(open_seats, bots_after_seconds=bots_after)
    assert expected is suits(replace(table, status=status), Wish(3, 5, wanted), START)


def test_stakes() -> None:
    """Seats and ante are as they were wished."""
    assert [True, False, False] == [
        suits(waiting(), wish, START) for wish in (Wish(3, 5), Wish(2, 5), Wish(3, 6))
    ]


def test_a_table_that_is_made_for_a_wish_fulfils_it() -> None:
    """Whatever is wished, the settings are those of a table that suits."""
    for wish in (Wish(2, 0), Wish(5, 7, 0), Wish(3, 99, 600)):
        table = replace(waiting(2), settings=wish.settings)
        assert suits(table, wish, START)
