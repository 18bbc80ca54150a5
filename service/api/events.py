"""What has happened: a table's events and its finished deals."""

from typing import Any

from flask import Response, g

from service.api import examples, limits, polls
from service.api.auth import caller_id
from service.api.json import NO_STORE, PRIVATE, reply
from service.api.schemas.answers import DealRecordOut, DealsPage, EventsPage
from service.api.schemas.requests import DealsQuery, EventsQuery
from service.api.smorest import Blueprint
from service.tables import views

blp = Blueprint("history", __name__, url_prefix="/v1/tables", description="Events and past deals")


@blp.get("/<table_id>/events")
@blp.arguments(EventsQuery(), location="query")
@blp.response(200, EventsPage(), headers=polls.ASK_AGAIN)
def list_events(query: dict[str, Any], table_id: str) -> Response:
    """List the events after a version, in order

    With `wait`, where there is none yet the answer comes with the next event, or empty after so
    many seconds.
    """
    after, limit = max(query["after"], query["cursor"]), query["limit"]
    table, headers = polls.look(table_id, after, query["wait"])
    entries = g.game.store.entries(table_id, after, limit)
    items = [views.event_view(entry, table_id, caller_id()) for entry in entries]
    more = bool(entries) and entries[-1].id < table.version
    next_page = str(entries[-1].id) if more else None
    return reply({"items": items, "next": next_page}, headers=PRIVATE | headers)


@blp.get("/<table_id>/deals")
@blp.arguments(DealsQuery(), location="query")
@blp.response(200, DealsPage())
def list_deals(query: dict[str, Any], table_id: str) -> Response:
    """List the finished deals, the latest first"""
    g.game.store.load(table_id, limits.take())
    limit = query["limit"]
    before = int(query["cursor"]) if "cursor" in query else None
    records = g.game.store.records(table_id, before, limit)
    more = len(records) == limit and records[-1].number > 1
    next_page = str(records[-1].number) if more else None
    return reply(
        {"items": list(map(views.record_summary, records)), "next": next_page}, headers=NO_STORE
    )


@blp.get("/<table_id>/deals/<int:number>")
@blp.response(200, DealRecordOut(), example=examples.DEAL_RECORD)
def get_deal(table_id: str, number: int) -> Response:
    """See a finished deal: every action, how it ended, and the settlement receipt

    A card drawn from the stock is named to its drawer, and to all where that hand was shown.
    """
    limits.pay()
    record = g.game.store.record(table_id, number)
    return reply(views.record_view(record, caller_id()), headers=PRIVATE)
