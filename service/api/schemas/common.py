"""The bases of all schemas, cards, and problems."""

from collections.abc import Mapping
from typing import Any

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, fields, pre_load, validate

from service.api.languages import Phrase
from service.api.schemas import messages
from service.engine.cards import DECK, RANKS, Card, parse, parse_rank
from service.engine.errors import NotACard

MOST_FIELDS = 100
"""Far more than any object of a request has that is meant well."""


class Request(Schema):
    """A request body, or query: fields that it does not know are refused."""

    class Meta:
        unknown = RAISE

    error_messages = messages.OF_REQUESTS

    def on_bind_field(self, _field_name: str, field_obj: fields.Field[Any]) -> None:
        """Have the field say in the caller's language what it takes."""
        messages.teach(field_obj)

    @pre_load
    def check_size(self, data: Any, **_: Any) -> Any:
        """So many fields are refused as a whole, before each of them is looked at."""
        if isinstance(data, Mapping) and len(data) > MOST_FIELDS:
            too_many = Phrase("Too many fields; the most: {most}.")
            raise ValidationError(too_many.format(most=MOST_FIELDS))
        return data


class ShortList(fields.List[Any]):
    """A list of a request, whose length is checked before what is in it."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, list):
            self._validate(value)
        return super()._deserialize(value, *args, **kwargs)


class Answer(Schema):
    """An answer: every field is there, and clients pass over those they don't know."""

    class Meta:
        unknown = EXCLUDE

    def on_bind_field(self, _field_name: str, field_obj: fields.Field[Any]) -> None:
        """Have the document say that the field is always there."""
        field_obj.required = True


def text(longest: int, **metadata: Any) -> fields.String:
    """A field for one line of visible text."""
    no_controls = Phrase("This takes no control characters, such as line breaks.")
    visible = validate.Regexp(r"^[^\x00-\x1f\x7f]*\Z", error=no_controls)
    # The document's patterns are JavaScript's, which has no `\Z`; its `$` is the very end.
    metadata["pattern"] = r"^[^\x00-\x1f\x7f]*$"
    return fields.String(validate=[validate.Length(1, longest), visible], metadata=metadata)


class WholeNumber(fields.Integer):
    """An integer, `3.0` too as in JSON Schema; text and truth values are no numbers."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, bool | str):
            raise self.make_error("invalid", input=value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return super()._deserialize(value, *args, **kwargs)


RANK_SPELLING = "^(10|[2-9TJQKAtjqka])$"
CARD_SPELLING = f"{RANK_SPELLING[:-1]}([cdhsCDHS]|[♣♧♦♢♥♡♠♤]\ufe0f?)$"
"""What the document says of ranks and cards in requests; `service.engine.cards` reads them."""


class CardField(fields.String):
    """A card in any accepted spelling; it is loaded in the canonical one."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Card:
        try:
            return parse(super()._deserialize(value, *args, **kwargs))
        except NotACard as error:
            raise ValidationError(Phrase(error.detail).format(**error.facts)) from None


class RankField(fields.String):
    """A rank in any accepted spelling."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> str:
        try:
            return parse_rank(super()._deserialize(value, *args, **kwargs))
        except NotACard as error:
            raise ValidationError(Phrase(error.detail).format(**error.facts)) from None


def card_in(**kwargs: Any) -> CardField:
    """A card in a request."""
    described = {"description": "Rank and suit; also `10h` or `T♥`.", "example": "Td"}
    return CardField(metadata=described | {"pattern": CARD_SPELLING}, **kwargs)


def card_out(**kwargs: Any) -> fields.String:
    """A card in an answer, in the canonical two characters."""
    pattern = {"pattern": f"^[{RANKS}][cdhs]$", "example": DECK[-1]}
    return fields.String(metadata=pattern | kwargs.pop("metadata", {}), **kwargs)


def cards_out(**kwargs: Any) -> fields.List[Any]:
    """Cards in an answer."""
    return fields.List(card_out(), **kwargs)


def rank_out(**kwargs: Any) -> fields.String:
    """A rank in an answer."""
    pattern = {"pattern": f"^[{RANKS}]$", "example": "7"}
    return fields.String(metadata=pattern | kwargs.pop("metadata", {}), **kwargs)


def seat_number(**kwargs: Any) -> fields.Integer:
    """A seat, counted clockwise from 1."""
    return WholeNumber(strict=True, validate=validate.Range(1, 5), **kwargs)


def one_of(values: Any, **kwargs: Any) -> fields.String:
    """One of some fixed words."""
    return fields.String(validate=validate.OneOf([str(value) for value in values]), **kwargs)


class LegalAction(Schema):
    """Something that the caller may do now."""

    class Meta:
        unknown = EXCLUDE

    action = one_of(("cut", "draw", "discard", "call", "start", "leave"), required=True)
    from_ = fields.List(
        one_of(("stock", "discard")),
        data_key="from",
        metadata={"description": "`draw`: where a card may be drawn from."},
    )
    cards = fields.List(
        card_out(), metadata={"description": "`discard`: the cards that may be discarded."}
    )
    discards = fields.List(
        card_out(),
        metadata={
            "description": "`call`: the cards that may be discarded with it; none where the "
            "combination has six cards and nothing is discarded."
        },
    )


class Problem(Schema):
    """What went wrong (RFC 9457), and what the caller may do now where that helps."""

    class Meta:
        unknown = EXCLUDE

    type = fields.String(required=True, metadata={"description": "`/problems/` and the code."})
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True, metadata={"description": "For people; it may change."})
    code = fields.String(required=True, metadata={"description": "Stable, for programs."})
    errors = fields.Dict(
        keys=fields.String(), metadata={"description": "What is wrong with each field."}
    )
    version = fields.Integer(metadata={"description": "The version that the table is at."})
    phase = fields.String(allow_none=True, metadata={"description": "The deal's phase."})
    turn = fields.Integer(allow_none=True, metadata={"description": "The seat whose turn it is."})
    legal = fields.List(
        fields.Nested(LegalAction), metadata={"description": "What the caller may do now."}
    )
    limit = fields.String(
        metadata={
            "description": "`rate_limited`: the budget that is used up. `limit_reached`: what "
            "there are too many of: `tables`, `sandbox` (matches), `tokens`, `invitations`, "
            "`webhooks` or `watchers`."
        }
    )
    match = fields.String(
        metadata={"description": "`limit_reached` by `sandbox`: the open match, once it is there."}
    )
    scope = fields.String(metadata={"description": "`missing_scope`: the scope that this takes."})
    scopes = fields.List(
        fields.String(), metadata={"description": "`missing_scope`: those that the token has."}
    )
    due = fields.Dict(
        metadata={"description": "`unavailable`, for operators: what is due, where that is known."}
    )
    rules = fields.Dict(metadata={"description": "`rules_changed`: the house rules as they are."})
    rules_hash = fields.String(metadata={"description": "`rules_changed`: the hash of `rules`."})
    view = fields.Dict(
        metadata={"description": "`stale_version`: the caller's view of the table as it stands."}
    )
