"""Further tokens: with fewer rights, or an end, and each can be revoked."""

from typing import Any

from flask import Response, g

from service.api import auth, credentials, limits
from service.api.auth import signed_in
from service.api.credentials import SCOPES, Token
from service.api.json import NO_STORE, reply
from service.api.schemas.tokens import IssuedTokenOut, NewToken, TokensPage
from service.api.smorest import Blueprint
from service.store.base import NotFound
from service.store.keys import new_id
from service.store.tokens import Revoked, TokenNote
from service.tables import views

blp = Blueprint("tokens", __name__, url_prefix="/v1/me/tokens", description="Tokens and scopes")


@blp.post("")
@signed_in("account")
@blp.refuses("limit_reached")
@blp.arguments(NewToken())
@blp.response(201, IssuedTokenOut())
def create_token(body: dict[str, Any]) -> Response:
    """Make a further token, with fewer rights or an end

    It has no scope that the token lacks which it is made with, and ends no later. Keep it: nobody
    can show it again.
    """
    mine: Token = g.token
    for scope in body["scopes"]:
        auth.check_scope(scope, g.token)
    scopes = tuple(scope for scope in SCOPES if scope in body["scopes"])
    now = auth.now()
    ends = [mine.expires_at, now + body["expires_in"] if "expires_in" in body else None]
    expires_at = min((end for end in ends if end is not None), default=None)
    note = TokenNote(new_id(), scopes, now, expires_at, body.get("name"))
    g.game.store.tokens.note(mine.player.id, note)
    text = credentials.issue(Token(mine.player, note.id, scopes, expires_at), g.config.secret)
    return reply(_token_view(note) | {"token": text}, 201, headers=NO_STORE)


@blp.get("")
@signed_in("account")
@blp.response(200, TokensPage())
def list_tokens() -> Response:
    """List the tokens that are good, the latest first

    The token of the sign-up is the last one. Tokens of an identity provider are not listed.
    """
    items = [_token_view(note) for note in _good_tokens()]
    return reply({"items": items, "next": None}, headers=NO_STORE)


@blp.delete("/<token_id>")
@signed_in("account")
@blp.response(204)
def revoke_token(token_id: str) -> Response:
    """Revoke a token, within a second everywhere

    Its streams end. Tokens that were made with it stay good. The token that is sent along may
    itself be revoked, also one of the identity provider.
    """
    mine: Token = g.token
    good = {note.id: note.expires_at for note in _good_tokens()} | {mine.id: mine.expires_at}
    if token_id not in good:
        raise NotFound("You have no token {id}.", id=token_id)
    limits.pay_for_revoking()
    revoked = Revoked(token_id, good[token_id])
    g.game.store.tokens.revoke(mine.player.id, revoked, auth.now())
    g.game.store.revocations.revoked_now(token_id)
    return Response(status=204, headers=NO_STORE)


def _good_tokens() -> tuple[TokenNote, ...]:
    """The caller's tokens of our own that are good, the latest first."""
    store, player = g.game.store, g.caller
    notes: tuple[TokenNote, ...] = store.tokens.noted(player.id, auth.now())
    first = credentials.first_token(player)
    opened_outside = any(bound.opened for bound in store.identities.of(player.id))
    if opened_outside or store.revocations.revoked_now(first.id):
        return notes
    created_at = store.accounts.account(player.id).created_at // 1000
    return (*notes, TokenNote(first.id, first.scopes, created_at))


def _token_view(note: TokenNote) -> dict[str, Any]:
    expires_at = note.expires_at
    return {
        "id": note.id,
        "scopes": note.scopes,
        "expires_at": None if expires_at is None else views.rfc3339(1000 * expires_at),
        "name": note.name,
        "created_at": views.rfc3339(1000 * note.created_at),
    }
