"""The order of the cards from a seed and a cut, so that anyone can check it (docs/fair-cards.md).

The seed's SHA-256 is published before the cut, and the seed itself after the deal.  Until then
nobody can know the order, and the service can't change it: the cutter's entropy is mixed in.
"""

import hashlib
import hmac
import itertools
import struct
from collections.abc import Iterable, Iterator

from service.engine.cards import DECK, Card

_EIGHT_WORDS = struct.Struct(">8I").unpack


def commitment(seed: str) -> str:
    """The SHA-256 of a deal's seed, both in hexadecimal: what is published before the cut."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def deck(seed: str, position: int, entropy: str) -> tuple[Card, ...]:
    """The whole deck from the top, shuffled by seed and entropy, then cut at `position` (0-51)."""
    shuffled = _shuffled(DECK, seed, f"deck:{entropy}")
    return shuffled[position:] + shuffled[:position]


def renewed_stock(
    seed: str, entropy: str, number: int, discards: Iterable[Card]
) -> tuple[Card, ...]:
    """The deal's `number`th new stock (from 1), from the top, made of these discards."""
    return _shuffled(sorted(discards, key=DECK.index), seed, f"stock:{number}:{entropy}")


def _shuffled(cards: Iterable[Card], seed: str, label: str) -> tuple[Card, ...]:
    """Fisher and Yates, from the last card to the second, with unbiased choices."""
    order = list(cards)
    words = _words(bytes.fromhex(seed), label.encode())
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _words(seed: bytes, label: bytes) -> Iterator[int]:
    """Big-endian 32-bit words of HMAC-SHA256(seed, counter || label), with a 4-byte counter."""
    for counter in itertools.count():
        yield from _EIGHT_WORDS(hmac.digest(seed, counter.to_bytes(4, "big") + label, "sha256"))


def _below(bound: int, words: Iterator[int]) -> int:
    """A number below `bound`; words in the last, incomplete run of `bound` are passed over."""
    limit = (1 << 32) // bound * bound
    while (word := next(words)) >= limit:
        pass
    return word % bound
