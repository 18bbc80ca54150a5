"""What bots reckon with: what some cards are good for, counted on masks."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from service.bots.turn import ALL_CARDS, SUITS, Turn
from service.engine.combinations import strength, strength_of_all_six

# What adds to the promise of some cards.
PAIR = 1
RUN = 2
"""Two cards of a suit that one sequence of five can hold."""
WILD = 9
"""More than any natural card adds, even to four others of a run."""

_LANE = (1 << 13) - 1
_WINDOWS = (0b1_0000_0000_1111, *(0b11111 << low for low in range(9)))
"""The ranks of each sequence of five, the one with a low ace first."""
_ANY = -1


def of_ranks(ranks: int) -> int:
    """The cards of these ranks, a lane of 13 bits, in all suits."""
    return ranks | ranks << 13 | ranks << 26 | ranks << 39


_NEAR = tuple((apart, of_ranks(_LANE >> apart)) for apart in range(1, 5))
"""How many ranks apart two cards of a run may be, and where the lower one may lie."""
_NEAR_ACE_TOO = (*_NEAR, *((12 - low, of_ranks(1 << low)) for low in range(4)))
"""And an ace as the low end of a run, with the ranks from two to five."""


def cards(held: int) -> Iterator[int]:
    """The cards of a mask one by one, in the order of the deck."""
    while held:
        card = held & -held
        yield card
        held ^= card


def throwable(turn: Turn) -> int:
    """The cards a sensible player may discard: never a wild one; there is always another."""
    return turn.hand & ~(turn.wild | turn.kept)


def least_missed(turn: Turn, *worths: Callable[[int], Any]) -> int:
    """The card without which the hand is worth the most; of equals, the one of the lowest rank.

    Args:
        turn: the turn.
        worths: what the cards that are left are worth; each decides where all before it tie, and
            isn't asked elsewhere.
    """
    ways = list(cards(throwable(turn)))
    for worth in worths:
        if len(ways) == 1:
            break
        found = [worth(turn.hand ^ card) for card in ways]
        best = max(found)
        ways = [card for card, each in zip(ways, found, strict=True) if each == best]
    return min(ways, key=lambda card: (card.bit_length() - 1) % 13)


def promise(turn: Turn, hand: int) -> int:
    """How much some cards look like a combination to come, at a glance.

    Wild cards, pairs, and two cards that fit into one straight flush count; three of a rank are
    three pairs.
    """
    natural = hand & ~turn.wild
    wilds = (hand ^ natural).bit_count()
    pairs = sum((natural & natural >> lane).bit_count() for lane in SUITS[1:])
    return WILD * wilds + PAIR * pairs + RUN * near(natural, turn.ace_low)


def near(natural: int, ace_low: bool) -> int:
    """How many twos of some natural cards fit into one straight flush."""
    found = 0
    for apart, low in _NEAR_ACE_TOO if ace_low else _NEAR:
        found += (natural & natural >> apart & low).bit_count()
    return found


def repeats(natural: int) -> tuple[int, int]:
    """The lanes of the ranks that some cards have once or more, and twice or more."""
    either, both = natural | natural >> 26, natural & natural >> 26
    once = (either | either >> 13) & _LANE
    return once, (both | both >> 13 | either & either >> 13) & _LANE


def _thrice(natural: int) -> int:
    """The lane of the ranks that some cards have three times or more."""
    either, both = natural | natural >> 26, natural & natural >> 26
    return (both & either >> 13 | both >> 13 & either) & _LANE


def best_laying(turn: Turn, six: int) -> int:
    """The strength of the best hand that may be laid down with the top card taken; 0 for none."""
    ways = [strength(six ^ card, turn.wild_rank, turn.ace_low) for card in cards(turn.hand)]
    return max(strength_of_all_six(six, turn.wild_rank), *ways)


def outs(turn: Turn, five: int, unseen: int) -> int:
    """How many of the unseen cards would give five cards a combination when drawn."""
    return (completing(five, turn.wild, turn.ace_low) & unseen).bit_count()


def outs_and_pairs(turn: Turn, five: int) -> tuple[int, int]:
    """How many unseen cards would complete five cards, and how many pairs are among these."""
    once, twice = repeats(five & ~turn.wild)
    found = _completing(five, turn.wild, turn.ace_low, once, twice) & turn.unseen
    return found.bit_count(), twice.bit_count()


def completing(five: int, wild: int, ace_low: bool) -> int:
    """All cards that give five cards a combination when drawn, found without trying any.

    Args:
        five: the hand.
        wild: the four wild cards, of which it holds three at most.
        ace_low: whether A-2-3-4-5 is a sequence.
    """
    return _completing(five, wild, ace_low, *repeats(five & ~wild))


def _completing(five: int, wild: int, ace_low: bool, once: int, twice: int) -> int:
    natural = five & ~wild
    wilds = (five ^ natural).bit_count()
    found = _alike(natural, once, twice, wild) if once.bit_count() <= 3 else 0
    if _run(once, wilds, ace_low):  # The ranks make a sequence; those of one suit may, too.
        for suit in SUITS:
            if run := _run(natural >> suit & _LANE, wilds, ace_low):
                found |= run << suit & ~wild | wild if run != _ANY else ALL_CARDS
    return found & ~five


def _alike(natural: int, once: int, twice: int, wild: int) -> int:
    """What makes a six-card combination of five cards whose natural ones have up to three ranks.

    One or two ranks always make one.  Three ranks are three pairs, wild cards filling up, unless
    there are three cards of one.
    """
    ranks, thrice = once.bit_count(), _thrice(natural)
    if ranks == 3:
        return 0 if thrice else of_ranks(once & ~twice) | wild
    return of_ranks(once) | wild if ranks == 2 and thrice else ALL_CARDS


@cache
def _run(ranks: int, wilds: int, ace_low: bool) -> int:
    """The ranks that make a straight flush of a suit's ranks and wild cards; `_ANY` if it is one.

    Where a rank does, a wild card does too.
    """
    found = 0
    for window in _WINDOWS if ace_low else _WINDOWS[1:]:
        held = (ranks & window).bit_count() + wilds
        if held >= 5:
            return _ANY
        if held == 4:
            found |= window & ~ranks
    return found
