"""The bodies of requests and answers about invitations."""

from marshmallow import fields, validate

from service.api.schemas.answers import PlayerOut, moment
from service.api.schemas.common import Answer, Request


class InviteIn(Request):
    """Whom to invite."""

    player = fields.String(
        required=True,
        validate=validate.Length(1, 64),
        metadata={"description": "The id of the player."},
    )


class InvitedOut(Answer):
    """An invitation as its sender sees it."""

    table = fields.String()
    player = fields.String(metadata={"description": "The id of the invited player."})
    at = moment()


class InvitationOut(Answer):
    """An invitation that the caller has."""

    number = fields.Integer(metadata={"description": "Names it among the caller's."})
    table = fields.String()
    from_ = fields.Nested(PlayerOut, data_key="from", metadata={"description": "Who has sent it."})
    invite_code = fields.String(
        allow_none=True,
        metadata={"description": "To send with `join`; null where the table takes none."},
    )
    at = moment()


class InvitationsPage(Answer):
    """The caller's invitations, the latest first."""

    items = fields.List(fields.Nested(InvitationOut))
    next = fields.String(allow_none=True)
