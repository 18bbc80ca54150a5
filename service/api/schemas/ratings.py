"""The bodies of answers about players: their ratings, and the boards that rank them."""

from marshmallow import fields

from service.api.schemas.common import Answer, one_of

whole = fields.Integer


class RatedPlayerOut(Answer):
    """A player with an account, as everyone sees them."""

    id = fields.String()
    name = fields.String()
    kind = one_of(("human", "bot"))


class RatingOut(Answer):
    """How well somebody plays, as far as that is known."""

    rank = whole(metadata={"description": "Among those of a kind, from 1; equals share it."})
    rating = whole(
        metadata={
            "description": "Points, from 1000. It is cautious: the strength that is most likely "
            "is `rating` and three times `uncertainty`."
        }
    )
    uncertainty = whole(
        metadata={
            "description": "The standard deviation, in points; it falls during the first deals, "
            "and then stays near 40."
        }
    )
    deals = whole(metadata={"description": "How many deals counted."})
    won = whole(metadata={"description": "How many of these were won, alone or with others."})


class PlacedOut(RatingOut):
    """A player on a board."""

    player = fields.Nested(RatedPlayerOut)


class BoardPage(Answer):
    """A page of a board, the best first."""

    items = fields.List(fields.Nested(PlacedOut))
    next = fields.String(allow_none=True, metadata={"description": "The next page's `cursor`."})


class PublicPlayerOut(RatedPlayerOut):
    """What everyone may know of a player."""

    rating = fields.Nested(
        RatingOut, allow_none=True, metadata={"description": "Null before the first rated deal."}
    )
