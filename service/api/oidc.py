"""Sign-in with an outside identity provider: its tokens (OpenID Connect) are taken like our own."""

import hashlib
import time
from base64 import urlsafe_b64decode
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from typing import Any

import jwt
import msgspec

from service.api.credentials import SCOPES, InvalidToken, Scope, named_scopes
from service.api.provider_keys import ProviderKeys
from service.config import Config
from service.store.identities import Identity

ASYMMETRIC = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
)
"""A signature that the holder of a public key could make proves nothing."""

LONGEST_NAME = 40
LONGEST_SUBJECT = 255

AHEAD_SECONDS = 30
"""How far the provider's clock may be ahead of ours: then its token is good a moment early."""

_OPTIONS: Any = {
    "require": ["iss", "sub", "aud", "exp"],
    "verify_exp": False,  # A token that is remembered expires too: `auth.identify` sees to that.
    "verify_nbf": False,
    "verify_iat": False,
    "enforce_minimum_key_length": True,
}


class _Issuer(msgspec.Struct):
    iss: str


_issuer = msgspec.json.Decoder(_Issuer).decode


@dataclass(frozen=True, slots=True)
class Vouched:
    """What a token of the provider says, once its signature is checked.

    Args:
        identity: who it is.
        name: what others may call them.
        token_id: tells the token from others.
        scopes: the rights that it gives here.
        not_before: from when on it is good, in seconds since 1970.
        expires_at: until when it is, in the same seconds.
    """

    identity: Identity
    name: str
    token_id: str
    scopes: tuple[Scope, ...]
    not_before: int
    expires_at: int

    def check_time(self, now: int) -> None:
        """Raise `InvalidToken` unless it is good now, in seconds since 1970."""
        if now < self.not_before - AHEAD_SECONDS:
            raise InvalidToken("The token is not good yet.")
        if now >= self.expires_at:
            raise InvalidToken("The token has expired.")


class Provider:
    """The identity provider whose tokens are taken.

    Args:
        issuer: its name, which is an address.
        audience: what its tokens have to be made for.
        keys_url: where its keys are; empty is where it says.
        clock: seconds that pass, from any beginning.
    """

    def __init__(
        self,
        issuer: str,
        audience: str,
        keys_url: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._issuer = issuer
        self._audience = audience
        self._checked = lru_cache(maxsize=4096)(self._check)
        self._keys = ProviderKeys(issuer, keys_url, self._checked.cache_clear, clock)

    def issued(self, text: str) -> bool:
        """Whether a token says that it is the provider's; whether that is true is not asked."""
        try:
            _, payload, _ = text.split(".")
            said = _issuer(urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        except (ValueError, msgspec.MsgspecError, RecursionError):
            return False
        return said.iss == self._issuer

    def check(self, text: str) -> Vouched:
        """What a token says, whenever it was or will be good.

        Raises:
            InvalidToken: it is not the provider's, or not made for us.
            ProviderAway: its key is not known, and the provider does not answer.
        """
        self._keys.renew()
        return self._checked(text)

    def _check(self, text: str) -> Vouched:
        try:
            claims = self._claims(text)
        except (jwt.PyJWTError, ValueError, RecursionError):
            claims = None
        vouched = claims and self._vouched(claims, text)
        if not vouched:
            raise InvalidToken(
                "The token is not one that the identity provider has issued for this service."
            )
        return vouched

    def _claims(self, text: str) -> dict[str, Any] | None:
        header = jwt.get_unverified_header(text)
        key_id = header.get("kid")
        if header.get("alg") not in ASYMMETRIC or not isinstance(key_id, str):
            return None
        key = self._keys.key(key_id)
        if key is None:
            return None
        return jwt.decode(
            text, key, ASYMMETRIC, audience=self._audience, issuer=self._issuer, options=_OPTIONS
        )

    def _vouched(self, claims: dict[str, Any], text: str) -> Vouched | None:
        subject, scope = claims["sub"], claims.get("scope")
        expires_at, not_before = _seconds(claims["exp"]), _seconds(claims.get("nbf", 0))
        if not 1 <= len(subject) <= LONGEST_SUBJECT or not subject.isprintable():
            return None
        if expires_at is None or not_before is None:
            return None
        # The signature is left out: some kinds can be written in two ways.
        signed = text.rpartition(".")[0].encode()
        return Vouched(
            identity=Identity(self._issuer, subject),
            name=_name(claims),
            token_id=f"oidc-{hashlib.sha256(signed).hexdigest()[:32]}",
            scopes=(named_scopes(scope) if isinstance(scope, str) else ()) or SCOPES,
            not_before=not_before,
            expires_at=expires_at,
        )


def provider_of(config: Config) -> Provider | None:
    """The provider that the settings name, if any."""
    if not config.oidc_issuer:
        return None
    return Provider(config.oidc_issuer, config.oidc_audience, config.oidc_jwks_url)


def _seconds(said: object) -> int | None:
    """A time of a claim in whole seconds; None where it is none."""
    if isinstance(said, bool) or not isinstance(said, int | float) or not isfinite(said):
        return None
    return int(said)


def _name(claims: dict[str, Any]) -> str:
    """What others may call somebody: their name, or the user's name without a mail host."""
    said = [claims.get("name"), str(claims.get("preferred_username", "")).partition("@")[0]]
    clean = (_visible(one) for one in said if isinstance(one, str))
    return next(filter(None, clean), "Player")


def _visible(text: str) -> str:
    """A text as one short line, without what can't be seen or would upset the line."""
    seen = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(seen.split())[:LONGEST_NAME].strip()
