"""Hypothesis strategies: house rules, seats, seeds, and deals played by random legal commands."""

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from hypothesis import strategies as st

from service.engine import rules
from service.engine.cards import DECK, Card
from service.engine.commands import Call, Command, Cut, Discard, Draw, Fold, Source
from service.engine.deal import Deal, Phase, new_deal
from service.engine.events import DealEvent
from service.engine.house_rules import HouseRules

ENTROPIES = ("", "a coin on its edge", "sál ♠ 愛")

ALL_SEATS = (1, 2, 3, 4, 5, 6)
"""Every seat that a deal may have, and one that none has."""

ALL_COMMANDS: tuple[Command, ...] = (
    *(Cut(position) for position in (0, 26, 51)),
    *(Draw(source) for source in Source),
    *(Discard(card) for card in DECK),
    Call(),
    *(Call(card) for card in DECK),
    Fold(),
)


@dataclass(frozen=True)
class Step:
    """One command of a deal, with the deal before and after it."""

    before: Deal = field(repr=False)
    seat: int
    command: Command
    after: Deal = field(repr=False)
    events: tuple[DealEvent, ...]


def seeds() -> st.SearchStrategy[str]:
    """Seeds of deals."""
    return st.binary(min_size=32, max_size=32).map(bytes.hex)


def seats() -> st.SearchStrategy[tuple[int, ...]]:
    """Two to five seats in order of play, the dealer last."""
    chosen = st.sets(st.integers(1, 5), min_size=2).map(sorted)
    return st.builds(
        lambda order, dealer: (*order[dealer % len(order) :], *order[: dealer % len(order)]),
        chosen,
        st.integers(0, 4),
    )


def house_rules() -> st.SearchStrategy[HouseRules]:
    """House rules, with few renewals of the stock so that deals end soon."""
    return st.builds(
        HouseRules,
        ace_low=st.booleans(),
        final_turns=st.sampled_from(["complete_round", "every_player"]),
        reshuffle=st.sampled_from(["keep_top", "all"]),
        max_reshuffles=st.integers(0, 2),
    )


def new_deals() -> st.SearchStrategy[Deal]:
    """Deals before their cut."""
    return st.builds(new_deal, seeds(), seats(), st.integers(0, 100), house_rules())


def luck() -> st.SearchStrategy[Random]:
    """Where random commands come from."""
    return st.integers(0, 2**32).map(Random)


def histories() -> st.SearchStrategy[tuple[Step, ...]]:
    """The beginnings of deals, command by command, up to whole deals."""
    return st.builds(
        lambda deal, chance, length: tuple(itertools.islice(played(deal, chance), length)),
        new_deals(),
        luck(),
        st.integers(1, 150),
    )


def whole_deals() -> st.SearchStrategy[tuple[Step, ...]]:
    """Deals from before their cut to their end, command by command."""
    return st.builds(lambda deal, chance: tuple(played(deal, chance)), new_deals(), luck())


def deals() -> st.SearchStrategy[Deal]:
    """Deals at any point."""
    return st.one_of(new_deals(), histories().map(lambda steps: steps[-1].after))


def played(deal: Deal, chance: Random) -> Iterator[Step]:
    """Play a deal to its end by random legal commands."""
    while deal.phase is not Phase.OVER:
        seat, command = any_command(deal, chance)
        after, events = rules.apply(deal, seat, command)
        yield Step(deal, seat, command, after, events)
        deal = after


def any_command(deal: Deal, chance: Random) -> tuple[int, Command]:
    """A legal command, chosen so that all kinds of combinations come about in most deals."""
    if chance.random() < (0.1 if deal.phase is Phase.CUT else 0.005):
        return chance.choice([seat for seat in deal.players if not deal.hands[seat].laid]), Fold()
    assert deal.turn is not None
    legal = rules.legal(deal, deal.turn)
    if legal.cut:
        return deal.turn, Cut(chance.randrange(52), chance.choice(ENTROPIES))
    if legal.draw:
        return deal.turn, Draw(chance.choice(legal.draw))
    if legal.call is not None and chance.random() < 0.8:
        return deal.turn, Call(chance.choice((None, *legal.call)))
    return deal.turn, Discard(_any_discard(deal, legal.discard, chance))


def _any_discard(deal: Deal, open_to: tuple[Card, ...], chance: Random) -> Card:
    """A card of the six: no wild card, and in some hands rather one of the rarer suits."""
    natural = [card for card in open_to if card[0] != deal.wild_rank]
    if deal.turn in (1, 2):
        suits = Counter(card[1] for card in natural)
        natural = [card for card in natural if suits[card[1]] == min(suits.values())]
    return chance.choice(natural)
