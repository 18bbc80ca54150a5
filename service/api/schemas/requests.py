"""The bodies and parameters of requests."""

import re
from typing import Any

from marshmallow import ValidationError, fields, post_load, pre_load, validate, validates_schema

from service import bots
from service.api.languages import Phrase
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
from service.tables.table import ANTES_IN_A_BUY_IN, Settings

MOST_CHIPS = 1_000_000_000
MOST_HANDS = 1_000
MOST_BOTS_AFTER_SECONDS = 600
EXHIBITION_DEALS = 100


def whole(low: int, high: int, default: Any, description: str, **kwargs: Any) -> fields.Integer:
    """A whole number within bounds; `3.7`, `"3"` and `true` are refused."""
    return WholeNumber(
        strict=True,
        load_default=default,
        validate=validate.Range(low, high),
        metadata={"description": description},
        **kwargs,
    )


def agreed_rules() -> fields.String:
    """The hash of the house rules that the caller has agreed to."""
    return fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.Length(max=64),
        metadata={
            "description": "The `rules_hash` of the rules that you agree to: where the table has "
            "others, the answer is 409 `rules_changed`."
        },
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
        raise ValidationError("This takes 'random', or a seat from 1 to 5.")


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
    rated = Truth(
        allow_none=True,
        load_default=None,
        metadata={
            "description": "Whether deals count in the ratings of the players, where no house bot "
            "is dealt in; at public tables they do if not given, at private ones they don't."
        },
    )

    @validates_schema
    def check(self, data: dict[str, Any], **_: Any) -> None:
        """Fields that have to fit each other."""
        seats, first_dealer = data["seats"], data["rules"].first_dealer
        if len(data["bots"]) > seats:
            raise ValidationError("There are more bots than seats.", "bots")
        if isinstance(first_dealer, int) and first_dealer > seats:
            raise ValidationError(
                "`first_dealer` has to be a seat of this table, or 'random'.", "rules"
            )
        if data["buy_in"] is not None and data["buy_in"] < data["ante"]:
            raise ValidationError("The buy-in has to cover one ante.", "buy_in")

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> tuple[Settings, tuple[str, ...]]:
        """The loaded settings, and the levels of the bots."""
        levels = tuple(bot["level"] for bot in data.pop("bots"))
        if data["buy_in"] is None:
            data["buy_in"] = ANTES_IN_A_BUY_IN * data["ante"]
        if len(levels) == data["seats"] and data["deals"] is None:
            data["deals"] = EXHIBITION_DEALS
        if data["rated"] is None:
            data["rated"] = data["visibility"] == "public"
        return Settings(**data), levels


class NothingIn(Request):
    """A body without fields, or none."""


class JoinIn(Request):
    """A seat to be taken."""

    seat = seat_number(allow_none=True, load_default=None)
    invite_code = fields.String(
        allow_none=True, load_default=None, validate=validate.Length(max=64)
    )
    rules_hash = agreed_rules()


class QuickMatch(Request):
    """A table to be found."""

    seats = WholeNumber(strict=True, required=True, validate=validate.Range(2, 5))
    ante = whole(0, MOST_CHIPS // 100, 5, "Chips that each player pays before a deal.")
    bots_after_seconds = whole(
        0,
        MOST_BOTS_AFTER_SECONDS,
        None,
        "After how long house bots take the seats that are open still; null is never.",
        allow_none=True,
    )
    rules_hash = agreed_rules()


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
            raise ValidationError("A card is there twice; each may be there once.", "cards")


class HandsIn(HandIn):
    """Many hands at once."""

    def __init__(self) -> None:
        super().__init__(many=True)

    @pre_load(pass_collection=True)
    def check_number(self, data: list[Any], **_: Any) -> list[Any]:
        """Not too many at once."""
        if len(data) > MOST_HANDS:
            too_many = Phrase("Too many hands; the most: {most}.")
            raise ValidationError(too_many.format(most=MOST_HANDS))
        return data


class Wait(Request):
    """How long to wait for a change."""

    wait = DigitsOnly(
        load_default=0,
        validate=validate.Range(0, 30),
        metadata={"description": "Seconds to wait for a change before answering as it stands."},
    )


LIMIT_OF_EVENTS = DigitsOnly(
    load_default=100,
    validate=validate.Range(1, 100),
    metadata={"description": "Pages alone: how many events at most."},
)


class EventsQuery(Wait):
    """Which events of a table."""

    after = DigitsOnly(
        validate=validate.Range(0, 2**53),
        metadata={
            "description": "The id of the last event that the caller has, as Last-Event-ID. "
            "Without either a stream begins with a snapshot, and a page with the first event."
        },
    )
    cursor = DigitsOnly(
        validate=validate.Range(0, 2**53),
        metadata={"description": "`next` of the page before; the same as `after`."},
    )
    limit = LIMIT_OF_EVENTS


LONGEST_CURSOR = 3000
"""What fits into the first line of a request; a header takes more."""


class AccountEventsQuery(Wait):
    """Which events of an account."""

    after = fields.String(
        validate=validate.Length(1, LONGEST_CURSOR),
        metadata={
            "description": "The id of the last event that the caller has, as Last-Event-ID. "
            "Without either the first event is a snapshot."
        },
    )
    cursor = fields.String(
        validate=validate.Length(1, LONGEST_CURSOR),
        metadata={"description": "`next` of the page before; the same as `after`."},
    )
    limit = LIMIT_OF_EVENTS


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
        validate=validate.Regexp(
            r"[0-9]{1,18}\Z", error=Phrase("This takes what `next` of the page before was.")
        ),
        metadata={"description": "`next` of the page before.", "pattern": "^[0-9]{1,18}$"},
    )


class OwnTablesQuery(Page):
    """Which page of the own tables."""

    cursor = fields.String(
        validate=validate.Regexp(
            r"[01]-[0-9]{1,19}-[0-9A-Za-z-]{1,40}\Z",
            error=Phrase("This takes what `next` of the page before was."),
        ),
        metadata={
            "description": "`next` of the page before.",
            "pattern": "^[01]-[0-9]{1,19}-[0-9A-Za-z-]{1,40}$",
        },
    )


class DealsQuery(NumberedPage):
    """Which page of the finished deals."""


class LedgerQuery(NumberedPage):
    """Which page of the ledger."""


class BoardQuery(Page):
    """Which page of which board."""

    kind = one_of(
        ("human", "bot"),
        load_default="human",
        metadata={"description": "Whose: people's, or that of outside programs."},
    )
    cursor = fields.String(
        validate=validate.Regexp(
            r"[0-9]{6}-[0-9A-Za-z-]{1,40}\Z",
            error=Phrase("This takes what `next` of the page before was."),
        ),
        metadata={
            "description": "`next` of the page before.",
            "pattern": "^[0-9]{6}-[0-9A-Za-z-]{1,40}$",
        },
    )


class LobbyQuery(Page):
    """Which tables."""

    status = one_of(("waiting", "cutting", "playing", "settling", "pause"))
    open_seats = DigitsOnly(
        validate=validate.Range(0, 5), metadata={"description": "At least so many free seats."}
    )
    max_ante = DigitsOnly(validate=validate.Range(0, MOST_CHIPS))
