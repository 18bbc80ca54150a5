"""The draw by hand in Flask: a connection to Redis for each thread, JSON by msgspec."""

import os
import threading

from flask import Flask, Response, request
from redis import Redis

from bench import byhand

URL = "BENCH_REDIS_URL"


def create_app(url: str | None = None) -> Flask:
    """The application, over the Redis that BENCH_REDIS_URL names if no other is."""
    app = Flask("byhand", static_folder=None)
    url, threads = url or os.environ[URL], threading.local()

    def connection() -> Redis:
        if not hasattr(threads, "redis"):
            threads.redis = Redis.from_url(url, single_connection_client=True)
            threads.sha = threads.redis.script_load(byhand.COMPARE_AND_SET)
        redis: Redis = threads.redis
        return redis

    @app.get("/v1/tables/<table_id>")
    def look(table_id: str) -> Response:
        state = load(table_id)
        return _json(byhand.view(state, byhand.seat_of(state, _token())))

    @app.post("/v1/tables/<table_id>/<any(draw, discard):move>")
    def play(table_id: str, move: str) -> Response:
        card = byhand.decode(request.get_data()).get("card")
        state = load(table_id)
        version = state["version"]
        seat = byhand.play(state, _token(), request.headers["If-Match"], move, card)
        stored = version, state["version"], byhand.encode(state)
        if not connection().evalsha(threads.sha, 1, byhand.KEY % table_id, *stored):
            raise byhand.Refused
        return _json(byhand.view(state, seat))

    def load(table_id: str) -> byhand.State:
        stored = connection().hget(byhand.KEY % table_id, "state")
        if stored is None:
            raise byhand.NotFound
        return byhand.decode(stored)

    @app.errorhandler(byhand.Refused)
    def refuse(error: byhand.Refused) -> tuple[str, int]:
        return "", 404 if isinstance(error, byhand.NotFound) else 409

    return app


def _token() -> str:
    return request.headers.get("Authorization", "").removeprefix("Bearer ")


def _json(view: byhand.State) -> Response:
    return Response(byhand.encode(view), mimetype="application/json")
