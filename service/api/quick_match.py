"""Quick match: a seat at any table."""

from typing import Any

from flask import Response, g

from service.api.auth import signed_in
from service.api.commands import command
from service.api.schemas.answers import TableOut
from service.api.schemas.requests import QuickMatch
from service.api.smorest import Blueprint
from service.api.versions import table_reply
from service.quick_match import quick_match as find_table
from service.tables.matching import Wish
from service.tables.table import Table

blp = Blueprint("quick_match", __name__, url_prefix="/v1", description="A seat at any table")


@blp.post("/quick-match")
@signed_in("lobby")
@blp.refuses("insufficient_chips", "limit_reached", "rules_changed")
@blp.arguments(QuickMatch())
@blp.response(200, TableOut())
def quick_match(body: dict[str, Any]) -> Response:
    """Take a seat at any public table with so many seats and this ante, or at a new one

    It is a table with the usual house rules and a buy-in of 20 antes at most, that waits or is
    between two deals: the one with the fewest open seats, of these the oldest. Who waits at one
    already, from an earlier quick match, gets that one.
    """
    wish = Wish(body["seats"], body["ante"], body["bots_after_seconds"])

    def reply_found(table: Table) -> Response:
        return table_reply(table, 200, {"Location": f"/v1/tables/{table.id}"})

    return command(
        lambda terms: find_table(g.game, g.caller, wish, body["rules_hash"], terms), reply_found
    )
