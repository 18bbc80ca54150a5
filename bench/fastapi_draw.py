"""The draw by hand in FastAPI, for uvicorn: redis-py under asyncio, JSON by msgspec."""

import os
from typing import Annotated, Literal

from fastapi import FastAPI, Header, Request, Response
from pydantic import BaseModel
from redis.asyncio import Redis

from bench import byhand
from bench.flask_draw import URL


class Move(BaseModel):
    """What comes with a move."""

    card: str | None = None


Authorization = Annotated[str, Header()]
IfMatch = Annotated[str, Header()]


def create_app() -> FastAPI:
    """The application, over the Redis that BENCH_REDIS_URL names."""
    app = FastAPI(openapi_url=None)
    # With the usual 100 at most, every other answer is an error at 256 connections.
    redis = Redis.from_url(os.environ[URL], max_connections=1024)
    compare_and_set = redis.register_script(byhand.COMPARE_AND_SET)

    @app.get("/v1/tables/{table_id}")
    async def look(table_id: str, authorization: Authorization = "") -> Response:
        state = await load(table_id)
        return _json(byhand.view(state, byhand.seat_of(state, _token(authorization))))

    @app.post("/v1/tables/{table_id}/{move}")
    async def play(
        table_id: str,
        move: Literal["draw", "discard"],
        body: Move,
        authorization: Authorization,
        if_match: IfMatch,
    ) -> Response:
        state = await load(table_id)
        version = state["version"]
        seat = byhand.play(state, _token(authorization), if_match, move, body.card)
        stored = [version, state["version"], byhand.encode(state)]
        if not await compare_and_set([byhand.KEY % table_id], stored):
            raise byhand.Refused
        return _json(byhand.view(state, seat))

    async def load(table_id: str) -> byhand.State:
        stored = await redis.hget(byhand.KEY % table_id, "state")
        if stored is None:
            raise byhand.NotFound
        return byhand.decode(stored)

    @app.exception_handler(byhand.Refused)
    async def refuse(_: Request, error: Exception) -> Response:
        return Response(status_code=404 if isinstance(error, byhand.NotFound) else 409)

    return app


def _token(authorization: str) -> str:
    return authorization.removeprefix("Bearer ")


def _json(view: byhand.State) -> Response:
    return Response(byhand.encode(view), media_type="application/json")
