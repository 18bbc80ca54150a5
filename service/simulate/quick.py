"""A whole deal among bots, fast: the rules on masks, in one object that changes.

The simulator plays millions of deals, and nobody looks on: so there are no views, events or
commands here, and nobody folds.  A test plays the same deals by the engine.
"""

import random
from collections.abc import Sequence
from functools import lru_cache

from service.bots.bot import Bot
from service.bots.turn import ALL_CARDS, Turn
from service.engine import shuffle
from service.engine.cards import DECK, Card
from service.engine.combinations import BIT, WILD_MASK, best_laying, kind_of, layings, strength
from service.engine.house_rules import HouseRules
from service.simulate.outcome import Outcome


class IllegalMove(ValueError):
    """A bot threw a card that it does not hold, or that it took from the pile in this turn."""


def play(
    seed: str, cut: int, bots: Sequence[Bot], rules: HouseRules, rng: random.Random
) -> Outcome:
    """Play a deal to its end.

    Args:
        seed: 32 bytes in hexadecimal, from which the order of the cards follows.
        cut: how many cards are cut, 0 to 51.
        bots: two to five players in order of play, the dealer last.
        rules: the house rules.
        rng: chance for the bots, in the order of their moves.

    Raises:
        IllegalMove: a bot threw a card that it may not throw.
    """
    deal = QuickDeal(seed, cut, len(bots), rules)
    seat = 0
    while deal.turn(seat, bots[seat], rng):
        seat = (seat + 1) % len(bots)
        if seat == deal.ends_at:
            return deal.showdown()
    return deal.void()


class QuickDeal:
    """A deal from its cut on.  Cards are masks of one bit, and players are counted from 0."""

    def __init__(self, seed: str, cut: int, players: int, rules: HouseRules) -> None:
        deck, dealt = _deck(seed, cut), 5 * players
        self.seed, self.players, self.rules = seed, players, rules
        self.held = [list(deck[place:dealt:players]) for place in range(players)]
        """Each hand, its cards in the order in which they came."""
        self.hands = [sum(hand) for hand in self.held]
        self.known = [0] * players
        """Of each hand the cards that everyone has seen."""
        self.laid = [0] * players
        """The strength of each hand that was laid down."""
        self.stock = list(deck[: dealt + 1 : -1])
        """The stock, its top last."""
        self.pile = [deck[dealt + 1]]
        """The discards, the top last."""
        self.piled = deck[dealt + 1]
        self.turned_up = deck[dealt]
        self.wild_rank = _card(self.turned_up)[0]
        self.wild = WILD_MASK[self.wild_rank]
        self.caller: int | None = None
        self.ends_at: int | None = None
        """Whose turn would be the first after the last turns."""
        self.turns = 0
        self.renewals = 0

    def turn(self, seat: int, bot: Bot, rng: random.Random) -> bool:
        """Play a turn; False if the deal is void."""
        if self.caller is None:
            self.turns += 1
        at = self._seen_by(seat)
        if at.top and bot.takes(at):
            card = at.kept = self.pile.pop()
            self.piled ^= card
            at.pile ^= card
            at.top = self.pile[-1] if self.pile else 0
            self.known[seat] |= card
        else:
            if not self.stock and not self._renew(at):
                return False
            card = self.stock.pop()
            at.unseen &= ~card
        self.held[seat].append(card)
        at.drawn = card
        at.hand |= card
        at.drawing = False
        if strength(at.hand, self.wild_rank, self.rules.ace_low) and self._lays(seat, at):
            return True
        self._discard(seat, at.hand, bot.throws(at, rng), at.kept)
        return True

    def _seen_by(self, seat: int) -> Turn:
        """The turn that begins, as its player sees it."""
        known, hand = self.known, self.hands[seat]
        others = (*known[seat + 1 :], *known[:seat])
        called = self.caller is not None
        return Turn(
            hand,
            0,
            0,
            self.pile[-1] if self.pile else 0,
            self.piled,
            ALL_CARDS ^ self.turned_up ^ self.piled ^ hand ^ sum(others),
            others,
            self.wild_rank,
            self.wild,
            self.rules.ace_low,
            max(self.laid) if called else 0,
            called,
            self.players,
            can_call=False,
            drawing=True,
        )

    def _renew(self, at: Turn) -> bool:
        """Shuffle the discards into a new stock, if the rules still allow it."""
        if self.renewals == self.rules.max_reshuffles:
            return False
        self.renewals += 1
        kept = self.pile[-1:] if self.rules.reshuffle == "keep_top" else []
        discards = (_card(card) for card in self.pile[: len(self.pile) - len(kept)])
        stock = shuffle.renewed_stock(self.seed, "", self.renewals, discards)
        self.stock = [BIT[card] for card in reversed(stock)]
        self.pile, self.piled = kept, sum(kept)
        at.top = at.pile = self.piled
        at.unseen |= sum(self.stock)
        return True

    def _lays(self, seat: int, at: Turn) -> bool:
        """Lay down the best combination, unless the card just taken is in its way."""
        held = [_card(card) for card in self.held[seat]]
        kept = _card(at.kept) if at.kept else None
        ways = layings(held, self.wild_rank, self.rules.ace_low, kept)
        if not ways:
            return False
        out = best_laying(ways, self.wild_rank)
        if out is None:
            self.hands[seat] = at.hand
        else:
            self._discard(seat, at.hand, BIT[out], 0)
        self.known[seat], self.laid[seat] = self.hands[seat], ways[out]
        if self.caller is None:
            self.caller = seat
            self.ends_at = seat if self.rules.final_turns == "every_player" else 0
        return True

    def _discard(self, seat: int, hand: int, card: int, kept: int) -> None:
        if not card & hand & ~kept or card & (card - 1):
            raise IllegalMove("A bot threw a card that it may not throw.")
        self.held[seat].remove(card)
        self.hands[seat] = hand ^ card
        self.known[seat] &= ~card
        self.pile.append(card)
        self.piled |= card

    def void(self) -> Outcome:
        """How it ends if the stock can't be renewed any more."""
        return Outcome(tuple(range(self.players)), self.turns, self.renewals)

    def showdown(self) -> Outcome:
        """How it ends after the last turns."""
        assert self.caller is not None
        assert self.ends_at is not None
        shown = [
            laid or strength(hand, self.wild_rank, self.rules.ace_low)
            for laid, hand in zip(self.laid, self.hands, strict=True)
        ]
        highest = max(shown)
        return Outcome(
            tuple(seat for seat, value in enumerate(shown) if value == highest),
            self.turns,
            self.renewals,
            self.caller,
            kind_of(self.laid[self.caller]),
            (self.ends_at - self.caller - 1) % self.players,
        )


def _card(bit: int) -> Card:
    return DECK[bit.bit_length() - 1]


@lru_cache(maxsize=8)  # The same cards are dealt once for every seat, one time after the other.
def _deck(seed: str, cut: int) -> tuple[int, ...]:
    return tuple(BIT[card] for card in shuffle.deck(seed, cut, ""))
