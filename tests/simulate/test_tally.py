"""What is counted of deals, and how counts add up."""

from service.engine.combinations import Kind
from service.simulate.match import Pairing
from service.simulate.outcome import Outcome
from service.simulate.tally import PARTS, Tally

PAIR = Pairing("a", "b")
CALLED = Outcome((0,), 7, 1, caller=0, combination=Kind.FOUR_TWO, left=1)
BEATEN = Outcome((0,), 4, 0, caller=1, combination=Kind.TWO_TWO_TWO, left=0)
TIED = Outcome((0, 1), 9, 0, caller=0, combination=Kind.TWO_TWO_TWO, left=1)
VOID = Outcome((0, 1), 50, 10)
NEVER_RENEWED = Outcome((0, 1), 40, 0)


def tally(*blocks: tuple[Outcome, ...]) -> Tally:
    """The counts of these blocks."""
    counts = Tally()
    for block in blocks:
        counts.add_block(PAIR, block)
    return counts


def test_a_block_is_one_share() -> None:
    """A player's share of a block is the mean of what it won in each place."""
    assert (1, 0.5) == (tally((CALLED, CALLED)).score.blocks, tally((CALLED, CALLED)).score.share)
    assert 0.75 == tally((CALLED, TIED)).score.share


def test_deals_and_seats() -> None:
    """Deals are counted, and what each place won of the pots; a tie is shared."""
    counts = tally((CALLED, BEATEN), (TIED, VOID))

    assert 4 == counts.deals
    assert {0: 3 * PARTS, 1: PARTS} == counts.won


def test_calls() -> None:
    """Turns, combinations and what the callers won are counted for deals that were called."""
    counts = tally((CALLED, BEATEN), (TIED, VOID))

    assert 7 + 4 + 9 == counts.turns
    assert {0: 1, 1: 2} == counts.calls
    assert {1: PARTS + PARTS // 2} == counts.callers_won
    assert {Kind.FOUR_TWO: 1, Kind.TWO_TWO_TWO: 2} == counts.combinations


def test_renewed_and_void() -> None:
    """Deals whose stock ran out are counted once each, and void deals are."""
    counts = tally((CALLED, BEATEN), (TIED, VOID), (TIED, NEVER_RENEWED))

    assert (3, 2) == (counts.renewed, counts.void)


def test_parts_add_up() -> None:
    """The sum of the tallies of two parts is the tally of the whole."""
    assert tally((CALLED, BEATEN), (TIED, VOID)) == tally((CALLED, BEATEN)) + tally((TIED, VOID))


def test_among_its_like_nobody_scores() -> None:
    """A player among its like has no score, and all else is counted."""
    counts = Tally()
    counts.add_block(Pairing("a", "a"), [CALLED])

    assert (0, 1) == (counts.score.blocks, counts.deals)


def test_times_are_kept_to_a_few_per_cent() -> None:
    """What a decision took is kept nearly as it is, in few different numbers."""
    counts = Tally()
    for nanoseconds in range(1, 200_000, 7):
        counts.note("a", "draw", nanoseconds)
        (*_, (_, _, kept)) = counts.took
        assert 0 <= nanoseconds - kept <= 0.04 * nanoseconds

    assert 500 > len(counts.took)
