"""Whether the process lives, and whether it can serve."""

from flask import Response, g

from service import drain
from service.api.json import NO_STORE, reply
from service.api.schemas.answers import HealthOut
from service.api.smorest import Blueprint
from service.store.base import Unavailable

blp = Blueprint("health", __name__, description="How the process is")


@blp.get("/healthz")
@blp.for_anybody
@blp.response(200, HealthOut())
def get_liveness() -> Response:
    """Tell that the process lives"""
    return reply({"status": "ok"}, headers=NO_STORE)


@blp.get("/readyz")
@blp.for_anybody
@blp.response(200, HealthOut())
def get_readiness() -> Response:
    """Tell whether the process can serve: its store answers, and it knows what was revoked"""
    if drain.begun():
        raise Unavailable("This process is about to be stopped.")
    g.game.store.ping()
    if not g.game.store.revocations.ready():
        raise Unavailable("The list of revoked tokens is still being read.")
    return reply({"status": "ok"}, headers=NO_STORE)
