"""Further tokens, and outside identities."""

from marshmallow import fields, validate

from service.api.credentials import SCOPES
from service.api.schemas.common import Answer, Request, ShortList, WholeNumber, one_of, text

LONGEST_SECONDS = 10 * 366 * 24 * 3600
"""The longest time that a token may be good for."""

LONGEST_TOKEN = 16_384
"""More than any token has that a header of a request could hold."""


class NewToken(Request):
    """A further token of the account."""

    scopes = ShortList(
        one_of(SCOPES),
        required=True,
        validate=validate.Length(1, len(SCOPES)),
        metadata={"description": "The rights that it gives, of those that the own token has."},
    )
    expires_in = WholeNumber(
        strict=True,
        validate=validate.Range(1, LONGEST_SECONDS),
        metadata={
            "description": "After so many seconds it is worthless; never if not given, but no "
            "token outlives the one that it is made with."
        },
    )
    name = text(60, description="What you call it.", example="Bot at home")


class TokenOut(Answer):
    """A further token, all but its text."""

    id = fields.String()
    scopes = fields.List(one_of(SCOPES))
    expires_at = fields.DateTime(allow_none=True)
    name = fields.String(allow_none=True)
    created_at = fields.DateTime()


class IssuedTokenOut(TokenOut):
    """A further token, with its text."""

    token = fields.String(metadata={"description": "Send it as `Authorization: Bearer <token>`."})


class TokensPage(Answer):
    """The tokens of the account that are good."""

    items = fields.List(fields.Nested(TokenOut))
    next = fields.String(allow_none=True, metadata={"description": "Always null."})


class NewIdentity(Request):
    """An outside identity to be linked."""

    token = fields.String(
        required=True,
        validate=validate.Length(1, LONGEST_TOKEN),
        metadata={"description": "A token that the identity provider has issued to it."},
    )


class IdentityOut(Answer):
    """An outside identity that stands for the account."""

    issuer = fields.String(metadata={"description": "The identity provider."})
    subject = fields.String(metadata={"description": "Its name for this identity."})
    linked_at = fields.DateTime()


class IdentitiesPage(Answer):
    """The outside identities that stand for the account."""

    items = fields.List(fields.Nested(IdentityOut))
    next = fields.String(allow_none=True, metadata={"description": "Always null."})
