"""The public keys of an identity provider, fetched seldom, and by one thread at a time.

Anybody may send tokens that name keys which there are not, and the provider may be slow or away:
neither must keep our own callers waiting, or the provider busy.
"""

import logging
import threading
import time
from collections.abc import Callable
from http.client import HTTPException
from typing import Any, TypeVar
from urllib.request import urlopen

import jwt
import msgspec

from service import faults
from service.store.base import Unavailable

T = TypeVar("T")

logger = logging.getLogger(__name__)

ANSWER_SECONDS = 1
"""How long the provider may be silent."""

LONGEST_ANSWER = 1024 * 1024
"""How much of an answer is read, in bytes."""

FRESH_SECONDS = 300
"""How old the keys may be before they are fetched anew."""

PAUSE_SECONDS = 5
"""The pause between two fetches at least, whatever tokens come."""

MOST_WAITING = 24
"""How many callers wait for a fetch at once; further ones are told to come again."""


class ProviderAway(Unavailable):
    """The identity provider does not answer, so that its token can't be checked."""

    def __init__(self) -> None:
        super().__init__("The identity provider can't be reached now, so its token is not checked.")


class Discovery(msgspec.Struct):
    """What a provider says of itself (OpenID Connect Discovery 1.0)."""

    issuer: str
    jwks_uri: str


class KeySet(msgspec.Struct):
    """The keys of a provider (RFC 7517)."""

    keys: list[dict[str, Any]]


class ProviderKeys:
    """The keys of a provider by their ids.

    Args:
        issuer: the provider, which says itself where its keys are.
        url: where its keys are; empty is where the provider says.
        changed: what to call when the keys are no longer the same.
        clock: seconds that pass, from any beginning.
    """

    def __init__(
        self,
        issuer: str,
        url: str,
        changed: Callable[[], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._issuer = issuer
        self._url = url
        self._changed = changed
        self._clock = clock
        self._set = KeySet([])
        self._keys: dict[str, jwt.PyJWK] = {}
        self._fetching = threading.Lock()
        self._places = threading.BoundedSemaphore(MOST_WAITING)
        self._old_at = self._again_at = float("-inf")
        self._away = False

    def renew(self) -> None:
        """Fetch the keys anew where they are old; meanwhile others use the old ones."""
        if self._keys and self._clock() >= self._old_at and self._fetching.acquire(blocking=False):
            try:
                self._fetch()
            finally:
                self._fetching.release()

    def key(self, key_id: str) -> jwt.PyJWK | None:
        """A key, fetched if it is not known yet; None where the provider has no such key.

        Raises:
            ProviderAway: it is not known, and the provider does not answer.
        """
        if key_id not in self._keys and self._clock() >= self._again_at:
            self._wait_for_fetch(key_id)
        if key_id not in self._keys and self._away:
            raise ProviderAway
        return self._keys.get(key_id)

    def _wait_for_fetch(self, key_id: str) -> None:
        if not self._places.acquire(blocking=False):
            raise ProviderAway
        try:
            with self._fetching:
                if key_id not in self._keys:
                    self._fetch()
        finally:
            self._places.release()

    def _fetch(self) -> None:
        """Fetch the keys, unless that was done just now; for whoever holds the lock."""
        if self._clock() < self._again_at:
            return
        try:
            found = _get(self._url or self._discover(), KeySet)
        except (OSError, HTTPException, ValueError, msgspec.MsgspecError, RecursionError) as error:
            self._away = True
            logger.warning("no keys from the identity provider: %s", faults.describe(error))
        else:
            self._away = False
            self._old_at = self._clock() + FRESH_SECONDS
            self._take(found)
        self._again_at = self._clock() + PAUSE_SECONDS

    def _take(self, found: KeySet) -> None:
        if found != self._set:
            self._keys = dict(filter(None, map(_usable, found.keys)))
            self._changed()
            self._set = found

    def _discover(self) -> str:
        """Where the provider says that its keys are."""
        place = f"{self._issuer.removesuffix('/')}/.well-known/openid-configuration"
        said = _get(place, Discovery)
        if said.issuer != self._issuer or not said.jwks_uri.startswith(("https://", "http://")):
            raise ValueError("The provider says that it is another one, or where no keys can be.")
        return said.jwks_uri


def _usable(key: dict[str, Any]) -> tuple[str, jwt.PyJWK] | None:
    """A key with its id, if it is one that we can check signatures with."""
    key_id = key.get("kid")
    if not isinstance(key_id, str) or key.get("use", "sig") != "sig":
        return None
    try:
        return key_id, jwt.PyJWK(key)
    except (jwt.PyJWTError, NotImplementedError):  # The latter for the `alg` that is `none`.
        return None


def _get(url: str, kind: type[T]) -> T:
    """What stands at an address, which is the operator's or the provider's own."""
    with urlopen(url, timeout=ANSWER_SECONDS) as answer:  # noqa: S310 - the settings say http(s)
        return msgspec.json.decode(answer.read(LONGEST_ANSWER), type=kind)
