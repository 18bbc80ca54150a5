"""The rules in words, as `GET /v1/rules` gives them; `docs/rules.md` has them in full."""

from dataclasses import fields
from typing import Any

from service.engine.combinations import Kind
from service.engine.house_rules import HouseRules

TITLE = "Paiute"

SECTIONS: dict[str, tuple[str, ...]] = {
    "The aim": (
        "Make a winning combination of five or six cards, and take the pot with the highest one.",
    ),
    "Cards": (
        "2 to 5 players use one deck of 52 cards. Ranks from high to low: "
        "A K Q J T 9 8 7 6 5 4 3 2. Suits have no order.",
        "A card is written rank then suit: As, Td, 7c, 2h.",
    ),
    "The deal": (
        "Every player pays the same ante to the pot. The player at the dealer's right cuts.",
        "Each player gets five cards, one at a time, from the dealer's left on. The next card is "
        "turned up: its rank is wild for this deal, and the card itself belongs to nobody. The "
        "rest is the stock; its top card is turned up beside it to start the discard pile.",
        "After each deal the deal passes clockwise.",
    ),
    "A turn": (
        "Play goes clockwise from the dealer's left. On a turn a player draws the top card of the "
        "stock or of the discard pile, and then discards one card or calls.",
        "A card drawn from the stock may be discarded at once. A card taken from the discard pile "
        "may not be discarded in the same turn, by a call neither.",
        "When somebody has to draw from an empty stock, the discards, all but the top one, are "
        "shuffled into a new stock.",
    ),
    "Calling": (
        "Who holds a winning combination after drawing may call, and never has to. The combination "
        "is laid face up; where it has five cards, the sixth is discarded first.",
        "Each player after the caller, up to and including the dealer, then has one last turn: "
        "draw, and discard or lay down a combination. Where the dealer calls, the deal is over.",
    ),
    "Showdown and payout": (
        "All hands still in the deal are shown. A five-card combination counts even if it was not "
        "laid down; one of six cards has to be.",
        "The highest combination takes the pot. Tied hands share it; chips that do not divide go "
        "one each from the dealer's left.",
        "Between two combinations of one kind the ranks decide. Natural cards do not beat wild "
        "ones.",
    ),
    "Leaving and running out of time": (
        "Who leaves in the middle of a deal folds: the ante stays in the pot and the hand stays "
        "hidden. A hand that is laid down stays in the showdown. The last player left takes the "
        "pot.",
        "A turn that runs out of time is played for the player: a card is drawn from the stock, "
        "and discarded. After three such turns in a row the player folds and loses the seat. A "
        "move that arrives in time counts, and a later one too where the turn is not over yet.",
        "Where turns have no clock, who does nothing for long folds and loses the seat. A table "
        "that waits for players in vain closes.",
    ),
}

COMBINATIONS: dict[Kind, tuple[str, int, str, str]] = {
    Kind.FIVE_OF_A_KIND: ("Five of a kind", 5, "Five cards of one rank.", "Ks Kh Kd 2c 2s"),
    Kind.ROYAL_FLUSH: ("Royal flush", 5, "A K Q J T of one suit.", "Ah Kh 2d Jh Th"),
    Kind.STRAIGHT_FLUSH: (
        "Straight flush",
        5,
        "Five cards in sequence of one suit.",
        "9s 8s 7s 6s 2d",
    ),
    Kind.FOUR_TWO: ("Four/two", 6, "Four of one rank and two of another.", "8c 8d 8h 2s Jc Jd"),
    Kind.THREE_THREE: (
        "Three/three",
        6,
        "Three of one rank and three of another.",
        "5c 5d 5h 9s 9d 9c",
    ),
    Kind.TWO_TWO_TWO: (
        "Two/two/two",
        6,
        "Three pairs of three different ranks.",
        "Ac Ad 7h 7s 4c 2d",
    ),
}

HOUSE_RULES: dict[str, tuple[tuple[Any, ...], str]] = {
    "ace_low": ((False, True), "Whether A-2-3-4-5 is a sequence too, the lowest one."),
    "first_dealer": (("random", 1, 2, 3, 4, 5), "Who deals first: by lot, or a seat."),
    "cut": (("player", "auto"), "Whether the player at the dealer's right cuts, or chance."),
    "final_turns": (
        ("complete_round", "every_player"),
        "Who has a last turn after a call: the players up to the dealer, or everyone else.",
    ),
    "reshuffle": (
        ("keep_top", "all"),
        "Whether the top discard stays when the discards become a new stock.",
    ),
    "max_reshuffles": (
        (0, 100),
        "How often the stock is renewed; when it runs out once more, the deal is void and the "
        "antes go back. From the first value to the second.",
    ),
    "on_timeout": (
        ("auto_play", "bot"),
        "Whether a turn that ran out of time is played for the player, or a bot takes the seat.",
    ),
}


def rulebook() -> dict[str, Any]:
    """The whole rulebook."""
    defaults = {field.name: field.default for field in fields(HouseRules)}
    return {
        "language": "en",
        "title": TITLE,
        "sections": [
            {"title": title, "paragraphs": list(said)} for title, said in SECTIONS.items()
        ],
        "combinations": [
            {"name": kind, "title": title, "size": size, "meaning": said, "example": cards.split()}
            for kind, (title, size, said, cards) in COMBINATIONS.items()
        ],
        "house_rules": [
            {"name": name, "default": defaults[name], "values": list(values), "meaning": said}
            for name, (values, said) in HOUSE_RULES.items()
        ],
    }


RULEBOOK = rulebook()
