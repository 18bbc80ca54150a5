"""Sandbox matches: requests and answers."""

from typing import Any

from marshmallow import fields, post_load, validate

from service import bots
from service.api.schemas.common import Answer, Request, ShortList, one_of, text
from service.api.schemas.requests import Truth, whole
from service.engine.house_rules import HouseRules
from service.sandbox import Wish
from service.tables.sandbox import MOST_DEALS, SANDBOX_RULES


class SandboxRulesIn(Request):
    """The house rules that a sandbox match may have; the cut is always `auto`."""

    ace_low = Truth(load_default=False)
    final_turns = one_of(("complete_round", "every_player"), load_default="complete_round")
    reshuffle = one_of(("keep_top", "all"), load_default="keep_top")
    max_reshuffles = whole(0, 100, 10, "How often the stock is renewed before a deal is void.")

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> HouseRules:
        """The loaded rules."""
        return HouseRules(cut=SANDBOX_RULES.cut, **data)


class NewMatch(Request):
    """A sandbox match to be opened.  All has a default."""

    levels = ShortList(
        one_of(bots.LEVELS),
        load_default=lambda: ["medium"],
        validate=validate.Length(1, 4),
        metadata={"description": "The levels of the house bots to play against, one a seat."},
    )
    deals = whole(1, MOST_DEALS, 200, "How many deals, rounded up to whole blocks.")
    seed = text(
        64,
        description="All of the match's chance follows from it. Who knows it knows all cards; "
        "without one the service takes one that it tells once the match is over.",
        example="match 1",
    )
    rules = fields.Nested(SandboxRulesIn, load_default=SANDBOX_RULES)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> Wish:
        """The loaded wish."""
        return Wish(tuple(data["levels"]), data["deals"], data.get("seed"), data["rules"])


def figure(description: str) -> fields.Float:
    """A number that is null before a block is whole."""
    return fields.Float(allow_none=True, metadata={"description": description})


class MatchOut(Answer):
    """A sandbox match as its player sees it."""

    id = fields.String()
    table = fields.String(metadata={"description": "The table where it is played; the same id."})
    status = one_of(
        ("playing", "over", "closed"),
        metadata={"description": "`over`: all deals are played. `closed`: it ended before that."},
    )
    levels = fields.List(one_of(bots.LEVELS))
    deals = fields.Integer(metadata={"description": "How many deals it has: whole blocks."})
    played = fields.Integer(metadata={"description": "How many deals are settled."})
    blocks = fields.Integer(
        metadata={
            "description": "How many blocks are whole: the same deal was played from each seat. "
            "These alone are in the figures."
        }
    )
    share = figure("The part of the pots that you won, 0 to 1; of equals it is 1 / players.")
    low = figure("The lower end of the 95 % interval of `share`.")
    high = figure("The upper end of the 95 % interval of `share`.")
    elo = figure("Your difference in Elo to the house bots, taken for equals among themselves.")
    seed = fields.String(
        allow_none=True,
        metadata={"description": "Null while it is played, unless you have chosen it."},
    )
    created_at = fields.DateTime()
