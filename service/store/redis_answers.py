"""Answers in Redis."""

from typing import cast

from redis import Redis

from service.store import keys
from service.store.answers import CLAIM_MS, KEPT_MS, Answer, Answers
from service.store.connection import available
from service.store.scripts import script


class RedisAnswers(Answers):
    """Answers over one Redis; the client may be shared between threads."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._keep = redis.register_script(script("keep_answer"))

    def claim(self, place: str, key: str, claim: str) -> str | None:
        name = keys.keys_of(place).answer(key)
        with available():
            while not self._redis.set(name, claim, nx=True, px=CLAIM_MS):
                held = cast(bytes | None, self._redis.get(name))
                if held is not None:
                    return None if held.decode() == claim else held.decode()
        return None

    def keep(self, answer: Answer) -> bool:
        return self._swap(answer, answer.text)

    def release(self, answer: Answer) -> None:
        self._swap(answer, "")

    def _swap(self, answer: Answer, text: str) -> bool:
        name = keys.keys_of(answer.place).answer(answer.key)
        with available():
            return bool(self._keep([name], [answer.claim, text, KEPT_MS]))
