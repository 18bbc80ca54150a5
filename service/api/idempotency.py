"""Idempotency-Key: a POST that is sent again is answered again, not done again.

A request claims its key; a change of a table keeps the answer in its own commit, any other request
when it is done.  Answers 5xx and 429 are not kept (docs/api.md, "Sending a request again").
"""

import hashlib
import secrets
from typing import Any

import msgspec
from flask import Request, Response, g, request

from service.api import limits, problems
from service.api.credentials import SCOPES, Token
from service.engine.errors import PaiuteError
from service.store.answers import Answer, InProgress

LONGEST_KEY = 128

NOT_KEPT = ("unauthenticated", "rate_limited", "in_progress")
"""The problems of 4xx that say to come again."""

CHANGE_NOTHING = ("reference.evaluate_hands",)
"""Operations that are just done again: their answers would be the same, and may be long."""

WITH_SECRETS = ("tokens.create_token", "webhooks.create_webhook")
"""Operations whose answer is for the very token that asked: others may be good for less long."""

REPLAYED = {"Idempotency-Replayed": "true"}

KEPT_HEADERS = ("Content-Type", "Content-Language", "ETag", "Location", "Cache-Control", "Vary")

IDEMPOTENCY_KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "description": "1 to 128 printable ASCII characters that you choose for this request alone, "
    "a UUID for instance. The same request with the same key within 24 hours is answered as the "
    "first time and not done again.",
    "schema": {"type": "string", "pattern": f"^[!-~]([ -~]{{0,{LONGEST_KEY - 2}}}[!-~])?$"},
}


class IdempotencyKeyReused(PaiuteError):
    """The key came before, with another request."""

    code = "idempotency_key_reused"


class BadKey(PaiuteError):
    """The key is empty, too long, or has characters that don't print."""

    code = "validation_failed"


class Kept(msgspec.Struct, array_like=True):
    """What is held under a key: which request, who runs it, and the answer once there is one."""

    asked: str
    claim: str
    status: int = 0
    headers: dict[str, str] = {}
    body: str = ""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Kept).decode


class Keyed:
    """A POST with an idempotency key, from its claim to its answer."""

    def __init__(self, key: str) -> None:
        table: str = (request.view_args or {}).get("table_id", "")
        self.key = _digest(_sender(), table, key)
        self.beside = table or self.key
        self.response: Response | None = None
        self._changes_nothing = request.endpoint in CHANGE_NOTHING
        self._answered = False
        asked = _digest(request.path, request.get_data(cache=True).hex())
        self._claimed = Kept(asked, secrets.token_hex(8))
        self._claim = _encode(self._claimed).decode()

    def claim(self) -> Response | None:
        """Claim the key; gives the answer, where there is one already.

        Raises:
            IdempotencyKeyReused: the key came with another request.
            InProgress: the same request is running.
        """
        held = g.game.store.answers.claim(self.beside, self.key, self._claim)
        if held is None:
            return None
        self._answered = True
        kept = _decode(held)
        if kept.asked != self._claimed.asked:
            raise IdempotencyKeyReused(
                "This `Idempotency-Key` came before, with another request: take a new one."
            )
        if not kept.status:
            raise InProgress
        if self._changes_nothing:
            return None
        return Response(kept.body, kept.status, kept.headers | REPLAYED)

    def answer(self, response: Response) -> Answer:
        """A response, as it is kept."""
        self.response = response
        headers = {
            name: response.headers[name] for name in KEPT_HEADERS if name in response.headers
        }
        claimed = self._claimed
        body = "" if self._changes_nothing else response.get_data(as_text=True)
        kept = Kept(claimed.asked, claimed.claim, response.status_code, headers, body)
        return Answer(self.key, self.beside, self._claim, _encode(kept).decode())

    def finish(self, response: Response) -> None:
        """Keep a response, unless its change did so, or the request may be tried again.

        Raises:
            InProgress: the request took so long that another one with its key is running.
        """
        if self._answered and self._changes_nothing:
            response.headers.update(REPLAYED)
        if self._answered or response is self.response:
            return
        answers, answer = g.game.store.answers, self.answer(response)
        if g.get("problem") in NOT_KEPT or response.status_code >= 500:
            answers.release(answer)
        elif not answers.keep(answer):
            raise InProgress


def begin(asked: Request, state: Any) -> Response | None:
    """Claim the key that a POST came with; gives the answer, where there is one already.

    Args:
        asked: the request.
        state: its `g`.

    Raises:
        BadKey: it is no key.
    """
    state.keyed = None
    key = asked.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is None or asked.method != "POST" or asked.url_rule is None:
        return None
    key = key.strip()
    if not 1 <= len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise BadKey(
            "An `Idempotency-Key` takes 1 to {most} printable ASCII characters.",
            most=LONGEST_KEY,
            field="Idempotency-Key",
        )
    keyed = Keyed(key)
    answer = keyed.claim()
    state.keyed = keyed
    return answer


def finish(response: Response) -> Response:
    """Keep a response under the key that its request came with."""
    keyed: Keyed = g.keyed
    try:
        keyed.finish(response)
    except PaiuteError as error:
        return problems.refusal(error)
    return response


def _sender() -> str:
    """Who has chosen the key: without a token, whoever calls from the same place.

    An answer may hold what only a token with some scope may see: others never get it.
    """
    token: Token | None = g.token
    if g.get("operator"):
        return "operator"
    if token is None:
        return f"{limits.address()} {request.user_agent}"
    lacking = [scope for scope in SCOPES if scope not in token.scopes]
    very_token = [token.id] if request.endpoint in WITH_SECRETS else []
    return " ".join([token.player.id, *very_token, *lacking])


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]
