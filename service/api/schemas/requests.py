"""The bodies and parameters of requests."""

import re
from typing import Any

from marshmallow import ValidationError, fields, post_load, pre_load, validate, validates_schema

from service import bots
from service.api.schemas.common import (
    RANK_SPELLING,
    RankField,
    Request,
    ShortList,
    WholeNumber,
    card_in,
    one_of,
    seat_number,
    text,
)
from service.engine.house_rules import HouseRules
from service.tables.table import Settings

MOST_CHIPS = 1_000_000_000
MOST_HANDS = 1_000
EXHIBITION_DEALS = 100
ANTES_IN_A_BUY_IN = 20
"""The buy-in where none is given, in antes."""


def whole(low: int, high: int, default: Any, description: str, **kwargs: Any) -> fields.Integer:
    """A whole number within bounds; `3.7`, `"3"` and `true` are refused."""
    return WholeNumber(
        strict=True,
        load_default=default,
        validate=validate.Range(low, high),
        metadata={"description": description},
        **kwargs,
    )


class Truth(fields.Boolean):
    """`true` or `false`, and nothing that merely means them."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, *args, **kwargs)


class DigitsOnly(fields.Integer):
    """A whole number in a query: plain digits, as in JSON."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if not re.fullmatch(r"-?(0|[1-9][0-9]{0,17})", value):
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, *args, **kwargs)


class FirstDealer(fields.Field[Any]):
    """`random`, or a seat."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if value == "random":
            return value
        if not isinstance(value, bool) and value in range(1, 6):
            return int(value)
        raise ValidationError("Say 'random', or a seat from 1 to 5.")


class NewPlayer(Request):
    """A guest account to be made."""

    name = text(40, description="What others see.", example="Keola")
    name.required = True
    kind = one_of(
        ("human", "bot"),
        load_default="human",
        metadata={"description": "`bot` is for outside programs."},
    )


class HouseRulesIn(Request):
    """House rules; each has a default (see `GET /v1/rules`)."""

    ace_low = Truth(load_default=False)
    first_dealer = FirstDealer(
        load_default="random",
        metadata={
            "oneOf": [
                {"type": "string", "enum": ["random"]},
                {"type": "integer", "minimum": 1, "maximum": 5},
            ]
        },
    )
    cut = one_of(("player", "auto"), load_default="player")
    final_turns = one_of(("complete_round", "every_player"), load_default="complete_round")
    reshuffle = one_of(("keep_top", "all"), load_default="keep_top")
    max_reshuffles = whole(0, 100, 10, "How often the stock is renewed before a deal is void.")
    on_timeout = one_of(("auto_play", "bot"), load_default="auto_play")

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> HouseRules:
        """The loaded rules."""
        return HouseRules(**data)


class BotIn(Request):
    """A house bot to be seated."""

    level = one_of(bots.LEVELS, required=True)


class BotInSeat(BotIn):
    """A house bot to be seated, in a certain seat if one is named."""

    seat = seat_number(allow_none=True, load_default=None)


class NewTable(Request):
    """A table to be made.  All but `seats` has a default."""

    name = text(60, description="What the lobby shows.", example="Friday night")
    seats = WholeNumber(strict=True, required=True, validate=validate.Range(2, 5))
    ante = whole(0, MOST_CHIPS // 100, 5, "Chips that each player pays before a deal.")
    buy_in = whole(0, MOST_CHIPS, None, "Chips on joining; 20 antes if not given.", allow_none=True)
    visibility = one_of(("public", "private"), load_default="public")
    turn_seconds = whole(0, 3600, 60, "How long a turn may take; 0 is no clock.")
    pause_seconds = whole(0, 600, 5, "The pause between deals.")
    thinking_ms = whole(0, 60_000, 800, "How long a house bot thinks, in milliseconds.")
    rules = fields.Nested(HouseRulesIn, load_default=HouseRules)
    bots = ShortList(
        fields.Nested(BotIn),
        load_default=list,
        validate=validate.Length(max=5),
        metadata={
            "description": "House bots to seat. Where they take every seat, the maker watches."
        },
    )
    start_when = one_of(("full", "host"), load_default="full")
    deals = whole(1, 100_000, None, "The table closes after so many deals.", allow_none=True)

    @validates_schema
    def check(self, data: dict[str, Any], **_: Any) -> None:
        """Fields that have to fit each other."""
        seats, first_dealer = data["seats"], data["rules"].first_dealer
        if len(data["bots"]) > seats:
            raise ValidationError("More bots than seats.", "bots")
        if isinstance(first_dealer, int) and first_dealer > seats:
            raise ValidationError("`first_dealer` is not a seat of this table.", "rules")
        if data["buy_in"] is not None and data["buy_in"] < data["ante"]:
            raise ValidationError("A buy-in has to be enough for one ante.", "buy_in")

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> tuple[Settings, tuple[str, ...]]:
        """The loaded settings, and the levels of the bots."""
        levels = tuple(bot["level"] for bot in data.pop("bots"))
        if data["buy_in"] is None:
            data["buy_in"] = ANTES_IN_A_BUY_IN * data["ante"]
        if len(levels) == data["seats"] and data["deals"] is None:
            data["deals"] = EXHIBITION_DEALS
        return Settings(**data), levels


class NothingIn(Request):
    """A body without fields, or none."""


class JoinIn(Request):
    """A seat to be taken."""

    seat = seat_number(allow_none=True, load_default=None)
    invite_code = fields.String(
        allow_none=True, load_default=None, validate=validate.Length(max=64)
    )


class CutIn(Request):
    """A cut."""

    position = WholeNumber(
        strict=True,
        required=True,
        validate=validate.Range(0, 51),
        metadata={"description": "How many cards go from the top to the bottom.", "example": 21},
    )
    entropy = fields.String(
        load_default="",
        validate=validate.Length(max=128),
        metadata={"description": "Mixed into the shuffle, so that nobody can know the cards."},
    )


class DrawIn(Request):
    """Where to draw from."""

    from_ = one_of(("stock", "discard"), required=True, data_key="from")


class DiscardIn(Request):
    """The card to discard."""

    card = card_in(required=True)


class CallIn(Request):
    """A call; without `discard` the highest combination is laid down."""

    discard = card_in(allow_none=True, load_default=None)


class HandIn(Request):
    """A hand of five or six cards."""

    wild_rank = RankField(required=True, metadata={"example": "7", "pattern": RANK_SPELLING})
    cards = ShortList(
        card_in(), required=True, validate=validate.Length(5, 6), metadata={"uniqueItems": True}
    )
    ace_low = Truth(load_default=False)

    @validates_schema
    def check(self, data: dict[str, Any], **_: Any) -> None:
        """No card is there twice."""
        if len(set(data["cards"])) < len(data["cards"]):
            raise ValidationError("A card is there twice.", "cards")


class HandsIn(HandIn):
    """Many hands at once."""

    def __init__(self) -> None:
        super().__init__(many=True)

    @pre_load(pass_collection=True)
    def check_number(self, data: list[Any], **_: Any) -> list[Any]:
        """Not too many at once."""
        if len(data) > MOST_HANDS:
            raise ValidationError(f"At most {MOST_HANDS} hands at once.")
        return data


class Wait(Request):
    """How long to wait for a change."""

    wait = DigitsOnly(
        load_default=0,
        validate=validate.Range(0, 30),
        metadata={"description": "Seconds to wait for a change before answering as it stands."},
    )


class EventsQuery(Wait):
    """Which events."""

    after = DigitsOnly(
        load_default=0,
        validate=validate.Range(0, 2**53),
        metadata={"description": "The id of the last event that the caller has."},
    )
    cursor = DigitsOnly(
        load_default=0,
        validate=validate.Range(0, 2**53),
        metadata={"description": "`next` of the page before; the same as `after`."},
    )
    limit = DigitsOnly(load_default=100, validate=validate.Range(1, 100))


class Page(Request):
    """Which page of a list."""

    cursor = fields.String(
        validate=validate.Length(1, 64),
        metadata={"description": "`next` of the page before."},
    )
    limit = DigitsOnly(load_default=50, validate=validate.Range(1, 100))


class NumberedPage(Page):
    """Which page of a list by falling numbers; a cursor is a number."""

    cursor = fields.String(
        validate=validate.Regexp(r"[0-9]{1,18}\Z", error="Say what `next` said."),
        metadata={"description": "`next` of the page before.", "pattern": "^[0-9]{1,18}$"},
    )


class DealsQuery(NumberedPage):
    """Which page of the finished deals."""


class LedgerQuery(NumberedPage):
    """Which page of the ledger."""


class LobbyQuery(Page):
    """Which tables."""

    status = one_of(("waiting", "cutting", "playing", "settling", "pause"))
    open_seats = DigitsOnly(
        validate=validate.Range(0, 5), metadata={"description": "At least so many free seats."}
    )
    max_ante = DigitsOnly(validate=validate.Range(0, MOST_CHIPS))
