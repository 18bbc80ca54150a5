"""Refusals have stable codes."""

import pytest

from service.engine import errors
from service.engine.cards import parse, parse_rank
from service.engine.errors import Illegal, NotACard, PaiuteError

CODES = {
    errors.NotACard: "validation_failed",
    errors.NotYourTurn: "not_your_turn",
    errors.WrongPhase: "wrong_phase",
    errors.CardNotInHand: "card_not_in_hand",
    errors.CardJustDrawn: "card_just_drawn",
    errors.NoCombination: "no_combination",
    errors.DiscardBreaksCombination: "discard_breaks_combination",
    errors.PileEmpty: "pile_empty",
    errors.NotSeated: "not_seated",
}


def refusals(root: type[PaiuteError]) -> set[type[PaiuteError]]:
    """The engine's refusals under a class of the tree that are raised, not just a family."""
    found = set().union(*(refusals(child) for child in root.__subclasses__()), set())
    here = root.__module__ == errors.__name__ and "code" in vars(root)
    return found | ({root} if here else set())


def test_every_refusal_has_its_code() -> None:
    """Every refusal of the engine has the code that clients rely on, and no other refusal is."""
    assert CODES == {refusal: refusal.code for refusal in refusals(PaiuteError)}


def test_commands_are_refused_as_illegal() -> None:
    """Every refusal but that of a text is one of a command that the rules don't allow."""
    assert set(CODES) - {NotACard} == refusals(Illegal)


def test_a_refusal_reads_as_a_sentence() -> None:
    """A refusal's text has its facts filled in, and both are there for translation."""
    error = errors.NotYourTurn("It is the turn of seat {turn}.", turn=3)

    assert "It is the turn of seat 3." == str(error)
    assert ("It is the turn of seat {turn}.", {"turn": 3}) == (error.detail, error.facts)


@pytest.mark.parametrize("text", ["", "{x}", "{}", "{0.__class__}", "A" * 1000, "\ud800", "1♠\n"])
def test_not_a_card(text: str) -> None:
    """Whatever text was given, it is refused as no card, in a short text that can be sent."""
    for read in (parse, parse_rank):
        with pytest.raises(NotACard) as caught:
            read(text)
        assert str(caught.value) == caught.value.detail.format(**caught.value.facts)
        assert 100 > len(str(caught.value).encode())
