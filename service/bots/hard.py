"""The level `hard`: counts the cards that would complete its hand, and forgets none it has seen."""

import random
from typing import NamedTuple

from service.bots.bot import Bot
from service.bots.features import cards, least_missed, near, of_ranks, outs, repeats
from service.bots.turn import Turn
from service.engine.combinations import strength, strength_of_all_six


class Worth(NamedTuple):
    """What five cards are worth; the first difference decides."""

    outs: int
    """The unseen cards that would complete them."""
    pairs: int


class Hard(Bot):
    """Keeps the five cards that most unseen cards would complete, or bring nearest to it."""

    def takes(self, turn: Turn) -> bool:
        """It takes what lets it call, and what brings it well on; in a last turn what wins."""
        six = turn.hand | turn.top
        if turn.last:
            return _best(turn, six) >= turn.laid
        if turn.top & turn.wild:
            return True
        if strength(six, turn.wild_rank, turn.ace_low):  # A hand of five is called anyway.
            return not strength(turn.hand, turn.wild_rank, turn.ace_low)
        now = _worth(turn, turn.hand)
        offered = max(_worth(turn, six ^ card) for card in cards(turn.hand & ~turn.wild))
        if now.outs:  # The stock might complete it at once: to pass that by has to pay.
            return offered.outs >= 2 * now.outs
        return offered > now

    def throws(self, turn: Turn, rng: random.Random) -> int:  # noqa: ARG002 - it leaves nothing to chance.
        """It throws the card without which its hand is worth the most.

        Of equals it keeps what has most unseen cards to pair with, then what may become a run.
        """
        return least_missed(
            turn, lambda left: (_worth(turn, left), _mates(turn, left), _near(turn, left))
        )


def _worth(turn: Turn, five: int) -> Worth:
    _, twice, _ = repeats(five & ~turn.wild)
    return Worth(outs(turn, five, turn.unseen), twice.bit_count())


def _mates(turn: Turn, five: int) -> int:
    """How many unseen cards would make one more pair."""
    once, twice, _ = repeats(five & ~turn.wild)
    return (of_ranks(once & ~twice) & turn.unseen).bit_count()


def _near(turn: Turn, five: int) -> int:
    return near(five & ~turn.wild, turn.ace_low)


def _best(turn: Turn, six: int) -> int:
    """The strength of the best hand that can be laid down after taking the top card."""
    ways = [strength(six ^ card, turn.wild_rank, turn.ace_low) for card in cards(turn.hand)]
    return max(strength_of_all_six(six, turn.wild_rank), *ways)
