"""Our own tokens: JWTs (RFC 7519) with the player's id, name and kind, and the token's rights.

They are signed by this service, so that checking one costs no round trip to the store.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, get_args

import jwt
import msgspec

from service.engine.errors import PaiuteError
from service.tables.table import Player

Scope = Literal["play", "lobby", "account"]
"""A right that a token gives: to move and to see the own cards, to seats, or to the account."""

SCOPES: tuple[Scope, ...] = get_args(Scope)

ALGORITHM = "HS256"

_OPTIONS: Any = {
    "verify_exp": False,  # A token that is remembered expires too: `auth.identify` sees to that.
    "verify_iat": False,
}


class _Claims(msgspec.Struct):
    """What a token of ours holds."""

    sub: str
    name: str
    kind: Literal["human", "bot"]
    jti: str = ""
    scope: str | None = None
    exp: int | None = None


class Unauthenticated(PaiuteError):
    """There is no token."""

    code = "unauthenticated"
    challenge = "Bearer"
    """What `WWW-Authenticate` says (RFC 6750)."""


class InvalidToken(Unauthenticated):
    """There is a token, but not one that is good, now."""

    challenge = 'Bearer error="invalid_token"'


class MissingScope(PaiuteError):
    """The token does not give the right that this takes."""

    code = "missing_scope"

    def __init__(self, needed: Scope, has: tuple[Scope, ...]) -> None:
        super().__init__(
            "This takes a token with the scope `{needed}`; yours has {has}.",
            needed=needed,
            has=", ".join(f"`{scope}`" for scope in has),
        )
        self.needed, self.has = needed, has
        self.challenge = f'Bearer error="insufficient_scope", scope="{needed}"'


@dataclass(frozen=True, slots=True)
class Token:
    """What a token says.

    Args:
        player: whose it is.
        id: its own id, by which it can be revoked.
        scopes: the rights that it gives.
        expires_at: from when on it is worthless, in seconds since 1970; None is never.
        vouched: whether an identity provider has issued it, rather than this service.
    """

    player: Player
    id: str
    scopes: tuple[Scope, ...] = SCOPES
    expires_at: int | None = None
    vouched: bool = False


def first_token(player: Player) -> Token:
    """The token of a sign-up: it has all rights, no end, and the player's id as its own."""
    return Token(player, player.id)


def named_scopes(text: str) -> tuple[Scope, ...]:
    """Those of our scopes that stand in a list of names with spaces between."""
    names = text.split()
    return tuple(scope for scope in SCOPES if scope in names)


def issue(token: Token, secret: str) -> str:
    """The text of a token, which proves what it says."""
    player = token.player
    claims: dict[str, str | int] = {
        "sub": player.id,
        "name": player.name,
        "kind": player.kind,
        "jti": token.id,
        "scope": " ".join(token.scopes),
    }
    if token.expires_at is not None:
        claims["exp"] = token.expires_at
    return jwt.encode(claims, secret, ALGORITHM)


@lru_cache(maxsize=4096)
def read(text: str, secret: str) -> Token:
    """The token of a text.

    Raises:
        InvalidToken: it is not one of ours.  Whether it has expired is not asked.
    """
    try:
        said = jwt.decode(text, secret, [ALGORITHM], options=_OPTIONS)
        claims = msgspec.convert(said, _Claims)
    except (jwt.InvalidTokenError, ValueError):
        raise InvalidToken("The token is not one of this service's.") from None
    player = Player(claims.sub, claims.name, claims.kind)
    if claims.scope is None:  # Of release 0.1, which made each account a single token.
        return replace(first_token(player), expires_at=claims.exp)
    return Token(player, claims.jti, named_scopes(claims.scope), claims.exp)
