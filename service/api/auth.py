"""Who is calling: a bearer token (RFC 6750) that says so itself, signed by this service.

A token is a JWT (RFC 7519) with the player's id, name and kind, so that checking it costs no
round trip to the store.
"""

import secrets
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

import jwt
from flask import g, request

from service.engine.errors import PaiuteError
from service.tables.table import Player

P = ParamSpec("P")
R = TypeVar("R")

ALGORITHM = "HS256"


class Unauthenticated(PaiuteError):
    """There is no token, or it is not one of ours."""

    code = "unauthenticated"


def issue(player: Player, secret: str) -> str:
    """A token that proves to be this player."""
    claims = {
        "sub": player.id,
        "name": player.name,
        "kind": player.kind,
        "jti": secrets.token_hex(8),
    }
    return jwt.encode(claims, secret, ALGORITHM)


@lru_cache(maxsize=4096)
def _verify(token: str, secret: str) -> Player:
    try:
        claims = jwt.decode(
            token, secret, [ALGORITHM], options={"require": ["sub", "name", "kind"]}
        )
    except (jwt.InvalidTokenError, ValueError):
        raise Unauthenticated("The token is not one of this service's.") from None
    player = Player(claims["sub"], claims["name"], claims["kind"])
    if not isinstance(player.name, str) or player.kind not in ("human", "bot"):
        raise Unauthenticated("The token is not one of this service's.")
    return player


def identify() -> None:
    """Set `g.caller` to the player whose token came with the request, or None without one.

    Raises:
        Unauthenticated: a token came, but not a valid one.
    """
    g.caller = None
    header = request.headers.get("Authorization")
    if header is None:
        return
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated("Send the token as `Authorization: Bearer <token>`.")
    g.caller = _verify(token.strip(), g.config.secret)


def caller_id() -> str | None:
    """The id of the player who calls, or None."""
    player: Player | None = g.get("caller")
    return player.id if player else None


def signed_in(view: Callable[P, R]) -> Callable[P, R]:
    """Let only callers with a token through; they are `g.caller`."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        if g.caller is None:
            raise Unauthenticated(
                "Get a token with POST /v1/players and send it as a bearer token."
            )
        return view(*args, **kwargs)

    noted: Any = guarded
    notes = {**getattr(view, "_apidoc", {}), "signed_in": True}
    noted._apidoc = notes  # noqa: SLF001 - where flask-smorest keeps what it documents
    return guarded
