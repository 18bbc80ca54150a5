"""Refusals: each a class with a stable code that clients rely on (docs/api.md, "Problems")."""

from typing import Any


class PaiuteError(Exception):
    """Anything this service refuses.  `code` is stable; the text is for people and may change.

    `detail` is a text with places for the `facts`, so that it can be translated; `table` is the
    table that refused, where one did, so that the answer can say what is legal there.
    """

    code: str
    table: Any = None

    def __init__(self, detail: str, **facts: Any) -> None:
        super().__init__(detail.format(**facts))
        self.detail = detail
        self.facts = facts


class NotACard(PaiuteError, ValueError):
    """A text that names no card, or no rank."""

    code = "validation_failed"

    def __init__(self, text: str) -> None:
        super().__init__(
            "{text} is no card: write rank, then suit, like 'As', '10d' or '7♣'.",
            text=repr(text[:20]),
        )


class Illegal(PaiuteError):
    """A command that the rules do not allow in this state of the deal."""


class NotYourTurn(Illegal):
    """Another seat is to act."""

    code = "not_your_turn"


class WrongPhase(Illegal):
    """The deal or the table is in a phase that does not allow this action."""

    code = "wrong_phase"


class CardNotInHand(Illegal):
    """The card named is not in the hand."""

    code = "card_not_in_hand"


class CardJustDrawn(Illegal):
    """The card was taken from the discard pile this turn and has to stay in the hand."""

    code = "card_just_drawn"


class NoCombination(Illegal):
    """The hand holds no winning combination that could be laid down."""

    code = "no_combination"


class DiscardBreaksCombination(Illegal):
    """What the named discard leaves is no winning combination."""

    code = "discard_breaks_combination"


class PileEmpty(Illegal):
    """There is no card on the discard pile."""

    code = "pile_empty"


class NotSeated(Illegal):
    """The actor has no seat in this deal or at this table."""

    code = "not_seated"
