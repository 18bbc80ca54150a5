"""The rulebook, as `GET /v1/rules` gives it in the caller's language."""

from dataclasses import dataclass, fields
from typing import Any

from service.api import card_names
from service.api.languages import Phrase, language, said, say
from service.api.rulebook_sections import SECTIONS
from service.engine.combinations import Kind
from service.engine.house_rules import HouseRules

TITLE = "Paiute"


@dataclass(frozen=True, slots=True)
class Combination:
    """A winning combination explained.

    Args:
        title: its name for people.
        meaning: what it consists of.
        compare: what decides between two of them.
        example: cards that are one where twos are wild.
    """

    title: Phrase
    meaning: Phrase
    compare: Phrase
    example: str


COMBINATIONS = {
    Kind.FIVE_OF_A_KIND: Combination(
        Phrase("Five of a kind"),
        Phrase("Five cards of one rank."),
        Phrase("The rank decides."),
        "Ks Kh Kd 2c 2s",
    ),
    Kind.ROYAL_FLUSH: Combination(
        Phrase("Royal flush"),
        Phrase("A K Q J 10 of one suit."),
        Phrase("Two of these are always equal."),
        "Ah Kh 2d Jh Th",
    ),
    Kind.STRAIGHT_FLUSH: Combination(
        Phrase("Straight flush"),
        Phrase("Five cards in sequence, all of one suit."),
        Phrase("The highest card decides."),
        "9s 8s 7s 6s 2d",
    ),
    Kind.FOUR_TWO: Combination(
        Phrase("Four/two"),
        Phrase("Four cards of one rank and two of another."),
        Phrase("The rank of the four decides, then that of the two."),
        "8c 8d 8h 2s Jc Jd",
    ),
    Kind.THREE_THREE: Combination(
        Phrase("Three/three"),
        Phrase("Three cards of one rank and three of another."),
        Phrase("The higher rank decides, then the lower one."),
        "5c 5d 5h 9s 9d 9c",
    ),
    Kind.TWO_TWO_TWO: Combination(
        Phrase("Two/two/two"),
        Phrase("Three pairs of three different ranks."),
        Phrase("The highest pair decides, then the next one, then the lowest."),
        "Ac Ad 7h 7s 4c 2d",
    ),
}
"""From high to low."""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A house rule explained: what it is called, what it says, and what each value means."""

    title: Phrase
    meaning: Phrase
    values: dict[Any, Phrase]


_SEAT = Phrase("The player in seat {seat}.")

HOUSE_RULES = {
    "ace_low": HouseRule(
        Phrase("Low ace"),
        Phrase("Whether A-2-3-4-5 is a sequence too."),
        {
            False: Phrase("It is no sequence: the ace is high only."),
            True: Phrase("It is the lowest sequence; elsewhere the ace stays high."),
        },
    ),
    "first_dealer": HouseRule(
        Phrase("First dealer"),
        Phrase("Who deals first."),
        {"random": Phrase("A player drawn by lot.")}
        | {seat: _SEAT.format(seat=seat) for seat in range(1, 6)},
    ),
    "cut": HouseRule(
        Phrase("Cut"),
        Phrase("Who cuts the deck."),
        {
            "player": Phrase("The player at the dealer's right, or chance when the time is up."),
            "auto": Phrase("Always chance."),
        },
    ),
    "final_turns": HouseRule(
        Phrase("Last turns"),
        Phrase("Who has a last turn after a call."),
        {
            "complete_round": Phrase(
                "The players after the caller, up to and including the dealer."
            ),
            "every_player": Phrase("Everyone but the caller, also when the dealer has called."),
        },
    ),
    "reshuffle": HouseRule(
        Phrase("New stock"),
        Phrase("Which discards become the new stock."),
        {
            "keep_top": Phrase("All but the top one, which stays as the discard pile."),
            "all": Phrase("All of them."),
        },
    ),
    "max_reshuffles": HouseRule(
        Phrase("Renewals of the stock"),
        Phrase(
            "How often the stock is renewed in a deal: any number from the first value to the "
            "second. When it runs out once more, the deal is void and the antes go back."
        ),
        {
            0: Phrase("Never; this is the smallest number."),
            100: Phrase("This is the largest number."),
        },
    ),
    "on_timeout": HouseRule(
        Phrase("Out of time"),
        Phrase("What happens when a player's time runs out."),
        {
            "auto_play": Phrase("The turn is played for the player."),
            "bot": Phrase("A bot takes the seat, until the player makes a move."),
        },
    ),
}


def rulebook() -> dict[str, Any]:
    """The whole rulebook in the caller's language."""
    return {
        "language": language(),
        "title": TITLE,
        "sections": [
            {"title": say(title), "paragraphs": [say(text) for text in texts]}
            for title, texts in SECTIONS.items()
        ],
        "combinations": [_combination(kind, one) for kind, one in COMBINATIONS.items()],
        "house_rules": [_house_rule(name, rule) for name, rule in HOUSE_RULES.items()],
        "cards": card_names.names(),
    }


def _combination(kind: Kind, one: Combination) -> dict[str, Any]:
    example = one.example.split()
    return {
        "name": kind,
        "title": say(one.title),
        "size": len(example),
        "meaning": say(one.meaning),
        "compare": say(one.compare),
        "example": example,
    }


_DEFAULTS = {field.name: field.default for field in fields(HouseRules)}


def _house_rule(name: str, rule: HouseRule) -> dict[str, Any]:
    return {
        "name": name,
        "title": say(rule.title),
        "default": _DEFAULTS[name],
        "values": list(rule.values),
        "meaning": say(rule.meaning),
        "explained": [
            {"value": value, "meaning": said(meaning)} for value, meaning in rule.values.items()
        ],
    }
