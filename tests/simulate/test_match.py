"""Who plays whom, and on which cards."""

from collections import Counter

from service.simulate.match import CHUNK, Pairing, Plan


def pairs(plan: Plan) -> list[tuple[str, str]]:
    """The pairings of a plan."""
    return [(pairing.player, pairing.against) for pairing in plan.pairings]


def test_heads_up_everyone_meets_everyone_once() -> None:
    """Two at a table, each pair plays one match: the later of the list against the earlier."""
    assert [("b", "a"), ("c", "a"), ("c", "b")] == pairs(Plan(("a", "b", "c")))


def test_more_at_a_table_both_ways() -> None:
    """One a among several b is another match than one b among several a."""
    assert [("a", "b"), ("b", "a")] == pairs(Plan(("a", "b"), players=4))


def test_one_alone_plays_among_its_like() -> None:
    """One name alone makes one pairing, whose cards are dealt once: seats make no difference."""
    (pairing,) = Plan(("a",), players=3).pairings

    assert pairing.is_of_equals
    assert [("a", "a", "a")] == list(Plan(("a",), players=3).seatings(pairing))


def test_the_one_player_has_every_seat_once() -> None:
    """A block's cards are played once with the one player in each place."""
    seatings = list(Plan(("a", "b"), players=3).seatings(Pairing("a", "b")))

    assert [("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a")] == seatings


def test_chunks_are_all_blocks_of_all_pairings() -> None:
    """Each block of each pairing is in one chunk, and the pairings go on side by side."""
    plan = Plan(("a", "b", "c"), deals=2 * CHUNK + 1)
    blocks = Counter((chunk.pairing, block) for chunk in plan.chunks for block in chunk.blocks)

    assert {(p, n): 1 for p in plan.pairings for n in range(plan.deals)} == blocks
    assert list(plan.pairings) == [chunk.pairing for chunk in plan.chunks[:3]]


def test_cards_follow_from_seed_and_number() -> None:
    """Each block of each pairing has cards of its own, the same with the same seed."""
    plan = Plan(("a", "b"), players=3, seed=1)
    seeds = [plan.seed_of(pairing, block) for pairing in plan.pairings for block in range(100)]

    assert 200 == len(set(seeds))
    assert seeds[7] == Plan(("a", "b", "c"), seed=1).seed_of(Pairing("a", "b"), 7)
    assert seeds[7] != Plan(("a", "b"), seed=2).seed_of(Pairing("a", "b"), 7)
    assert 32 == len(bytes.fromhex(seeds[0]))
