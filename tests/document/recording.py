"""The examples of the document: real requests and answers, of one story.

`make openapi` writes them down.  Time and chance are fixed, and what is random all the same, such
as ids, is put in the place of it afterwards; so the story told again gives the very same.
"""

import base64
import hashlib
import itertools
import json
import logging
import re
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ulid import ULID

from service.api.examples import FILE
from service.api.streams import NDJSON, SSE, _written
from service.webhooks.sending import Sender
from tests.api.contract import Answer, Json, operations
from tests.api.world import UNLIMITED, World
from tests.document import story
from tests.support.provider import AUDIENCE, Provider
from tests.support.receiver import receiver

CHANCE = "seed 5"
"""A chance that deals a game with all kinds of moves."""

ID = re.compile(r"\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b|(?<=[-_])(?:[0-9a-f]{16}){1,2}\b")
"""An id, or the end of one that has another id in it."""

STAND_INS = {
    "token": "eyJhbGciOiJIUzI1NiJ9.the-claims.the-signature",
    "secret": "whsec_" + base64.b64encode(b"the secret of this webhook").decode(),
    "invite_code": "Pd2vK8sQ",
}
"""What stands where a text is random, or would be a secret, by its field."""

PLACE = "AAAAAAAAAQGb4I-0e1f3vF5pAZm7RGDIAAAAAAAAAAc="
"""What stands where an event of an account has its id."""

ELSEWHERE = "elsewhere"
"""Stands for what is no operation."""

STREAMS = ("listEvents", "listMyEvents")


class Scribe(World):
    """A service that writes down what is asked and answered: the first of each, the longest list.

    Args:
        issuer: an identity provider.
    """

    def __init__(self, issuer: str) -> None:
        settings = replace(UNLIMITED, oidc_issuer=issuer, oidc_audience=AUDIENCE)
        super().__init__(settings, Sender(private=True))
        self.requests: dict[str, Any] = {}
        self.answers: dict[str, Json] = {}
        self.problems: dict[str, Json] = {}
        self.deliveries: Json = {}
        self._names = {
            (one["path"], one["method"]): name
            for name, one in operations(self.contract.document).items()
        }

    def _send(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Answer:
        answer = super()._send(method, path, headers, body)
        self.clock.now += 250
        template = self.contract.template(path.partition("?")[0])
        name = self._names.get((template, method.lower()), ELSEWHERE)
        if answer.status >= 400:
            self.problems.setdefault(name, {}).setdefault(answer.json["code"], answer.json)
        elif answer.raw:
            known = self.answers.setdefault(name, {})
            told = known.setdefault(str(answer.status), answer.json)
            if "items" in answer.json and len(answer.json["items"]) > len(told["items"]):
                known[str(answer.status)] = answer.json
            if body:
                self.requests.setdefault(name, json.loads(body))
        return answer

    def written_down(self) -> Json:
        """All of it, in the order of the document."""
        names = [*self._names.values(), ELSEWHERE]
        return {
            "requests": _in_order(self.requests, names),
            "answers": _in_order(self.answers, names),
            "problems": _in_order(self.problems, names),
            "webhooks": self.deliveries,
        }


def _in_order(found: Json, names: list[str]) -> Json:
    return {name: found[name] for name in names if name in found}


def record() -> Json:
    """Tell the story, and give what was written down."""
    with Provider(story.NOW).running() as provider, receiver() as endpoint:
        scribe = Scribe(provider.issuer)
        scribe.game.chance = _chance()
        try:
            story.tell(scribe, provider, endpoint)
        finally:
            scribe.game.chance = secrets.token_bytes
        for got in endpoint.got:
            scribe.deliveries.setdefault(got.type, got.json)
        text = json.dumps(_without_chance(scribe.written_down()))
    for url, instead in ((endpoint.url, story.ENDPOINT), (provider.issuer, story.ISSUER)):
        text = text.replace(url, instead)
    ids: dict[str, str] = {}
    found: Json = json.loads(ID.sub(lambda it: ids.setdefault(it[0], _id(it[0], len(ids))), text))
    return found | {"streams": {name: _streams(found, name) for name in STREAMS}}


def _chance() -> Callable[[int], bytes]:
    numbers = itertools.count()
    return lambda size: hashlib.sha256(f"{CHANCE}, {next(numbers)}".encode()).digest()[:size]


def _id(made: str, number: int) -> str:
    """What stands for an id, or the end of one, that appears as the `number`th."""
    chance = hashlib.sha256(b"%d" % number)
    if made[0] == "0" and len(made) == len(str(ULID())):
        moment = ULID.from_timestamp(float(story.NOW)).bytes[:6]
        return str(ULID.from_bytes(moment + chance.digest()[:10]))
    return chance.hexdigest()[: len(made)]


def _without_chance(said: Any, field: str = "") -> Any:
    """What was said, with something else in the place of what is random or secret."""
    match said:
        case {"id": str(), "type": _, "at": _, "version": _}:
            rest = {name: _without_chance(value, name) for name, value in said.items()}
            return rest | {"id": PLACE}
        case dict():
            return {name: _without_chance(value, name) for name, value in said.items()}
        case list():
            return [_without_chance(one) for one in said]
        case str():
            return STAND_INS.get(field, said)
        case _:
            return said


def _streams(found: Json, name: str) -> Json:
    """How the first events of an operation come in a stream."""
    events = found["answers"][name]["200"]["items"][:3]
    return {form: b"".join(_written(form, events, iter(()))).decode() for form in (SSE, NDJSON)}


if __name__ == "__main__":
    logging.disable()
    FILE.write_text(json.dumps(record(), indent=1, ensure_ascii=False) + "\n")
