"""Requests as a careful client sends them: again and again with one key, until the answer is clear.

And as a careless one does: twice, one after the other or at once; or without a key.
"""

import threading
import time
from dataclasses import dataclass
from random import Random
from typing import Any

import requests

from tests.chaos.findings import Findings, Law
from tests.chaos.journal import Journal, Outcome, Request

Json = dict[str, Any]

TIMEOUT = (5, 12)
"""Seconds to connect, and to wait for an answer: longer than anything is halted for."""

GIVE_UP_SECONDS = 60
RETRY_SECONDS = (0.05, 0.5)
TWICE = 0.05
"""How often a request is sent twice at once, and how often once more after its answer."""

BARE = 0.1
"""How often a request that names its version goes without a key."""

UNCLEAR = (409, "in_progress")
REUSED = "idempotency_key_reused"


@dataclass(frozen=True)
class Answer:
    """What the service said."""

    status: int
    text: str
    body: Json
    replayed: bool = False

    @property
    def final(self) -> bool:
        """Whether sending it again would bring nothing else."""
        return self.status < 500 and self.status != 429 and not self.in_progress

    @property
    def in_progress(self) -> bool:
        """Whether the first sending of the request is still at work."""
        return (self.status, self.body.get("code")) == UNCLEAR

    @property
    def ok(self) -> bool:
        """Whether it was done."""
        return self.status < 300


class Caller:
    """One client's way to the service.

    Args:
        url: where the service is, or seems to be.
        chance: decides on keys and duplicates.
        journal: gets every request.
        findings: gets what the answers do wrong.
    """

    def __init__(self, url: str, chance: Random, journal: Journal, findings: Findings) -> None:
        self.player = ""
        self._url, self._chance = url, chance
        self._journal, self._findings = journal, findings
        self._http = requests.Session()
        self._token = ""

    def close(self) -> None:
        """Let the connections go."""
        self._http.close()

    def signed_in(self, player: str, token: str) -> None:
        """Be a player from now on."""
        self.player, self._token = player, token

    def get(self, path: str, known: int | None = None, **query: Any) -> Answer | None:
        """GET under /v1; None where no answer came."""
        headers = {} if known is None else {"If-None-Match": f'"{known}"'}
        return self._send(self._http, "GET", path, headers, params=query)

    def post(
        self, action: str, path: str, body: Json, table: str = "", expected: int | None = None
    ) -> Answer | None:
        """POST under /v1 until the answer is clear; None where it never was."""
        bare = expected is not None and self._chance.random() < BARE
        key = None if bare else f"{self._chance.getrandbits(128):032x}"
        headers = {} if key is None else {"Idempotency-Key": key}
        if expected is not None:
            headers["If-Match"] = f'"{expected}"'
        answers, lost = self._until_clear(path, headers, body)
        answer = next((one for one in answers if one.final), None)
        outcome = _outcome(answer, lost and bare)
        if key is not None and answer is not None:
            answers += self._once_more(path, headers, body)
            self._compare(path, body, key, answers)
        view = answer.body if answer else {}
        table = view["id"] if action == "create" and answer and answer.ok else table
        status = answer.status if answer else 0
        args = (self.player, table, action, body, key, expected, outcome, status, view)
        self._journal.add(Request(*args))
        return answer

    def _until_clear(self, path: str, headers: Json, body: Json) -> tuple[list[Answer], bool]:
        """All answers up to the first clear one, and whether one was lost before it."""
        until = time.monotonic() + GIVE_UP_SECONDS
        keyed = "Idempotency-Key" in headers
        lost = False
        while True:
            if keyed and self._chance.random() < TWICE:
                answers = self._at_once(path, headers, body)
            else:
                answer = self._send(self._http, "POST", path, headers, json=body)
                answers = [] if answer is None else [answer]
            if any(one.final for one in answers) or time.monotonic() > until:
                return answers, lost
            lost = True
            self._journal.count("sent again")
            time.sleep(self._chance.uniform(*RETRY_SECONDS))

    def _at_once(self, path: str, headers: Json, body: Json) -> list[Answer]:
        """Send a request from two threads."""
        self._journal.count("sent twice at once")
        answers: list[Answer] = []

        def send() -> None:
            with requests.Session() as http:
                answer = self._send(http, "POST", path, headers, json=body)
            if answer is not None:
                answers.append(answer)

        threads = [threading.Thread(target=send) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return answers

    def _once_more(self, path: str, headers: Json, body: Json) -> list[Answer]:
        """Now and then, the answer to a request that has its answer already."""
        if self._chance.random() >= TWICE:
            return []
        answer = self._send(self._http, "POST", path, headers, json=body)
        if answer is None or not answer.final:
            return []
        self._journal.count("sent once more")
        if not answer.replayed and answer.body.get("code") != REUSED:
            what = f"{path} {body}: {answer.status} without Idempotency-Replayed"
            self._findings.add(Law.ANSWERS, what)
        return [answer]

    def _compare(self, path: str, body: Json, key: str, answers: list[Answer]) -> None:
        """Whatever is answered to one key is the same each time; no other request has it."""
        found = {(one.status, one.text) for one in answers if one.final}
        if len(found) > 1 or any(one.body.get("code") == REUSED for one in answers):
            told = ", then ".join(f"{status} {text[:200]}" for status, text in sorted(found))
            what = f"{path} {body} (key {key}) of {self.player}: {told}"
            self._findings.add(Law.ANSWERS, what)

    def _send(
        self, http: requests.Session, method: str, path: str, headers: Json, **more: Any
    ) -> Answer | None:
        sent = headers | ({"Authorization": f"Bearer {self._token}"} if self._token else {})
        try:
            got = http.request(
                method, f"{self._url}/v1{path}", headers=sent, timeout=TIMEOUT, **more
            )
            body = got.json() if got.content else {}
        except (requests.RequestException, ValueError):
            self._journal.count("answers lost")
            return None
        if got.status_code >= 500:
            self._journal.count(f"answers {got.status_code}")
        if got.status_code == 500:
            what = f"{method} {path} {more}: {got.text[:300]}"
            self._findings.add(Law.FAULT, what)
        replayed = got.headers.get("Idempotency-Replayed") == "true"
        return Answer(got.status_code, got.text, body, replayed)


def _outcome(answer: Answer | None, lost_without_key: bool) -> Outcome:
    if answer is None or (lost_without_key and not answer.ok):
        return Outcome.UNKNOWN
    return Outcome.ACKNOWLEDGED if answer.ok else Outcome.REFUSED
