"""Laws that hold in every deal, whatever is played."""

import copy
import dataclasses
import functools
import re
from collections.abc import Iterator
from random import Random
from typing import Any, Literal, get_args

import msgspec
import pytest
from hypothesis import given, settings

from service.engine import showdown
from service.engine.cards import DECK, Card
from service.engine.commands import Call, Command, Cut, Fold, Source
from service.engine.deal import Deal, Phase, Reason, evolve, new_deal
from service.engine.errors import Illegal
from service.engine.events import (
    Called,
    CardDiscarded,
    CardDrawn,
    DealEvent,
    Folded,
    StockRenewed,
)
from service.engine.house_rules import HouseRules
from service.engine.rules import apply, legal
from service.engine.views import redact, view
from tests.engine.generators import (
    ALL_COMMANDS,
    ALL_SEATS,
    Step,
    deals,
    histories,
    played,
    whole_deals,
)

VIEWERS = (*ALL_SEATS, None)


def all_cards(deal: Deal) -> Iterator[Card]:
    """Every card of a deal, wherever it lies."""
    for hand in deal.hands.values():
        yield from hand.cards
    yield from deal.stock
    yield from deal.pile
    if deal.wild_card:
        yield deal.wild_card


@given(histories())
def test_cards_are_conserved(steps: tuple[Step, ...]) -> None:
    """From the cut on every card of the deck is in one place, at each step; before it none is."""
    for step in steps:
        deck = [] if step.after.wild_card is None else sorted(DECK)
        assert deck == sorted(all_cards(step.after))


@given(histories())
def test_hand_sizes(steps: tuple[Step, ...]) -> None:
    """A hand has five cards; six between draw and discard, when laid so, or if all others left."""
    for deal in (step.after for step in steps if step.after.wild_card):
        if deal.reason is Reason.LAST_PLAYER:
            continue
        for seat in deal.players:
            hand = deal.hands[seat]
            acting = deal.turn == seat and deal.phase is Phase.DISCARD
            if hand.laid:
                assert showdown.strength_shown(deal, hand)
            else:
                assert (6 if acting else 5) == len(hand.cards)


@given(whole_deals())
def test_chips_are_conserved(steps: tuple[Step, ...]) -> None:
    """When a deal is over the shares add up to the pot, and none is negative."""
    deal = steps[-1].after
    result = showdown.settle(deal)

    assert deal.ante * len(deal.seats) == result.pot == sum(hand.share for hand in result.hands)
    assert all(hand.share >= 0 for hand in result.hands)
    if result.reason is Reason.VOID:
        assert dict.fromkeys(deal.seats, deal.ante) == {
            hand.seat: hand.share for hand in result.hands
        }


@given(whole_deals())
def test_the_winners_hold_the_highest(steps: tuple[Step, ...]) -> None:
    """At a showdown the winners tie, nobody beats them, and shares differ by a chip at most."""
    deal = steps[-1].after
    result = showdown.settle(deal)
    if result.reason is not Reason.SHOWDOWN:
        return
    strengths = {seat: showdown.strength_shown(deal, deal.hands[seat]) for seat in deal.players}
    won = [hand.share for hand in result.hands if hand.seat in result.winners]

    assert max(strengths.values()) > 0
    assert set(result.winners) == {
        seat for seat in strengths if strengths[seat] == max(strengths.values())
    }
    assert won == sorted(won, reverse=True)
    assert won[0] - won[-1] in (0, 1)


@given(deals())
@settings(max_examples=150)
def test_legal_is_what_is_not_refused(deal: Deal) -> None:
    """A command is legal for a seat exactly when applying it raises nothing."""
    for seat in ALL_SEATS:
        allowed = set(legal(deal, seat).commands())
        if legal(deal, seat).cut:
            allowed |= {command for command in ALL_COMMANDS if isinstance(command, Cut)}
        if seat in deal.players and not deal.hands[seat].laid and deal.phase is not Phase.OVER:
            allowed.add(Fold())

        assert allowed == {command for command in ALL_COMMANDS if is_taken(deal, seat, command)}


def is_taken(deal: Deal, seat: int, command: Command) -> bool:
    """Whether applying a command raises no refusal."""
    try:
        apply(deal, seat, command)
    except Illegal:
        return False
    return True


@given(deals())
@settings(max_examples=50)
def test_refusals_tell_nothing(deal: Deal) -> None:
    """A refusal's text names no card but the command's own."""
    for seat in ALL_SEATS:
        for command in ALL_COMMANDS:
            try:
                apply(deal, seat, command)
            except Illegal as refusal:
                told = set(re.findall(r"\w+", str(refusal))) & set(DECK)
                assert told <= cards_in(repr(command))


@given(deals())
@settings(max_examples=50)
def test_commands_change_no_deal(deal: Deal) -> None:
    """No command changes the deal it is applied to, a refused one least of all."""
    before = copy.deepcopy(deal)
    for seat in ALL_SEATS:
        for command in ALL_COMMANDS:
            is_taken(deal, seat, command)

    assert before == deal


@given(histories())
def test_events_replay_to_the_state(steps: tuple[Step, ...]) -> None:
    """A deal's events, from before its cut, give its state at each step."""
    deal = steps[0].before
    for step in steps:
        deal = functools.reduce(evolve, step.events, deal)
        assert step.after == deal


@given(histories())
def test_what_all_know_of_a_hand(steps: tuple[Step, ...]) -> None:
    """Known are the cards that its seat took from the discard pile and has not thrown since."""
    known: dict[int, tuple[Card, ...]] = dict.fromkeys(steps[0].before.seats, ())
    for step in steps:
        for event in step.events:
            match event:
                case CardDrawn(seat=seat, source=Source.DISCARD, card=card) if card:
                    known[seat] += (card,)
                case CardDiscarded(seat=seat, card=out) | Called(seat=seat, discarded=out):
                    known[seat] = tuple(card for card in known[seat] if card != out)
                case Folded(seat=seat):
                    known[seat] = ()
        for viewer in VIEWERS:
            seen = view(step.after, viewer).seats
            assert known == {seat: one.known for seat, one in seen.items()}


@given(histories())
def test_same_seed_same_deal(steps: tuple[Step, ...]) -> None:
    """The same commands on a deal of the same seed give the same events and the same state."""
    first = steps[0].before
    deal = new_deal(first.seed, first.seats, first.ante, first.rules)
    for step in steps:
        deal, events = apply(deal, step.seat, step.command)
        assert step.events == events
    assert steps[-1].after == deal


@given(histories())
def test_whose_turn_it_is(steps: tuple[Step, ...]) -> None:
    """Until a deal is over it is the turn of a seat in it that has not laid its hand."""
    for deal in (step.after for step in steps):
        if deal.phase is Phase.OVER:
            assert deal.turn is None
        else:
            assert deal.turn in deal.players
            assert not deal.hands[deal.turn].laid


@given(whole_deals())
def test_one_last_turn_at_most(steps: tuple[Step, ...]) -> None:
    """After a call nobody draws twice, and the caller not once."""
    caller = next((step.after.caller for step in steps if step.after.caller), None)
    last = [
        step.seat
        for step in steps
        if step.before.caller and any(isinstance(event, CardDrawn) for event in step.events)
    ]

    assert len(set(last)) == len(last)
    assert caller not in last


@given(histories())
def test_the_best_in_view_is_what_a_call_lays(steps: tuple[Step, ...]) -> None:
    """The best combination that a seat is shown is the one that its call lays."""
    for step in steps:
        (event,) = step.events[-1:]
        if not isinstance(event, Called) or not isinstance(step.command, Call):
            continue
        seen = view(step.before, step.seat).you
        assert seen is not None
        (called,) = apply(step.before, step.seat, Call())[1]
        assert isinstance(called, Called)
        assert called.combination == seen.best


def hidden(deal: Deal, viewer: int | None) -> set[Card]:
    """The cards that a viewer may not know, by the rules and not by `views`."""
    stays_hidden = set(deal.stock)
    for seat, hand in deal.hands.items():
        shown = hand.laid or (deal.reason is Reason.SHOWDOWN and not hand.folded)
        if seat != viewer and not shown:
            stays_hidden |= set(hand.cards) - (set() if hand.folded else set(hand.known))
    return stays_hidden


def cards_in(text: str) -> set[Card]:
    """Every card whose two characters occur anywhere in a text."""
    return {card for card in DECK if card in text}


def as_text(value: Any) -> str:
    """A view or an event as the JSON that a client would get."""
    return msgspec.json.encode(dataclasses.asdict(value)).decode()


@given(histories())
@settings(max_examples=50)
def test_views_hide_cards(steps: tuple[Step, ...]) -> None:
    """No card of the stock or of another's hidden hand, and no seed, is anywhere in a view."""
    for deal in (step.after for step in steps):
        for viewer in VIEWERS:
            seen = view(deal, viewer)
            text = as_text(seen)
            assert deal.seed not in text
            text = text.replace(seen.commitment, "")
            assert not cards_in(text) & hidden(deal, viewer)


@given(histories())
def test_events_hide_cards(steps: tuple[Step, ...]) -> None:
    """No event tells a viewer of a card that is hidden from them before and after it."""
    for step in steps:
        deal = step.before
        for event in step.events:
            after = evolve(deal, event)
            for viewer in VIEWERS:
                told = cards_in(as_text(redact(event, viewer)))
                assert not told & hidden(deal, viewer) & hidden(after, viewer)
                assert told <= cards_in(as_text(event))
            deal = after


@given(whole_deals())
def test_every_deal_ends(steps: tuple[Step, ...]) -> None:
    """A deal that is played on by any legal commands comes to an end, for one of three reasons."""
    deal = steps[-1].after

    assert Phase.OVER is deal.phase
    assert deal.reason in set(Reason)
    assert (deal.reason is Reason.LAST_PLAYER) == (len(deal.players) == 1)


@pytest.mark.parametrize("renewals", [0, 1, 3])
@pytest.mark.parametrize("reshuffle", ["keep_top", "all"])
def test_void_deals(renewals: int, reshuffle: Literal["keep_top", "all"]) -> None:
    """A deal in which all draw from the stock and nobody calls is void after its last renewal."""
    house = HouseRules(reshuffle=reshuffle, max_reshuffles=renewals)
    deal = new_deal("5a" * 32, (1, 2, 3, 4, 5), 4, house)
    deal, happened = apply(deal, deal.cutter, Cut(31))
    while deal.turn is not None:
        command = next(legal(deal, deal.turn).commands())
        deal, events = apply(deal, deal.turn, command)
        happened += events

    assert Reason.VOID is deal.reason
    assert list(range(1, renewals + 1)) == [
        event.number for event in happened if isinstance(event, StockRenewed)
    ]


def test_the_laws_meet_everything() -> None:
    """The commands that these laws are tried on lead to every kind of event, call and ending."""
    met: set[object] = set()
    for number in range(120):
        luck = Random(number)
        seats = tuple(range(1, luck.randint(2, 5) + 1))
        deal = new_deal(luck.randbytes(32).hex(), seats, 1, HouseRules(max_reshuffles=1))
        for step in played(deal, luck):
            met |= {type(event) for event in step.events} | {step.after.reason, step.after.phase}
            for event in step.events:
                if isinstance(event, Called):
                    met |= {("last turn", event.last_turn), ("five", bool(event.discarded))}

    assert {*get_args(DealEvent), *Phase, *Reason} <= met
    assert {(fact, holds) for fact in ("last turn", "five") for holds in (True, False)} <= met
