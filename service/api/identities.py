"""Outside identities: whoever the identity provider vouches for is the account they stand for."""

from typing import Any

from flask import Response, g

from service.api import auth
from service.api.auth import signed_in
from service.api.credentials import SCOPES, InvalidToken
from service.api.json import NO_STORE, reply
from service.api.oidc import Provider, Vouched
from service.api.schemas.tokens import IdentitiesPage, IdentityOut, NewIdentity
from service.api.smorest import Blueprint
from service.engine.errors import PaiuteError
from service.identities import link
from service.store.identities import Bound
from service.tables import views

blp = Blueprint(
    "identities", __name__, url_prefix="/v1/me/identities", description="Outside identities"
)


class NotVouchedFor(PaiuteError):
    """What should prove an identity does not."""

    code = "validation_failed"


class MayNotLink(PaiuteError):
    """The caller's token ends, and an identity would outlive it."""

    code = "forbidden"


@blp.post("")
@signed_in("account")
@blp.refuses("forbidden", "identity_taken")
@blp.arguments(NewIdentity())
@blp.response(201, IdentityOut())
@blp.alt_response(200, schema=IdentityOut(), description="It was linked before.")
def link_identity(body: dict[str, Any]) -> Response:
    """Link an identity of the identity provider to the account, for good

    From then on its tokens are the account's, with all rights. So the own token needs all scopes,
    and no end, unless it is of the identity provider itself.
    """
    for scope in SCOPES:
        auth.check_scope(scope, g.token)
    if g.token.expires_at is not None and not g.token.vouched:
        raise MayNotLink("An identity stays linked for good; link it with a token without an end.")
    vouched = _vouched(body["token"])
    bound, new = link(g.game, g.caller.id, vouched.identity)
    return reply(_identity_view(bound), 201 if new else 200, headers=NO_STORE)


@blp.get("")
@signed_in("account")
@blp.response(200, IdentitiesPage())
def list_identities() -> Response:
    """List the outside identities that stand for the account, the earliest first"""
    items = [_identity_view(bound) for bound in g.game.store.identities.of(g.caller.id)]
    return reply({"items": items, "next": None}, headers=NO_STORE)


def _vouched(text: str) -> Vouched:
    """What a token of the identity provider says.

    Raises:
        NotVouchedFor: it is none, or not good now.
    """
    provider: Provider | None = g.provider
    if provider is None:
        raise NotVouchedFor("This service takes the tokens of no provider.", field="token")
    try:
        vouched = provider.check(text)
        vouched.check_time(auth.now())
    except InvalidToken:
        raise NotVouchedFor("This is no good token of the provider.", field="token") from None
    return vouched


def _identity_view(bound: Bound) -> dict[str, Any]:
    return {
        "issuer": bound.identity.issuer,
        "subject": bound.identity.subject,
        "linked_at": views.rfc3339(bound.at),
    }
