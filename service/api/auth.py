"""Who is calling: a bearer token (RFC 6750) of our own or of the identity provider."""

import math
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from flask import Request, g

from service.api import credentials
from service.api.credentials import InvalidToken, MissingScope, Scope, Token, Unauthenticated
from service.api.here import here
from service.api.oidc import Provider, Vouched
from service.game import Game
from service.identities import welcome
from service.store import tokens
from service.tables.table import Player

P = ParamSpec("P")
R = TypeVar("R")


def identify(asked: Request, state: Any) -> None:
    """Set `g.token` to the token that came with the request, and `g.caller` to its player.

    Both are None without one.

    Args:
        asked: the request.
        state: its `g`.

    Raises:
        Unauthenticated: something else came.
        InvalidToken: the token is not a good one, or no longer.
    """
    state.caller = state.token = None
    header = asked.environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return
    scheme, _, text = header.partition(" ")
    if scheme.lower() != "bearer" or not text.strip():
        raise Unauthenticated("Send the token as `Authorization: Bearer <token>`.")
    token = _read(text.strip(), state)
    Permit(state.game, token).check()
    state.token, state.caller = token, token.player


class Permit:
    """The token of a request, if it has one, which may end while the request goes on.

    Args:
        game: the application.
        token: the token; None never ends.
    """

    def __init__(self, game: Game, token: Token | None) -> None:
        self._game = game
        self._token = token

    @property
    def woken_by(self) -> str:
        """The name by which whoever waits is woken when the token is revoked."""
        return tokens.woken_by(self._token.id if self._token else "")

    @property
    def seconds_left(self) -> float:
        """How long it is until the token expires."""
        ends = self._token.expires_at if self._token else None
        return math.inf if ends is None else ends - self._game.now() / 1000

    def check(self, woken_by: frozenset[str] = frozenset()) -> None:
        """See whether the token is still good.

        Args:
            woken_by: the names by which the request was just woken, if it was waiting.

        Raises:
            InvalidToken: it has expired, or was revoked.
        """
        if self._token is None:
            return
        if self.seconds_left <= 0:
            raise InvalidToken("The token has expired.")
        revocations = self._game.store.revocations
        asks = revocations.revoked_now if self.woken_by in woken_by else revocations.revoked
        if asks(self._token.id):
            raise InvalidToken("The token was revoked.")


def permit() -> Permit:
    """What a request that waits asks again before it answers."""
    state = here()[1]
    return Permit(state.game, state.token)


def now() -> int:
    """The time in whole seconds since 1970, as tokens have it."""
    return int(g.game.now()) // 1000


def _read(text: str, state: Any) -> Token:
    provider: Provider | None = state.provider
    if provider and provider.issued(text):
        return _of_identity(provider.check(text))
    return credentials.read(text, state.config.secret)


def _of_identity(vouched: Vouched) -> Token:
    """The token of an outside identity, which gets an account at its first use."""
    vouched.check_time(now())
    player = welcome(g.game, vouched.identity, vouched.name)
    return Token(player, vouched.token_id, vouched.scopes, vouched.expires_at, vouched=True)


def caller_id() -> str | None:
    """The id of the player who calls, or None."""
    player: Player | None = here()[1].get("caller")
    return player.id if player else None


def viewer_id() -> str | None:
    """The id of the player whose cards the caller may see, or None: it takes the scope `play`."""
    return id_with("play", g.get("token"))


def inviter_id() -> str | None:
    """The id of the player whose invite codes the caller may see: it takes the scope `lobby`."""
    return id_with("lobby", g.get("token"))


def id_with(scope: Scope, token: Token | None) -> str | None:
    """The id of a token's player, where it gives a right."""
    return token.player.id if token and scope in token.scopes else None


def signed_in(scope: Scope | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let only callers through whose token has a scope, or any token where none is named.

    They are `g.caller`, and their token is `g.token`.
    """

    def decorator(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
            token: Token | None = here()[1].token
            if token is None:
                raise Unauthenticated(
                    "Get a token with POST /v1/players and send it as a bearer token."
                )
            if scope:
                check_scope(scope, token)
            return view(*args, **kwargs)

        noted: Any = guarded
        notes = {**getattr(view, "_apidoc", {}), "signed_in": True, "scope": scope}
        noted._apidoc = notes  # noqa: SLF001 - where flask-smorest keeps what it documents
        return guarded

    return decorator


def check_scope(scope: Scope, token: Token) -> None:
    """Raise `MissingScope` unless a token has a scope."""
    if scope not in token.scopes:
        raise MissingScope(scope, token.scopes)
