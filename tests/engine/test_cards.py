"""How cards are written and read."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.cards import DECK, RANKS, SUITS, Card, in_order, parse, parse_rank
from service.engine.errors import NotACard
from tests.engine.positions import cards

RANK = r"[2-9TJQKAtjqka]|10"
CARD = rf"(?:{RANK})(?:[CDHScdhs]|[♣♦♥♠♧♢♡♤]\ufe0f?)"
"""All that names a card, as docs/rules.md says it."""

NEAR = st.text(
    "0123456789TJQKAtjqkaCDHScdhs♣♦♥♠♧♢♡♤\ufe0f\u200d \N{KELVIN SIGN}\N{LATIN SMALL LETTER LONG S}"
    "\N{LATIN SMALL LETTER DOTLESS I}\N{FULLWIDTH DIGIT ONE}\N{FULLWIDTH DIGIT ZERO}",
    max_size=4,
)
"""Texts that are cards, or nearly so."""


def test_the_deck() -> None:
    """The deck has each rank once in each of the four suits."""
    assert sorted(rank + suit for rank in RANKS for suit in SUITS) == sorted(DECK)
    assert (52, 13, 4) == (len(set(DECK)), len(set(RANKS)), len(set(SUITS)))


@pytest.mark.parametrize("card", DECK)
def test_canonical_spelling(card: Card) -> None:
    """A card's canonical two characters name that card, and its first one its rank."""
    assert card == parse(card)
    assert card[0] == parse_rank(card[0])


@pytest.mark.parametrize(
    ("spelling", "card"),
    [
        ("10h", "Th"),
        ("10H", "Th"),
        ("th", "Th"),
        ("TH", "Th"),
        ("tH", "Th"),
        ("aS", "As"),
        ("qD", "Qd"),
        ("7♣", "7c"),
        ("10♦", "Td"),
        ("k♥", "Kh"),
        ("A♠", "As"),
        ("2♧", "2c"),
        ("2♢", "2d"),
        ("2♡", "2h"),
        ("2♤", "2s"),
        ("10♥\ufe0f", "Th"),
    ],
)
def test_accepted_spellings(spelling: str, card: str) -> None:
    """Any letter case, `10` for the ten, and suit symbols, also as emoji, name a card."""
    assert card == parse(spelling)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A",
        "s",
        "10",
        "sA",
        "1s",
        "0s",
        "01s",
        "11s",
        "100s",
        "T0s",
        "1Os",
        "Xs",
        "Ax",
        "As ",
        " As",
        "A s",
        "As\n",
        "As\x00",
        "AsAs",
        "Asd",
        "A♠♠",
        "A\ufe0fs",
        "As\ufe0f",
        "A♠\ufe0f\ufe0f",
        "🂡",
        "Joker",
    ],
)
def test_no_card(text: str) -> None:
    """A text that is not exactly one card is refused."""
    with pytest.raises(NotACard):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "\N{FULLWIDTH LATIN CAPITAL LETTER A}s",
        "A\N{FULLWIDTH LATIN SMALL LETTER S}",
        "\N{FULLWIDTH DIGIT ONE}\N{FULLWIDTH DIGIT ZERO}h",
        "\N{FULLWIDTH DIGIT SEVEN}c",
        "\N{ARABIC-INDIC DIGIT SEVEN}c",
        "\N{DEVANAGARI DIGIT SEVEN}c",
        "\N{SUPERSCRIPT TWO}c",
        "\N{ROMAN NUMERAL TEN}h",
        "\N{KELVIN SIGN}s",  # Its lower case is k.
        "A\N{LATIN SMALL LETTER LONG S}",  # Its upper case is S.
        "\N{LATIN SMALL LETTER DOTLESS I}s",
        "\N{ANGSTROM SIGN}s",
        "A\N{COMBINING ACUTE ACCENT}s",
        "\N{CYRILLIC CAPITAL LETTER A}s",
        "A\N{CYRILLIC SMALL LETTER ES}",
        "A\N{ZERO WIDTH JOINER}s",
        "\N{RIGHT-TO-LEFT OVERRIDE}As",
        "\ud800s",
        "\N{LATIN SMALL LIGATURE ST}",
    ],
)
def test_look_alikes(text: str) -> None:
    """Characters that look like a card's, or have its letters as their other case, are refused."""
    with pytest.raises(NotACard):
        parse(text)


@pytest.mark.parametrize("text", ["As" * 10_000, "10" * 10_000 + "h", "A" + "\ufe0f" * 10_000])
def test_long_texts(text: str) -> None:
    """A text of any length is refused, and not repeated at its length."""
    with pytest.raises(NotACard) as caught:
        parse(text)
    assert 120 > len(str(caught.value))


@given(st.one_of(NEAR, st.from_regex(CARD, fullmatch=True), st.text()))
def test_exactly_the_spellings_are_cards(text: str) -> None:
    """A text names a card exactly when it is one of the accepted spellings."""
    if re.fullmatch(CARD, text):
        assert parse(text) in DECK
    else:
        with pytest.raises(NotACard):
            parse(text)


def test_exactly_the_letters_are_ranks_and_suits() -> None:
    """Of all the characters there are, only those listed stand for a rank or a suit."""

    def accepted(before: str, after: str) -> str:
        found = ""
        for character in map(chr, range(0x11000)):
            try:
                parse(before + character + after)
            except NotACard:
                continue
            found += character
        return found

    assert "23456789AJKQTajkqt" == accepted("", "s")
    assert "CDHScdhs♠♡♢♣♤♥♦♧" == accepted("A", "")


@pytest.mark.parametrize(("spelling", "rank"), [("10", "T"), ("t", "T"), ("a", "A"), ("2", "2")])
def test_ranks(spelling: str, rank: str) -> None:
    """A rank is read like that of a card."""
    assert rank == parse_rank(spelling)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "0",
        "11",
        "1\N{FULLWIDTH DIGIT ZERO}",
        "As",
        "23",
        "TJ",
        "\N{KELVIN SIGN}",
        " A",
        "x",
    ],
)
def test_no_rank(text: str) -> None:
    """A text that is not exactly one rank is refused."""
    with pytest.raises(NotACard):
        parse_rank(text)


def test_order() -> None:
    """Cards are shown from the highest rank down, equal ranks always in the same order."""
    assert cards("As Kc Ts Th Td Tc 9d 2h") == in_order(cards("Td 2h As Tc 9d Th Kc Ts"))
