"""The level `hard`: counts the cards that would complete its hand, and forgets none it has seen."""

import random

from service.bots.bot import Bot
from service.bots.features import (
    best_laying,
    cards,
    least_missed,
    near,
    of_ranks,
    outs_and_pairs,
    repeats,
)
from service.bots.turn import Turn
from service.engine.combinations import strength


class Hard(Bot):
    """Keeps the five cards that most unseen cards would complete, or bring nearest to it."""

    def takes(self, turn: Turn) -> bool:
        """It takes what lets it call, and what brings it well on; in a last turn what wins."""
        six = turn.hand | turn.top
        if turn.last:
            return best_laying(turn, six) >= turn.laid
        if turn.top & turn.wild:
            return True
        if strength(six, turn.wild_rank, turn.ace_low):  # A hand of five is called anyway.
            return not strength(turn.hand, turn.wild_rank, turn.ace_low)
        now = outs, _ = outs_and_pairs(turn, turn.hand)
        offered = max(outs_and_pairs(turn, six ^ card) for card in cards(turn.hand & ~turn.wild))
        if outs:  # The stock might complete it at once: to pass that by has to pay.
            return offered[0] >= 2 * outs
        return offered > now

    def throws(self, turn: Turn, rng: random.Random) -> int:  # noqa: ARG002 - it leaves nothing to chance.
        """It throws the card without which its hand is worth the most.

        Of equals it keeps what has most unseen cards to pair with, then what may become a run.
        """
        return least_missed(
            turn,
            lambda left: outs_and_pairs(turn, left),
            lambda left: _mates(turn, left),
            lambda left: near(left & ~turn.wild, turn.ace_low),
        )


def _mates(turn: Turn, five: int) -> int:
    """How many unseen cards would make one more pair."""
    once, twice = repeats(five & ~turn.wild)
    return (of_ranks(once & ~twice) & turn.unseen).bit_count()
