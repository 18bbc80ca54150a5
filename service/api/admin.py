"""The operators' side: tables, players and queues, with a token of its own (docs/operations.md)."""

import hmac
import secrets
from typing import Any

from flask import Response, g, request

from service import operators
from service.api import auth
from service.api.commands import command
from service.api.credentials import Unauthenticated
from service.api.here import here
from service.api.idempotency import REPLAYED
from service.api.json import NO_STORE, reply
from service.api.pages import sift
from service.api.players import account_view, entry_view
from service.api.problems import backlog_view
from service.api.schemas.admin import (
    AdminPlayerOut,
    AdminTableOut,
    AdminTablesPage,
    AdminTablesQuery,
    CloseIn,
    GrantIn,
    GrantOut,
    QueuesOut,
)
from service.api.smorest import Blueprint
from service.game import OVERDUE_MS
from service.store.queues import QueueHealth
from service.tables import Table, followup, views
from service.tables.errors import Forbidden

PATH = "/v1/admin/"

SECURITY = {
    "type": "http",
    "scheme": "bearer",
    "description": "The operators' token, `PAIUTE_ADMIN_TOKEN`; where it is not set nobody has it.",
}
"""How operators prove who they are, as the document has it."""

blp = Blueprint("admin", __name__, url_prefix="/v1/admin", description="For operators")


def identify() -> None:
    """Let only operators through; they are no players.

    Raises:
        Unauthenticated: no token came, or none that is known.
        Forbidden: a player's token came.
    """
    g.caller = g.token = None
    g.operator = False
    expected = g.config.admin_token
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    known = hmac.compare_digest(token.strip().encode(), expected.encode())
    if expected and known and scheme.lower() == "bearer":
        g.operator = True
        return
    auth.identify(*here())
    if g.caller is None:
        raise Unauthenticated("This takes the token of the operators of this service.")
    raise Forbidden("This is for the operators of this service.")


@blp.get("/tables")
@blp.for_operators
@blp.arguments(AdminTablesQuery(), location="query")
@blp.response(200, AdminTablesPage())
def list_all_tables(query: dict[str, Any]) -> Response:
    """List all tables, private and closed ones too, the latest first

    A page may be short though there are more: go on while `next` is not null.
    """

    def wanted(table: Table) -> bool:
        late = query.get("overdue") != "true" or _late_ms(table) > OVERDUE_MS
        return late and query.get("status") in (None, table.status)

    tables, next_page = sift(g.game.store.tables, wanted, query)
    return reply({"items": list(map(_table_view, tables)), "next": next_page}, headers=NO_STORE)


@blp.post("/tables/<table_id>/close")
@blp.for_operators
@blp.arguments(CloseIn(), required=False)
@blp.response(200, AdminTableOut())
def close_table(body: dict[str, Any], table_id: str) -> Response:
    """Close a table

    A deal that goes on is void: the antes go back. All take their stacks home. A table that is
    closed already stays as it is.
    """
    return command(
        lambda terms: operators.close_table(g.game, table_id, body.get("reason"), terms),
        lambda table: reply(_table_view(table), headers=NO_STORE),
    )


@blp.get("/players/<player_id>")
@blp.for_operators
@blp.response(200, AdminPlayerOut())
def get_player_account(player_id: str) -> Response:
    """See a player's account, and where the player sits"""
    account = g.game.store.accounts.account(player_id)
    tables = g.game.store.tables_of(player_id, g.game.now())
    more = {
        "created_at": views.rfc3339(account.created_at),
        "tables": list(map(_table_view, tables)),
    }
    return reply(account_view(account) | more, headers=NO_STORE)


@blp.post("/players/<player_id>/grants")
@blp.for_operators
@blp.arguments(GrantIn())
@blp.response(201, GrantOut())
def grant_chips(body: dict[str, Any], player_id: str) -> Response:
    """Grant chips to a player

    Send an Idempotency-Key with it: then it is safe to send again, however late. A key grants to a
    player once, for good.
    """
    token = g.keyed.key if g.keyed else secrets.token_hex(8)
    entry, granted = operators.grant(g.game, player_id, body["amount"], body.get("note"), token)
    headers = NO_STORE if granted else NO_STORE | REPLAYED
    return reply({"player": player_id} | entry_view(entry), 201, headers=headers)


@blp.get("/queues")
@blp.for_operators
@blp.response(200, QueuesOut())
def get_queues() -> Response:
    """See how the job queues are, and what is due

    Where the queues can't be reached the answer is 503, which has `due` still.
    """
    health, backlog = operators.queues(g.game)
    due = backlog_view(backlog, g.game.now())
    return reply({"queues": list(map(_queue_view, health)), "due": due}, headers=NO_STORE)


def _queue_view(queue: QueueHealth) -> dict[str, Any]:
    return {
        "name": queue.name,
        "jobs": queue.jobs,
        "oldest_ms": queue.oldest_ms(g.game.now()),
        "failed": queue.failed,
        "workers": queue.workers,
    }


def _table_view(table: Table) -> dict[str, Any]:
    """A table without anything of its deals, and without what lets others join it."""
    pending = followup(table)
    due = pending and {
        "kind": pending.kind,
        "at": views.rfc3339(pending.at),
        "late_ms": _late_ms(table),
    }
    return views.summary(table) | {
        "version": table.version,
        "visibility": table.settings.visibility,
        "host": table.host,
        "deals": table.number,
        "chips": table.chips,
        "due": due,
    }


def _late_ms(table: Table) -> int:
    """How long ago something should have been done at a table."""
    pending = followup(table)
    return max(0, g.game.now() - pending.at) if pending else 0
