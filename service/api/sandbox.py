"""Sandbox matches: how strong a program plays, measured against the house's bots."""

from typing import Any

from flask import Response, g

from service.api.auth import signed_in
from service.api.commands import command
from service.api.json import PRIVATE, reply
from service.api.schemas.sandbox import MatchOut, NewMatch
from service.api.smorest import Blueprint
from service.sandbox import Wish, match_of, open_match
from service.tables.match_views import match_view
from service.tables.table import Table

blp = Blueprint(
    "sandbox",
    __name__,
    url_prefix="/v1/sandbox/matches",
    description="How strong a program plays, measured against the house's bots",
)


@blp.post("")
@signed_in("play")
@blp.refuses("limit_reached")
@blp.arguments(NewMatch(), required=False)
@blp.response(201, MatchOut())
def create_match(wish: Wish) -> Response:
    """Open a sandbox match: duplicate deals against house bots, without chips or rating

    It is played at its own table by the usual operations, and at full speed: the answer to a move
    is the next turn, perhaps that of the next deal. Each deal is played once from each seat.
    """

    def reply_made(table: Table) -> Response:
        return _reply(table, 201, {"Location": f"{blp.url_prefix}/{table.id}"})

    return command(lambda terms: open_match(g.game, g.caller, wish, terms), reply_made)


@blp.get("/<match_id>")
@signed_in("play")
@blp.response(200, MatchOut())
def get_match(match_id: str) -> Response:
    """See how a sandbox match of one's own stands

    It is kept for an hour once it is over.
    """
    return _reply(g.game.look(match_id))


def _reply(table: Table, status: int = 200, headers: dict[str, Any] | None = None) -> Response:
    view = match_view(table, match_of(table, g.caller.id))
    return reply(view, status, {**PRIVATE, **(headers or {})})
