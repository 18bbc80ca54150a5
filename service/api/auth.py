"""Who is calling: a bearer token (RFC 6750) of our own or of the identity provider."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from flask import g, request

from service.api import credentials
from service.api.credentials import InvalidToken, MissingScope, Scope, Token, Unauthenticated
from service.api.oidc import Provider, Vouched
from service.identities import welcome
from service.tables.table import Player

P = ParamSpec("P")
R = TypeVar("R")


def identify() -> None:
    """Set `g.token` to the token that came with the request, and `g.caller` to its player.

    Both are None without one.

    Raises:
        Unauthenticated: something else came.
        InvalidToken: the token is not a good one, or no longer.
    """
    g.caller = g.token = None
    header = request.headers.get("Authorization")
    if header is None:
        return
    scheme, _, text = header.partition(" ")
    if scheme.lower() != "bearer" or not text.strip():
        raise Unauthenticated("Send the token as `Authorization: Bearer <token>`.")
    token = _read(text.strip())
    check_time(token)
    if g.game.store.revocations.revoked(token.id):
        raise InvalidToken("The token was revoked.")
    g.token, g.caller = token, token.player


def check_time(token: Token) -> None:
    """Raise `InvalidToken` where a token has expired."""
    if token.expires_at is not None and token.expires_at <= now():
        raise InvalidToken("The token has expired.")


def now() -> int:
    """The time in whole seconds since 1970, as tokens have it."""
    return int(g.game.now()) // 1000


def _read(text: str) -> Token:
    provider: Provider | None = g.provider
    if provider and provider.issued(text):
        return _of_identity(provider.check(text))
    return credentials.read(text, g.config.secret)


def _of_identity(vouched: Vouched) -> Token:
    """The token of an outside identity, which gets an account at its first use."""
    vouched.check_time(now())
    player = welcome(g.game, vouched.identity, vouched.name)
    return Token(player, vouched.token_id, vouched.scopes, vouched.expires_at, vouched=True)


def caller_id() -> str | None:
    """The id of the player who calls, or None."""
    player: Player | None = g.get("caller")
    return player.id if player else None


def viewer_id() -> str | None:
    """The id of the player whose cards the caller may see, or None: it takes the scope `play`."""
    token: Token | None = g.get("token")
    return token.player.id if token and "play" in token.scopes else None


def signed_in(scope: Scope | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let only callers through whose token has a scope, or any token where none is named.

    They are `g.caller`, and their token is `g.token`.
    """

    def decorator(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
            if g.token is None:
                raise Unauthenticated(
                    "Get a token with POST /v1/players and send it as a bearer token."
                )
            if scope:
                check_scope(scope)
            return view(*args, **kwargs)

        noted: Any = guarded
        notes = {**getattr(view, "_apidoc", {}), "signed_in": True, "scope": scope}
        noted._apidoc = notes  # noqa: SLF001 - where flask-smorest keeps what it documents
        return guarded

    return decorator


def check_scope(scope: Scope) -> None:
    """Raise `MissingScope` unless the caller's token has a scope."""
    token: Token = g.token
    if scope not in token.scopes:
        raise MissingScope(scope, token.scopes)
