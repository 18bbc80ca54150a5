"""The order of the cards: as docs/fair-cards.md says it, and fair."""

import hashlib
import hmac
import itertools
import json
import struct
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine import shuffle
from service.engine.cards import DECK, Card
from service.engine.commands import Cut
from service.engine.deal import new_deal
from service.engine.house_rules import HouseRules
from tests.engine.generators import seeds
from tests.engine.positions import SEED, cards, play

ROOT = Path(__file__).parents[2]
VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    (ROOT / "tests/data/shuffle.json").read_text(encoding="utf-8")
)


class Verifier:
    """A second implementation, written from docs/fair-cards.md and from nothing else."""

    def __init__(self, seed: str, label: str) -> None:
        self.key = bytes.fromhex(seed)
        self.label = label.encode("utf-8")
        self.block = 0
        self.words: list[int] = []

    def number_below(self, bound: int) -> int:
        """The next number below a bound."""
        while True:
            if not self.words:
                message = struct.pack(">I", self.block) + self.label
                digest = hmac.new(self.key, message, hashlib.sha256).digest()
                self.words = list(struct.unpack(">8I", digest))
                self.block += 1
            word = self.words.pop(0)
            if word < 2**32 - 2**32 % bound:
                return word % bound

    def shuffled(self, pack: list[str]) -> list[str]:
        """The cards of a pack, shuffled."""
        i = len(pack) - 1
        while i >= 1:
            j = self.number_below(i + 1)
            pack[i], pack[j] = pack[j], pack[i]
            i -= 1
        return pack

    @staticmethod
    def pack() -> list[str]:
        """The cards in the order that the page lists them in."""
        return [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]

    @classmethod
    def deck(cls, seed: str, position: int, entropy: str) -> list[str]:
        """The deck after the cut."""
        pack = cls(seed, f"deck:{entropy}").shuffled(cls.pack())
        return pack[position:] + pack[:position]

    @classmethod
    def stock(cls, seed: str, entropy: str, number: int, discards: list[str]) -> list[str]:
        """A new stock."""
        pack = [card for card in cls.pack() if card in discards]
        return cls(seed, f"stock:{number}:{entropy}").shuffled(pack)


@pytest.mark.parametrize("vector", VECTORS["decks"])
def test_decks(vector: dict[str, Any]) -> None:
    """The stored decks and commitments never change, since clients check deals by them."""
    assert cards(vector["deck"]) == shuffle.deck(
        vector["seed"], vector["position"], vector["entropy"]
    )
    assert vector["commitment"] == shuffle.commitment(vector["seed"])


@pytest.mark.parametrize("vector", VECTORS["stocks"])
def test_stocks(vector: dict[str, Any]) -> None:
    """The stored new stocks never change, since clients check deals by them."""
    assert cards(vector["stock"]) == shuffle.renewed_stock(
        vector["seed"], vector["entropy"], vector["number"], cards(vector["discards"])
    )


@pytest.mark.parametrize("vector", VECTORS["deals"])
def test_deals(vector: dict[str, Any]) -> None:
    """The stored deals never change: who gets which cards, the wild card, the first discard."""
    deal = new_deal(vector["seed"], tuple(vector["players"]), 1, HouseRules())
    deal = play(deal, (deal.cutter, Cut(vector["position"], vector["entropy"])))

    hands = {int(seat): cards(hand) for seat, hand in vector["hands"].items()}
    assert hands == {seat: hand.cards for seat, hand in deal.hands.items()}
    assert (vector["wild_card"], cards(vector["first_discard"])) == (deal.wild_card, deal.pile)
    assert cards(vector["stock"]) == deal.stock


@pytest.mark.parametrize("vector", VECTORS["decks"])
def test_decks_as_the_page_says(vector: dict[str, Any]) -> None:
    """Whoever follows docs/fair-cards.md gets the stored decks."""
    deck = Verifier.deck(vector["seed"], vector["position"], vector["entropy"])

    assert vector["deck"] == " ".join(deck)
    assert vector["commitment"] == hashlib.sha256(bytes.fromhex(vector["seed"])).hexdigest()


@given(seeds(), st.integers(0, 51), st.text(st.characters(codec="utf-8"), max_size=100))
def test_any_deck_as_the_page_says(seed: str, position: int, entropy: str) -> None:
    """Whoever follows docs/fair-cards.md gets the deck of any seed, position and entropy."""
    assert Verifier.deck(seed, position, entropy) == list(shuffle.deck(seed, position, entropy))


@given(
    seeds(),
    st.text(st.characters(codec="utf-8"), max_size=20),
    st.integers(1, 20),
    st.lists(st.sampled_from(DECK), unique=True),
)
def test_any_stock_as_the_page_says(
    seed: str, entropy: str, number: int, discards: list[Card]
) -> None:
    """Whoever follows docs/fair-cards.md gets any new stock."""
    expected = Verifier.stock(seed, entropy, number, list(discards))

    assert expected == list(shuffle.renewed_stock(seed, entropy, number, discards))


def test_the_page_prints_stored_vectors() -> None:
    """The cards printed in docs/fair-cards.md are those of the stored vectors."""
    page = " ".join((ROOT / "docs/fair-cards.md").read_text(encoding="utf-8").split())
    deck, stock, deal = VECTORS["decks"][0], VECTORS["stocks"][0], VECTORS["deals"][0]

    printed = [deck["seed"], deck["commitment"], deck["deck"], stock["discards"], stock["stock"]]
    for text in printed + list(deal["hands"].values()):
        assert text in page
    words = Verifier(deck["seed"], "deck:")
    assert ", ".join(str(words.number_below(2**32)) for _ in range(3)) in page


def test_a_word_is_passed_over() -> None:
    """Words in the last, incomplete run of a bound are passed over, so that no card is likelier."""
    limit = 2**32 - 2**32 % 52

    assert 7 == shuffle._below(52, iter([limit, 2**32 - 1, 59]))
    assert 51 == shuffle._below(52, iter([limit - 1]))


@given(seeds(), st.integers(0, 51), st.text(st.characters(codec="utf-8"), max_size=20))
def test_every_card_once(seed: str, position: int, entropy: str) -> None:
    """A shuffled deck has every card once."""
    assert sorted(DECK) == sorted(shuffle.deck(seed, position, entropy))


def test_what_the_order_depends_on() -> None:
    """Seed, entropy and number give other orders; the cut only turns the deck."""
    decks = {
        shuffle.deck(seed, 0, entropy) for seed in (SEED, "01" * 32) for entropy in ("", "hello")
    }
    stocks = {shuffle.renewed_stock(SEED, "", number, DECK) for number in range(1, 4)}
    assert (4, 3) == (len(decks), len(stocks))
    assert 7 == len(decks | stocks)

    whole, cut = shuffle.deck(SEED, 0, ""), shuffle.deck(SEED, 20, "")
    assert whole[20:] + whole[:20] == cut


def test_the_order_of_the_discards_does_not_matter() -> None:
    """A new stock depends on which cards it is made of, not on the order they were discarded in."""
    discards = DECK[5:30]

    assert shuffle.renewed_stock(SEED, "", 1, discards) == shuffle.renewed_stock(
        SEED, "", 1, reversed(discards)
    )


def test_no_card_is_likelier() -> None:
    """Over many seeds each card is on top, at the bottom, or after another about equally often."""
    decks = [shuffle.deck(f"{number:064x}", 0, "") for number in range(5200)]
    tops, bottoms = Counter(deck[0] for deck in decks), Counter(deck[-1] for deck in decks)
    gaps = Counter(
        (DECK.index(after) - DECK.index(before)) % 52
        for deck in decks
        for before, after in itertools.pairwise(deck[:11])
    )

    # 51 degrees of freedom: 87 is passed once in a thousand times; the seeds are fixed.
    assert 87 > sum((tops[card] - 100) ** 2 / 100 for card in DECK)
    assert 87 > sum((bottoms[card] - 100) ** 2 / 100 for card in DECK)
    expected = 52000 / 51
    assert 86 > sum((gaps[gap] - expected) ** 2 / expected for gap in range(1, 52))
