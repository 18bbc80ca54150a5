"""Quick deals go just as the engine has them go."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, field
from random import Random

import pytest

from service.bots import LEVELS
from service.bots.bot import Bot
from service.bots.turn import Turn
from service.engine.combinations import Kind
from service.engine.house_rules import HouseRules
from service.simulate import quick, whole
from service.simulate.outcome import Outcome
from service.simulate.players import ByChance
from service.simulate.tally import Tally

HOUSES = [
    HouseRules(
        ace_low=ace_low, final_turns=final_turns, reshuffle=reshuffle, max_reshuffles=renewals
    )
    for ace_low in (False, True)
    for final_turns in ("complete_round", "every_player")
    for reshuffle in ("keep_top", "all")
    for renewals in (0, 2)
]


@dataclass(slots=True)
class Noted(Bot):
    """Plays as a bot does, and notes what it was shown and what it did."""

    bot: Bot
    said: list[object] = field(default_factory=list)

    def takes(self, turn: Turn) -> bool:
        """What the bot draws."""
        shown = astuple(turn)
        takes = self.bot.takes(turn)
        self.said.append((shown, takes))
        return takes

    def throws(self, turn: Turn, rng: Random) -> int:
        """What the bot throws."""
        shown = astuple(turn)
        card = self.bot.throws(turn, rng)
        self.said.append((shown, card))
        return card


class Stubborn(ByChance):
    """Never takes a discard, and throws at once what it drew: so stocks run out."""

    def takes(self, turn: Turn) -> bool:  # noqa: ARG002 - it never does.
        """It takes nothing."""
        return False

    def throws(self, turn: Turn, rng: Random) -> int:  # noqa: ARG002 - it leaves nothing to chance.
        """It throws what it drew."""
        return turn.drawn


class Collector(ByChance):
    """Collects the suit of which it has most: so straight flushes come about."""

    def takes(self, turn: Turn) -> bool:
        """It takes a card of that suit."""
        return bool(turn.top & max(_suits(turn.hand), key=int.bit_count))

    def throws(self, turn: Turn, rng: Random) -> int:  # noqa: ARG002 - it leaves nothing to chance.
        """It throws a card of the suit of which it has fewest."""
        suits = [suit for suit in _suits(turn.hand & ~(turn.kept | turn.wild)) if suit]
        return 1 << min(suits, key=int.bit_count).bit_length() - 1


def _suits(held: int) -> list[int]:
    return [held & 0x1FFF << place for place in (0, 13, 26, 39)]


PLAYERS: dict[str, Bot] = {
    "random": ByChance(),
    "stubborn": Stubborn(),
    "collector": Collector(),
    **LEVELS,
}


def by_the_engine(
    seed: str, cut: int, bots: Sequence[Bot], house: HouseRules, rng: Random
) -> Outcome:
    """The same deal, played by the engine from the views of its seats."""
    seated = [(str(place), bot) for place, bot in enumerate(bots)]
    return whole.play(seed, cut, seated, house, rng=rng, tally=Tally())


def tables() -> Iterator[tuple[str, ...]]:
    """Who may sit at a table, in the order of play."""
    chance = Random(1)
    for size in range(2, 6):
        yield ("stubborn",) * size
        yield ("collector",) * size
        for _ in range(2):
            yield tuple(chance.choices(list(PLAYERS), k=size))


def test_plays_as_the_engine_does() -> None:
    """Bots are shown the same, do the same, and it ends the same, under all house rules."""
    chance, ends = Random(1), set()
    for names, house in itertools.product(tables(), HOUSES):
        seed, cut, luck = chance.randbytes(32).hex(), chance.randrange(52), chance.random()
        slow, fast = ([Noted(PLAYERS[name]) for name in names] for _ in range(2))
        expected = by_the_engine(seed, cut, slow, house, Random(luck))
        got = quick.play(seed, cut, fast, house, Random(luck))
        assert expected == got
        assert [bot.said for bot in slow] == [bot.said for bot in fast]
        ends.add((got.combination, got.renewals > 0))
    assert {(None, False), (None, True), (Kind.TWO_TWO_TWO, True)} <= ends
    assert set(Kind) - {Kind.THREE_THREE} <= {kind for kind, _ in ends}


@pytest.mark.parametrize("wrong", ["kept", "unseen", "nothing", "everything"])
def test_illegal_moves(wrong: str) -> None:
    """A card that a bot doesn't hold, or just took, is no discard; nor are none or several."""

    class Wrong(ByChance):
        def takes(self, turn: Turn) -> bool:  # noqa: ARG002 - it always does.
            return True

        def throws(self, turn: Turn, rng: Random) -> int:  # noqa: ARG002 - no chance in it.
            ways = {"nothing": 0, "everything": turn.hand, "kept": turn.kept}
            return ways.get(wrong, turn.unseen & -turn.unseen)

    with pytest.raises(quick.IllegalMove):
        quick.play("00" * 32, 0, (Wrong(), Wrong()), HouseRules(), Random(1))
