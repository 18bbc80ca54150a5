"""Ratings in Redis: all of them in one slot, since any two players may meet in a deal."""

from collections.abc import Iterable
from typing import Any, cast

import msgspec
from redis import Redis

from service.store.connection import available
from service.store.keys import RATINGS
from service.store.ratings import (
    FORGET_SECONDS,
    Kind,
    Ranked,
    Rating,
    Ratings,
    Rerated,
    above,
    place,
    ranked,
)
from service.store.scripts import script

_load = msgspec.json.Decoder(Rating).decode


class RedisRatings(Ratings):
    """Ratings over one Redis; the client may be shared between threads."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._rate = redis.register_script(script("rate"))
        self._read_board = redis.register_script(script("read_board"))

    def of(self, players: Iterable[str]) -> dict[str, Rating]:
        ids = list(players)
        with available():
            found = self._redis.hmget(RATINGS.ratings, ids) if ids else []
        pairs = zip(ids, cast(list[bytes | None], found), strict=True)
        return {player: _load(stored) for player, stored in pairs if stored is not None}

    def apply(self, table_id: str, deal: int, changes: tuple[Rerated, ...]) -> bool:
        boards = [RATINGS.board(change.kind) for change in changes]
        said = [part for change in changes for part in _said(change)]
        with available():
            done = self._rate(
                [RATINGS.ratings, RATINGS.last_rated(table_id), *boards], [deal, *said]
            )
        return bool(done)

    def rank(self, kind: Kind, points: int) -> int:
        with available():
            better = self._redis.zlexcount(RATINGS.board(kind), f"({above(points)}", "+")
        return better + 1

    def board(self, kind: Kind, after: str | None, limit: int) -> tuple[Ranked, ...]:
        upper = f"({after}" if after else "+"
        with available():
            page: Any = self._read_board([RATINGS.board(kind), RATINGS.ratings], [upper, limit])
        if not page:
            return ()
        ahead, better, places, ratings = page
        players = (one.decode().partition("-")[2] for one in places)
        return ranked(zip(players, map(_load, ratings), strict=True), ahead, better)

    def forget(self, table_id: str) -> None:
        with available():
            self._redis.expire(RATINGS.last_rated(table_id), FORGET_SECONDS)


def _said(change: Rerated) -> tuple[str, int, bytes, str]:
    after = change.after
    before = change.before.deals if change.before else 0
    return change.player, before, msgspec.json.encode(after), place(after.points, change.player)
