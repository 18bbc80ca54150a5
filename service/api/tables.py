"""Tables: the lobby, making one, looking at one, and who sits where."""

from typing import Any

from flask import Response, g

from service.api import polls
from service.api.auth import signed_in
from service.api.commands import command, table_command
from service.api.json import NO_STORE, reply
from service.api.pages import sift
from service.api.schemas.answers import LobbyPage, TableOut
from service.api.schemas.requests import (
    BotInSeat,
    JoinIn,
    LobbyQuery,
    NewTable,
    NothingIn,
    Wait,
)
from service.api.smorest import Blueprint
from service.api.versions import (
    IF_MATCH,
    IF_NONE_MATCH,
    known_version,
    not_modified,
    table_reply,
)
from service.store.base import Listed
from service.tables import Leave, RemoveBot, Settings, Start, Table, views

blp = Blueprint("tables", __name__, url_prefix="/v1/tables", description="Tables and seats")


@blp.post("")
@signed_in("lobby")
@blp.refuses("insufficient_chips", "limit_reached")
@blp.arguments(NewTable())
@blp.response(201, TableOut())
def create_table(body: tuple[Settings, tuple[str, ...]]) -> Response:
    """Make a table and take its first seat

    With as many bots as seats, the maker watches. A table with `start_when: full` begins at once
    when its last seat is taken.
    """

    def reply_made(table: Table) -> Response:
        return table_reply(table, 201, {"Location": f"/v1/tables/{table.id}"})

    return command(lambda terms: g.game.create_table(g.caller, *body, terms), reply_made)


@blp.get("")
@blp.arguments(LobbyQuery(), location="query")
@blp.response(200, LobbyPage())
def list_tables(query: dict[str, Any]) -> Response:
    """List the public tables, the latest first

    A page may be short though there are more: go on while `next` is not null.
    """
    open_only = query.get("open_seats", 0) > 0

    def read(before: str | None, limit: int) -> Listed:
        listed: Listed = g.game.store.lobby(before, open_only, limit)
        return listed

    tables, next_page = sift(read, lambda table: _fits(table, query), query)
    return reply({"items": list(map(views.summary, tables)), "next": next_page}, headers=NO_STORE)


def _fits(table: Table, query: dict[str, Any]) -> bool:
    return (
        query.get("status") in (None, table.status)
        and len(table.open_seats) >= query.get("open_seats", 0)
        and ("max_ante" not in query or table.settings.ante <= query["max_ante"])
    )


@blp.get("/<table_id>")
@blp.arguments(Wait(), location="query")
@blp.takes(IF_NONE_MATCH)
@blp.response(200, TableOut())
@blp.alt_response(
    304,
    description="The table is still at the version in If-None-Match.",
    headers=polls.ASK_AGAIN,
)
def get_table(query: dict[str, Any], table_id: str) -> Response:
    """See a table as the caller does

    With `wait` and If-None-Match the answer comes when the version changes, or after so many
    seconds.
    """
    known = known_version()
    table, headers = polls.look(table_id, known, query["wait"])
    return not_modified(table, headers) if table.version == known else table_reply(table)


@blp.post("/<table_id>/join")
@signed_in("lobby")
@blp.refuses(
    "table_full",
    "seat_taken",
    "already_seated",
    "table_not_open",
    "wrong_invite_code",
    "rules_changed",
    "insufficient_chips",
    "limit_reached",
    "stale_version",
)
@blp.arguments(JoinIn(), required=False)
@blp.takes(IF_MATCH)
@blp.response(200, TableOut())
def join_table(body: dict[str, Any], table_id: str) -> Response:
    """Take a seat

    In the middle of a deal the seat is dealt in with the next one. With `rules_hash` the seat is
    taken only where the house rules are those.
    """
    seat, code, rules = body["seat"], body["invite_code"], body["rules_hash"]
    return table_command(
        lambda terms: g.game.join(table_id, g.caller, seat, code, terms, rules_hash=rules)
    )


@blp.post("/<table_id>/leave")
@signed_in("lobby")
@blp.refuses("not_seated", "table_not_open", "stale_version")
@blp.arguments(NothingIn(), required=False)
@blp.takes(IF_MATCH)
@blp.response(200, TableOut())
def leave_table(_body: Any, table_id: str) -> Response:
    """Give the seat up

    In the middle of a deal the hand folds, unless it is laid down. A table that no player is left
    at closes.
    """
    return table_command(lambda terms: g.game.act(table_id, Leave(g.caller.id), terms))


@blp.post("/<table_id>/start")
@signed_in("lobby")
@blp.refuses("forbidden", "not_enough_players", "table_not_open", "stale_version")
@blp.arguments(NothingIn(), required=False)
@blp.takes(IF_MATCH)
@blp.response(200, TableOut())
def start_table(_body: Any, table_id: str) -> Response:
    """Begin dealing; for the host"""
    return table_command(lambda terms: g.game.act(table_id, Start(g.caller.id), terms))


@blp.post("/<table_id>/bots")
@signed_in("lobby")
@blp.refuses("forbidden", "table_full", "seat_taken", "table_not_open", "stale_version")
@blp.arguments(BotInSeat())
@blp.takes(IF_MATCH)
@blp.response(200, TableOut())
def add_bot(body: dict[str, Any], table_id: str) -> Response:
    """Seat a house bot; for the host"""
    level, seat = body["level"], body["seat"]
    return table_command(lambda terms: g.game.add_bot(table_id, g.caller.id, level, seat, terms))


@blp.delete("/<table_id>/bots/<int:seat>")
@signed_in("lobby")
@blp.refuses("forbidden", "table_not_open", "stale_version")
@blp.takes(IF_MATCH)
@blp.response(200, TableOut())
def remove_bot(table_id: str, seat: int) -> Response:
    """Send a house bot away; for the host"""
    return table_command(lambda terms: g.game.act(table_id, RemoveBot(g.caller.id, seat), terms))
