"""The answers about deals that are over, and what may be asked of them."""

from typing import get_args

from marshmallow import fields, validate

from service.api.schemas.answers import (
    CombinationOut,
    DealOut,
    DealSummaryOut,
    HouseRulesOut,
    OwnOut,
    PlayerOut,
    ResultOut,
    moment,
    whole,
)
from service.api.schemas.common import Answer, Request, card_out, cards_out, one_of, rank_out
from service.api.schemas.requests import DigitsOnly
from service.engine.events import CutBy
from service.tables.receipts import Rule


class ActionOut(Answer):
    """Something that a seat did in a deal."""

    seat = whole()
    action = one_of(("cut", "draw", "discard", "call", "fold", "time_out"))
    from_ = one_of(("stock", "discard"), allow_none=True, data_key="from")
    card = card_out(
        allow_none=True,
        metadata={
            "description": "Null where it is hidden; and in the draw that ends a void deal, for "
            "which there was none."
        },
    )
    cards = cards_out(allow_none=True, metadata={"description": "`call`: what was laid down."})
    at = moment()
    version = whole(metadata={"description": "The table's version after it."})
    by = one_of(
        get_args(CutBy),
        allow_none=True,
        metadata={"description": "`cut`: who made it for the seat; null in older records."},
    )


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


class HandOut(Answer):
    """The cards of a seat."""

    seat = whole()
    cards = cards_out()


class DealRecordOut(DealSummaryOut):
    """A finished deal: every action, and how it ended."""

    ante = whole()
    wild_card = card_out(allow_none=True)
    wild_rank = rank_out(allow_none=True)
    rules = fields.Nested(HouseRulesOut)
    actions = fields.List(fields.Nested(ActionOut))
    result = fields.Nested(ResultOut)
    receipt = fields.Nested(ReceiptOut)
    started_at = moment()
    from_version = whole(metadata={"description": "The table's version when the deal began."})
    to_version = whole(metadata={"description": "The table's version when it was settled."})
    agreed = fields.List(
        whole(), metadata={"description": "The seats whose players agree to open the deal."}
    )
    opened = fields.Boolean(
        metadata={"description": "Whether all agree: then everybody may see every hand."}
    )
    hands = fields.List(
        fields.Nested(HandOut),
        metadata={"description": "The last hands, those that the caller may see."},
    )


class PastSeatOut(Answer):
    """A seat in a deal that is over, as it was at a version."""

    seat = whole()
    player = fields.Nested(PlayerOut)
    hand_size = whole()
    state = one_of(("in", "folded"))
    shown = cards_out(allow_none=True, metadata={"description": "A hand that lies face up."})
    known = cards_out(
        metadata={
            "description": "The cards of a hand in play that everyone saw it take from the "
            "discard pile."
        }
    )


class PastViewOut(Answer):
    """A deal that is over, as a seat saw it at a version of the table."""

    version = whole()
    seats = fields.List(
        fields.Nested(PastSeatOut), metadata={"description": "In dealing order, the dealer last."}
    )
    deal = fields.Nested(DealOut)
    you = fields.Nested(
        OwnOut,
        allow_none=True,
        metadata={"description": "What the seat saw of its own; null for a spectator."},
    )


class PastViewQuery(Request):
    """As which seat, and when."""

    seat = DigitsOnly(
        load_default=None,
        validate=validate.Range(1, 5),
        metadata={"description": "The seat whose view is wanted; without it a spectator's."},
    )
    version = DigitsOnly(
        load_default=None,
        validate=validate.Range(0, 2**53),
        metadata={
            "description": "A version of the table, from the deal's `from_version` to its "
            "`to_version`; without it the last one."
        },
    )


class CutMadeOut(Answer):
    """The cut of a deal."""

    seat = whole(metadata={"description": "Whose cut it was; a bot or the clock may have made it."})
    position = whole(metadata={"description": "How many cards went from the top to the bottom."})
    entropy = fields.String(metadata={"description": "The text that was mixed in."})
    version = whole(metadata={"description": "The table's version after it."})
    by = one_of(
        get_args(CutBy),
        allow_none=True,
        metadata={"description": "Who made it for the seat; null in older records."},
    )


class DealtOut(Answer):
    """What comes of seed and cut; the top card is first."""

    deck = cards_out(metadata={"description": "All 52 cards after the cut."})
    hands = fields.List(
        fields.Nested(HandOut), metadata={"description": "As dealt, in dealing order."}
    )
    wild_card = card_out()
    first_discard = card_out()
    stock = cards_out()


class RenewalOut(Answer):
    """A new stock; the top card is first."""

    number = whole(metadata={"description": "1 for the deal's first one."})
    version = whole(metadata={"description": "The table's version after it."})
    discards = cards_out(metadata={"description": "The discards that went into it."})
    kept = cards_out(metadata={"description": "The discards that stayed: the top one, or none."})
    stock = cards_out()


class ProofOut(Answer):
    """All that it takes to work out the cards of a finished deal, hands not shown included."""

    table = fields.String()
    number = whole()
    algorithm = fields.String(metadata={"description": "The name of the way from seed to cards."})
    document = fields.String(
        metadata={"description": "Where this service describes it, for whoever checks it."}
    )
    commitment = fields.String(
        metadata={"description": "SHA-256 of the seed, as it was published before the cut."}
    )
    committed_version = whole(
        metadata={"description": "The id of the event `deal_started`, which published it."}
    )
    seed = fields.String(metadata={"description": "32 bytes in hexadecimal."})
    seats = fields.List(
        whole(), metadata={"description": "In dealing order, the dealer last; all paid an ante."}
    )
    dealer = whole()
    rules = fields.Nested(HouseRulesOut)
    cut = fields.Nested(
        CutMadeOut,
        allow_none=True,
        metadata={"description": "Null where all but one had left before it: no card was dealt."},
    )
    dealt = fields.Nested(DealtOut, allow_none=True, metadata={"description": "Null as `cut`."})
    renewals = fields.List(fields.Nested(RenewalOut))
