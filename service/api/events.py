"""What happens: the events of a table, and of an account, page by page or as a stream."""

import time
from typing import Any

from flask import Response, g, request

from service.account_streams import follow_account
from service.api import auth, limits, polls, streams
from service.api.auth import signed_in, viewer_id
from service.api.json import NO_STORE, PRIVATE, reply
from service.api.schemas.answers import AccountEventsPage, EventsPage
from service.api.schemas.requests import AccountEventsQuery, EventsQuery
from service.api.smorest import Blueprint
from service.store.base import check_seen
from service.streams import Follower, follow_table
from service.tables import views

blp = Blueprint("events", __name__, url_prefix="/v1", description="What happens, as it happens")

LAST_EVENT_ID = {
    "in": "header",
    "name": "Last-Event-ID",
    "description": "The id of the last event that the caller has; the same as `after`.",
    "schema": {"type": "string"},
}

UNKNOWN = -1
"""What an id that is not one of a table's events stands for."""


@blp.get("/tables/<table_id>/events")
@blp.refuses("rate_limited")
@blp.arguments(EventsQuery(), location="query")
@blp.takes(LAST_EVENT_ID)
@blp.doc(responses=streams.described("listEvents", "KnownEvent"))
@blp.response(200, EventsPage(), headers=polls.ASK_AGAIN)
def list_events(query: dict[str, Any], table_id: str) -> Response:
    """Follow a table's events as a stream, or list those after a version

    With `Accept: text/event-stream` or `application/x-ndjson` the answer is a stream: a `snapshot`
    with the caller's view, then each event. Else it is a page; with `wait`, where there is no
    event yet, it comes with the next one, or empty after so many seconds.
    """
    if streams.wanted() == streams.JSON:
        return _page(query, table_id)
    check_seen(g.game.store.load(table_id, limits.take()), auth.caller_id())
    after, player = _last_version(query), viewer_id()
    return streams.stream(lambda who: follow_table(who, table_id, after), player, table_id)


def _page(query: dict[str, Any], table_id: str) -> Response:
    after, limit = max(_last_version(query) or 0, 0), query["limit"]
    table, headers = polls.look(table_id, after, query["wait"])
    entries = g.game.store.entries(table_id, after, limit)
    items = [views.event_view(entry, table_id, viewer_id()) for entry in entries]
    more = bool(entries) and entries[-1].id < table.version
    next_page = str(entries[-1].id) if more else None
    return reply({"items": items, "next": next_page}, headers=PRIVATE | headers)


def _last_version(query: dict[str, Any]) -> int | None:
    """The version of the last event that the caller has; None where it has none."""
    named = [query[name] for name in ("after", "cursor") if name in query]
    header = request.headers.get("Last-Event-ID")
    if named or not header:
        return max(named, default=None)
    return int(header) if header.isascii() and header.isdigit() and len(header) < 16 else UNKNOWN


@blp.get("/me/events")
@signed_in()
@blp.refuses("rate_limited")
@blp.arguments(AccountEventsQuery(), location="query")
@blp.takes(LAST_EVENT_ID)
@blp.doc(responses=streams.described("listMyEvents", "KnownAccountEvent"))
@blp.response(200, AccountEventsPage(), headers=polls.ASK_AGAIN)
def list_my_events(query: dict[str, Any]) -> Response:
    """Follow what concerns the caller at all tables, as a stream or page by page

    First a `snapshot` of the own tables and invitations, then `your_turn`, `deal_started`,
    `deal_over`, `seated`, `seat_lost`, `table_closed` and `invited`, as they come. No card is in
    them.
    """
    cursor = query.get("after") or query.get("cursor") or request.headers.get("Last-Event-ID")
    if streams.wanted() == streams.JSON:
        return _account_page(query, cursor)
    player = g.caller.id
    return streams.stream(lambda who: follow_account(who, cursor), player, player)


def _account_page(query: dict[str, Any], cursor: str | None) -> Response:
    """The next events of an account, at once or after some time of waiting for the first."""
    items = list[views.Json]()
    game, player, permit = g.game, g.caller.id, auth.permit()
    watches, kind = game.store.watches, "poll" if query["wait"] else "look"
    until = time.monotonic() + min(query["wait"], permit.seconds_left)

    def goes_on(woken_by: frozenset[str]) -> bool:
        permit.check(woken_by)
        return not items and not watches.closing

    with watches.watching(kind, player, permit.woken_by) as watch:
        if watch is None:
            return reply({"items": [], "next": None}, headers=NO_STORE | polls.too_soon(until))
        follower = Follower(game, player, watch, goes_on, until, auth.inviter_id())
        for batch in follow_account(follower, cursor):
            items += batch
            if len(items) >= query["limit"]:
                break
    items = items[: query["limit"]]
    more = items[-1]["id"] if len(items) == query["limit"] else None
    headers = NO_STORE if items else NO_STORE | polls.too_soon(until)
    return reply({"items": items, "next": more}, headers=headers)
