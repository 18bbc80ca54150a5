"""The bodies of answers.  `service.tables.views` makes them; a test compares the two."""

from typing import get_args

from marshmallow import fields

from service.api.credentials import SCOPES
from service.api.languages import LANGUAGES
from service.api.schemas.common import (
    Answer,
    LegalAction,
    card_out,
    cards_out,
    one_of,
    rank_out,
)
from service.engine.combinations import Kind
from service.engine.deal import Phase, Reason
from service.store.accounts import Why
from service.tables.table import Status

whole = fields.Integer
moment = fields.DateTime


class PlayerOut(Answer):
    """A player as everyone sees them."""

    id = fields.String()
    name = fields.String()
    kind = one_of(("human", "bot", "house_bot"))
    level = fields.String(allow_none=True, metadata={"description": "A house bot's strength."})


class AccountOut(Answer):
    """A player's own account."""

    id = fields.String()
    name = fields.String()
    kind = one_of(("human", "bot"))
    balance = whole(metadata={"description": "Chips of the account."})


class OwnAccountOut(AccountOut):
    """The own account, and the token that it was asked for with."""

    scopes = fields.List(
        one_of(SCOPES), metadata={"description": "The rights that the token gives."}
    )
    token_id = fields.String(metadata={"description": "By this the token can be revoked."})
    token_expires_at = moment(
        allow_none=True, metadata={"description": "Null where it never expires."}
    )


class NewAccountOut(AccountOut):
    """A new account with its token."""

    token = fields.String(metadata={"description": "Send it as `Authorization: Bearer <token>`."})


class CombinationOut(Answer):
    """A winning combination."""

    name = one_of(Kind)
    ranks = fields.List(rank_out(), metadata={"description": "What decides ties, in order."})
    cards = cards_out()


class SettledHandOut(Answer):
    """A hand at the showdown, or whoever gets chips without showing one."""

    seat = whole()
    cards = cards_out()
    combination = fields.Nested(CombinationOut, allow_none=True)
    share = whole(metadata={"description": "Chips from the pot."})


class ResultOut(Answer):
    """How a deal ended."""

    reason = one_of(Reason)
    hands = fields.List(fields.Nested(SettledHandOut))
    winners = fields.List(whole())
    pot = whole()


class HouseRulesOut(Answer):
    """The house rules of a table (see `GET /v1/rules`)."""

    ace_low = fields.Boolean()
    first_dealer = fields.Raw(
        metadata={"oneOf": [{"type": "string", "enum": ["random"]}, {"type": "integer"}]}
    )
    cut = one_of(("player", "auto"))
    final_turns = one_of(("complete_round", "every_player"))
    reshuffle = one_of(("keep_top", "all"))
    max_reshuffles = whole()
    on_timeout = one_of(("auto_play", "bot"))


class SeatOut(Answer):
    """A taken seat as everyone sees it."""

    seat = whole(metadata={"description": "Counted clockwise from 1."})
    player = fields.Nested(PlayerOut)
    stack = whole(metadata={"description": "Chips in front of the seat."})
    hand_size = whole()
    state = one_of(("in", "folded", "sitting_out"))
    shown = cards_out(allow_none=True, metadata={"description": "A hand that lies face up."})
    known = cards_out(
        metadata={
            "description": "The cards of a hand in play that everyone saw it take from the "
            "discard pile."
        }
    )
    left = fields.Boolean(metadata={"description": "Free once this deal is settled."})
    stand_in = fields.String(
        allow_none=True,
        metadata={"description": "The level of the bot that plays for a player out of time."},
    )


class DealOut(Answer):
    """The present deal, or the last one in a pause, as everyone sees it."""

    number = whole()
    dealer = whole()
    cutter = whole(allow_none=True)
    phase = one_of(Phase)
    turn = whole(allow_none=True, metadata={"description": "The seat that is to act."})
    wild_card = card_out(allow_none=True)
    wild_rank = rank_out(allow_none=True)
    stock_size = whole()
    discard_top = card_out(allow_none=True)
    discard_size = whole()
    pot = whole()
    caller = whole(allow_none=True)
    last_turns = fields.List(whole(), metadata={"description": "Seats with a last turn still."})
    reshuffles = whole()
    turn_ms_left = whole(allow_none=True, metadata={"description": "Null where no clock runs."})
    commitment = fields.String(metadata={"description": "SHA-256 of the seed of the cards."})
    result = fields.Nested(ResultOut, allow_none=True)


class OwnOut(Answer):
    """What the caller alone sees."""

    seat = whole()
    hand = cards_out()
    drawn = card_out(allow_none=True, metadata={"description": "The card drawn in this turn."})
    best = fields.Nested(CombinationOut, allow_none=True)
    legal = fields.List(
        fields.Nested(LegalAction), metadata={"description": "All that the caller may do now."}
    )
    invite_code = fields.String(
        allow_none=True,
        metadata={"description": "To give to friends; private tables only, with scope `lobby`."},
    )


class TableOut(Answer):
    """A table as the caller sees it."""

    id = fields.String()
    version = whole(metadata={"description": "The id of its last event, and the ETag."})
    name = fields.String()
    status = one_of(Status)
    visibility = one_of(("public", "private"))
    host = fields.String(metadata={"description": "The id of the player who may start it."})
    ante = whole()
    buy_in = whole()
    turn_seconds = whole()
    pause_seconds = whole()
    thinking_ms = whole()
    start_when = one_of(("full", "host"))
    deals = whole(allow_none=True)
    rated = fields.Boolean(
        metadata={
            "description": "Whether deals count in the ratings of the players, where no house bot "
            "is dealt in."
        }
    )
    rules = fields.Nested(HouseRulesOut)
    rules_hash = fields.String()
    open_seats = whole()
    pause_ms_left = whole(allow_none=True)
    idle_ms_left = whole(
        allow_none=True,
        metadata={
            "description": "Until a table that waits for people closes by itself, or a player "
            "whose turn has no clock is folded and leaves; null elsewhere."
        },
    )
    bots_ms_left = whole(
        allow_none=True,
        metadata={
            "description": "Until house bots take the seats that are open; null where they don't."
        },
    )
    seats = fields.List(fields.Nested(SeatOut))
    deal = fields.Nested(DealOut, allow_none=True)
    invite_code = fields.String(
        allow_none=True,
        metadata={
            "description": "At a private table, for those who sit there and for its host, with "
            "the scope `lobby`: what others join with."
        },
    )
    you = fields.Nested(OwnOut, allow_none=True)


class SummaryOut(Answer):
    """A table as the lobby lists it."""

    id = fields.String()
    name = fields.String()
    status = one_of(Status)
    seats = whole()
    open_seats = whole()
    players = fields.List(fields.Nested(PlayerOut))
    ante = whole()
    buy_in = whole()
    turn_seconds = whole()
    thinking_ms = whole()
    start_when = one_of(("full", "host"))
    rated = fields.Boolean()
    rules_hash = fields.String()
    created_at = moment()


class OwnSummaryOut(SummaryOut):
    """A table as its player's own list has it."""

    version = whole()
    seat = whole()
    my_turn = fields.Boolean()
    turn_ms_left = whole(allow_none=True)


class LobbyPage(Answer):
    """A page of the lobby."""

    items = fields.List(fields.Nested(SummaryOut))
    next = fields.String(allow_none=True, metadata={"description": "The next page's `cursor`."})


class OwnTablesPage(Answer):
    """The caller's tables, the most urgent first."""

    items = fields.List(fields.Nested(OwnSummaryOut))
    next = fields.String(allow_none=True)


class LedgerEntryOut(Answer):
    """A movement of chips on the caller's account."""

    id = fields.String(metadata={"description": "One id moves chips once."})
    amount = fields.Integer(metadata={"description": "Chips, positive onto the account."})
    balance = whole(metadata={"description": "The balance after it."})
    why = one_of(
        get_args(Why),
        metadata={
            "description": "`grant`: a gift of the house; `buy_in`: onto a table; `cash_out`: off "
            "a table; `refund`: a buy-in that came back, since the seat could not be taken."
        },
    )
    table = fields.String(allow_none=True)
    deal = whole(
        allow_none=True, metadata={"description": "The last deal before a cash-out, if any."}
    )
    at = moment()


class LedgerPage(Answer):
    """A page of the ledger, the latest entry first."""

    items = fields.List(fields.Nested(LedgerEntryOut))
    next = fields.String(allow_none=True)


class EventOut(Answer):
    """Something that happened at a table."""

    id = whole(metadata={"description": "The table's version after it."})
    type = fields.String(
        metadata={
            "description": "One of those in `KnownEvent`, or one of a later release.",
            "example": "card_drawn",
        }
    )
    at = moment()
    table = fields.String()
    data = fields.Dict(metadata={"description": "By type; see `KnownEvent`."})


class AccountEventOut(Answer):
    """Something that concerns the caller."""

    id = fields.String(metadata={"description": "Opaque: send it back as `after` to resume."})
    type = fields.String(
        metadata={
            "description": "One of those in `KnownAccountEvent`, or one of a later release.",
            "example": "your_turn",
        }
    )
    at = moment()
    table = fields.String(allow_none=True, metadata={"description": "At which table."})
    version = whole(allow_none=True, metadata={"description": "The table's version after it."})
    data = fields.Dict(metadata={"description": "By type; see `KnownAccountEvent`."})


class AccountEventsPage(Answer):
    """Events in order; ask again with `after` set to the id of the last one."""

    items = fields.List(fields.Nested(AccountEventOut))
    next = fields.String(allow_none=True, metadata={"description": "`after`, if there are more."})


class EventsPage(Answer):
    """Events in order; ask again with `after` set to the id of the last one."""

    items = fields.List(fields.Nested(EventOut))
    next = fields.String(allow_none=True, metadata={"description": "`after`, if there are more."})


class DealtSeatOut(Answer):
    """Who had a seat in a deal."""

    seat = whole()
    player = fields.Nested(PlayerOut)


class DealSummaryOut(Answer):
    """A finished deal in short."""

    number = whole()
    dealer = whole()
    pot = whole()
    winners = fields.List(whole())
    reason = one_of(Reason)
    seats = fields.List(fields.Nested(DealtSeatOut))
    ended_at = moment()


class DealsPage(Answer):
    """Finished deals, the latest first."""

    items = fields.List(fields.Nested(DealSummaryOut))
    next = fields.String(allow_none=True)


class SectionOut(Answer):
    """A part of the rules."""

    title = fields.String()
    paragraphs = fields.List(fields.String())


class CombinationRuleOut(Answer):
    """A winning combination explained."""

    name = one_of(Kind)
    title = fields.String()
    size = whole(metadata={"description": "How many cards it has."})
    meaning = fields.String()
    compare = fields.String(metadata={"description": "What decides between two of them."})
    example = cards_out(metadata={"description": "With rank 2 wild."})


class ValueOut(Answer):
    """A value of a house rule explained."""

    value = fields.Raw(metadata={"type": ["string", "integer", "boolean"]})
    meaning = fields.String()


class HouseRuleOut(Answer):
    """A house rule explained."""

    name = fields.String()
    title = fields.String()
    default = fields.Raw(metadata={"type": ["string", "integer", "boolean"]})
    values = fields.List(fields.Raw(metadata={"type": ["string", "integer", "boolean"]}))
    meaning = fields.String()
    explained = fields.List(
        fields.Nested(ValueOut), metadata={"description": "What each of `values` means."}
    )


class RankNameOut(Answer):
    """What a rank is called."""

    rank = rank_out()
    name = fields.String()


class SuitNameOut(Answer):
    """What a suit is called."""

    suit = one_of("cdhs")
    name = fields.String()
    symbol = fields.String()


class CardNameOut(Answer):
    """What a card is called."""

    card = card_out()
    name = fields.String(metadata={"example": "ace of hearts"})


class CardNamesOut(Answer):
    """What cards are called."""

    ranks = fields.List(fields.Nested(RankNameOut), metadata={"description": "From high to low."})
    suits = fields.List(fields.Nested(SuitNameOut), metadata={"description": "Without an order."})
    deck = fields.List(fields.Nested(CardNameOut), metadata={"description": "All 52 cards."})


class RulesOut(Answer):
    """The rules of the game."""

    language = one_of(LANGUAGES, metadata={"description": "The language of the texts."})
    title = fields.String()
    sections = fields.List(fields.Nested(SectionOut))
    combinations = fields.List(
        fields.Nested(CombinationRuleOut), metadata={"description": "From high to low."}
    )
    house_rules = fields.List(fields.Nested(HouseRuleOut))
    cards = fields.Nested(CardNamesOut)


class HealthOut(Answer):
    """How the process is."""

    status = one_of(("ok",))
