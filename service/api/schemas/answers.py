"""The bodies of answers.  `service.tables.views` makes them; a test compares the two."""

from typing import get_args

from marshmallow import fields

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
from service.tables.events import EVENT_TYPES
from service.tables.receipts import Rule
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
        allow_none=True, metadata={"description": "To give to friends; private tables only."}
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
    seats = fields.List(fields.Nested(SeatOut))
    deal = fields.Nested(DealOut, allow_none=True)
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
    type = one_of(EVENT_TYPES)
    at = moment()
    table = fields.String()
    data = fields.Dict(metadata={"description": "By type; see the guide of events."})


class EventsPage(Answer):
    """Events in order; ask again with `after` set to the id of the last one."""

    items = fields.List(fields.Nested(EventOut))
    next = fields.String(allow_none=True, metadata={"description": "`after`, if there are more."})


class DealSummaryOut(Answer):
    """A finished deal in short."""

    number = whole()
    dealer = whole()
    pot = whole()
    winners = fields.List(whole())
    reason = one_of(Reason)
    ended_at = moment()


class DealsPage(Answer):
    """Finished deals, the latest first."""

    items = fields.List(fields.Nested(DealSummaryOut))
    next = fields.String(allow_none=True)


class ActionOut(Answer):
    """Something that a seat did in a deal."""

    seat = whole()
    action = one_of(("cut", "draw", "discard", "call", "fold", "time_out"))
    from_ = one_of(("stock", "discard"), allow_none=True, data_key="from")
    card = card_out(allow_none=True, metadata={"description": "Null where it is hidden."})
    cards = cards_out(allow_none=True, metadata={"description": "`call`: what was laid down."})
    at = moment()


class DealtSeatOut(Answer):
    """Who had a seat in a deal."""

    seat = whole()
    player = fields.Nested(PlayerOut)


class AmountOut(Answer):
    """Chips of a seat."""

    seat = whole()
    amount = whole(metadata={"description": "Chips."})


class ShownHandOut(Answer):
    """A hand of the showdown."""

    seat = whole()
    cards = cards_out()
    combination = fields.Nested(
        CombinationOut,
        allow_none=True,
        metadata={"description": "The best that the hand holds; null where it is none."},
    )


class ReceiptOut(Answer):
    """How a pot came about and where it went; antes, pot and shares are one sum."""

    antes = fields.List(
        fields.Nested(AmountOut),
        metadata={"description": "What each seat paid, in dealing order, the dealer last."},
    )
    pot = whole(metadata={"description": "What was shared out."})
    hands = fields.List(
        fields.Nested(ShownHandOut),
        metadata={"description": "The hands shown, in dealing order; none without a showdown."},
    )
    shares = fields.List(
        fields.Nested(AmountOut),
        metadata={"description": "What each winner got, or each seat got back, in dealing order."},
    )
    odd_chips = fields.List(
        fields.Nested(AmountOut),
        metadata={
            "description": "The chips that did not divide, one each in order from the dealer's "
            "left; they are in `shares` too."
        },
    )
    rule = one_of(
        get_args(Rule),
        metadata={
            "description": "Why: the highest hand shown takes the pot; equal highest hands share "
            "it; all others folded; or the stock ran out too often and the antes went back."
        },
    )


class DealRecordOut(DealSummaryOut):
    """A finished deal: every action, and how it ended."""

    ante = whole()
    wild_card = card_out(allow_none=True)
    wild_rank = rank_out(allow_none=True)
    rules = fields.Nested(HouseRulesOut)
    seats = fields.List(fields.Nested(DealtSeatOut))
    actions = fields.List(fields.Nested(ActionOut))
    result = fields.Nested(ResultOut)
    receipt = fields.Nested(ReceiptOut)
    started_at = moment()


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
    example = cards_out(metadata={"description": "With rank 2 wild."})


class HouseRuleOut(Answer):
    """A house rule explained."""

    name = fields.String()
    default = fields.Raw(metadata={"type": ["string", "integer", "boolean"]})
    values = fields.List(fields.Raw(metadata={"type": ["string", "integer", "boolean"]}))
    meaning = fields.String()


class RulesOut(Answer):
    """The rules of the game."""

    language = fields.String()
    title = fields.String()
    sections = fields.List(fields.Nested(SectionOut))
    combinations = fields.List(
        fields.Nested(CombinationRuleOut), metadata={"description": "From high to low."}
    )
    house_rules = fields.List(fields.Nested(HouseRuleOut))


class HealthOut(Answer):
    """How the process is."""

    status = one_of(("ok",))
