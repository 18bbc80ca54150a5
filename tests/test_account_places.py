"""How far an account's stream has come, as a text."""

from base64 import urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.account_places import Places, places_at
from service.store.keys import new_id

IDS = [new_id() for _ in range(300)]

PLACES = st.builds(
    Places,
    at=st.integers(0, 2**48 - 1),
    invited=st.integers(0, 2**48 - 1),
    tables=st.dictionaries(st.sampled_from(IDS), st.integers(0, 2**48 - 1)),
)


@given(PLACES)
def test_there_and_back(places: Places) -> None:
    """The text says all that there is to know."""
    assert places == places_at(places.cursor)


@given(st.text())
def test_any_text(text: str) -> None:
    """Any text is either none of ours or stands for places that have a text again."""
    places = places_at(text)
    assert places is None or places == places_at(places.cursor)


@pytest.mark.parametrize(
    "text", ["", "AAAA", "é", "%", "A" * 9, urlsafe_b64encode(b"a" * 27).decode()]
)
def test_none_of_ours(text: str) -> None:
    """What is cut off or was never ours is told apart."""
    assert places_at(text) is None


def test_it_fits_into_a_header() -> None:
    """Whoever is at 250 tables can still send it: servers take headers of 8,000 characters."""
    places = Places(2**48 - 1, 2**48 - 1, dict.fromkeys(IDS[:250], 2**47))
    assert len(places.cursor) < 8000
