"""A Redis client whose process dies at a step of one's choice: kill -9, as a test sees it."""

from collections.abc import Callable
from typing import Any

from redis import Redis

from service.store.connection import connect


class Killed(BaseException):
    """The process is gone; nothing in it may catch this."""


class Deathbed:
    """Counts the round trips of a client and dies before or after one of them.

    Args:
        url: the server.
        step: the round trip to die at, from 1; 0 is never.
        done: whether the server still does what this round trip asks.
    """

    def __init__(self, url: str, step: int, *, done: bool) -> None:
        self.steps = 0
        self._step, self._done = step, done
        self.redis: Redis = connect(url)
        self._wrap(self.redis, "execute_command")
        make = self.redis.pipeline

        def pipeline(*args: Any, **options: Any) -> Any:
            pipe = make(*args, **options)
            self._wrap(pipe, "execute")
            return pipe

        self.redis.pipeline = pipeline  # type: ignore[method-assign]

    def _wrap(self, client: Any, name: str) -> None:
        call: Callable[..., Any] = getattr(client, name)

        def counted(*args: Any, **options: Any) -> Any:
            self.steps += 1
            if self.steps != self._step:
                return call(*args, **options)
            if self._done:
                call(*args, **options)
            raise Killed

        setattr(client, name, counted)
