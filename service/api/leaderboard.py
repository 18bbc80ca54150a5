"""Who plays how well: the boards, and what everyone may know of a player."""

from typing import Any

from flask import Response, g

from service.api.json import NO_STORE, reply
from service.api.schemas.ratings import BoardPage, PublicPlayerOut
from service.api.schemas.requests import BoardQuery
from service.api.smorest import Blueprint
from service.ratings import uncertainty
from service.store.ratings import Ranked
from service.tables.table import Player

blp = Blueprint("leaderboard", __name__, url_prefix="/v1", description="Ratings of players")


@blp.get("/leaderboard")
@blp.arguments(BoardQuery(), location="query")
@blp.response(200, BoardPage())
def list_leaderboard(query: dict[str, Any]) -> Response:
    """List the rated players, the best first

    People and outside programs have a board each. On it are those who have played a deal that
    counts.
    """
    limit = query["limit"]
    found = g.game.store.ratings.board(query["kind"], query.get("cursor"), limit + 1)
    page, next_page = found[:limit], found[limit - 1].place if len(found) > limit else None
    players = g.game.store.accounts.players([one.player for one in page])
    items = [
        {"player": _player_view(players[one.player])} | _rating_view(one)
        for one in page
        if one.player in players
    ]
    return reply({"items": items, "next": next_page}, headers=NO_STORE)


@blp.get("/players/<player_id>")
@blp.response(200, PublicPlayerOut())
def get_player(player_id: str) -> Response:
    """See what everyone may know of a player: name, kind, rating

    For those who have an account; the house's bots have none.
    """
    player = g.game.store.accounts.account(player_id).player
    ranked = g.game.store.ratings.ranked(player_id, player.kind)
    rating = _rating_view(ranked) if ranked else None
    return reply(_player_view(player) | {"rating": rating}, headers=NO_STORE)


def _player_view(player: Player) -> dict[str, Any]:
    return {"id": player.id, "name": player.name, "kind": player.kind}


def _rating_view(ranked: Ranked) -> dict[str, Any]:
    rating = ranked.rating
    return {
        "rank": ranked.rank,
        "rating": rating.points,
        "uncertainty": uncertainty(rating),
        "deals": rating.deals,
        "won": rating.won,
    }
