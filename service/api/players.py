"""Accounts: guest sign-up, and what is one's own."""

from typing import Any

from flask import Response, g

from service.api import auth
from service.api.auth import signed_in
from service.api.commands import command
from service.api.json import NO_STORE, reply
from service.api.schemas.answers import AccountOut, LedgerPage, NewAccountOut, OwnTablesPage
from service.api.schemas.requests import LedgerQuery, NewPlayer
from service.api.smorest import Blueprint
from service.store.accounts import Account, LedgerEntry
from service.tables import views

blp = Blueprint("players", __name__, url_prefix="/v1", description="Accounts and what is one's own")

NEVER_MS = 1 << 62
"""Sorts a turn without a clock behind those with one."""


@blp.post("/players")
@blp.arguments(NewPlayer(), example={"name": "Keola", "kind": "human"})
@blp.response(201, NewAccountOut())
def create_player(body: dict[str, Any]) -> Response:
    """Sign up as a guest

    Makes an account, with its token. Keep the token: nobody can show it again.
    """

    def reply_made(account: Account) -> Response:
        token = auth.issue(account.player, g.config.secret)
        return reply(_account_view(account) | {"token": token}, 201, headers=NO_STORE)

    return command(lambda terms: g.game.sign_up(body["name"], body["kind"], terms), reply_made)


@blp.get("/me")
@signed_in
@blp.response(200, AccountOut())
def get_me() -> Response:
    """See the own account"""
    return reply(_account_view(g.game.store.accounts.account(g.caller.id)), headers=NO_STORE)


@blp.get("/me/tables")
@signed_in
@blp.response(200, OwnTablesPage())
def list_my_tables() -> Response:
    """List the own tables, the most urgent first"""
    now, player = g.game.now(), g.caller.id
    items = [views.own_summary(table, player, now) for table in g.game.tables_of(player)]
    items.sort(key=_urgency)
    return reply({"items": items, "next": None}, headers=NO_STORE)


@blp.get("/me/ledger")
@signed_in
@blp.arguments(LedgerQuery(), location="query")
@blp.response(200, LedgerPage())
def list_ledger(query: dict[str, Any]) -> Response:
    """List every movement of chips on the own account, the latest first

    Chips at a table move with its deals; here are buy-ins, what came back from tables, and grants.
    """
    limit = query["limit"]
    before = int(query["cursor"]) if "cursor" in query else None
    entries = g.game.store.accounts.ledger(g.caller.id, before, limit)
    more = len(entries) == limit and entries[-1].number > 1
    next_page = str(entries[-1].number) if more else None
    return reply({"items": list(map(_entry_view, entries)), "next": next_page}, headers=NO_STORE)


def _urgency(item: dict[str, Any]) -> tuple[bool, int]:
    left = item["turn_ms_left"]
    return not item["my_turn"], NEVER_MS if left is None else left


def _account_view(account: Account) -> dict[str, Any]:
    player = account.player
    balance = {"balance": account.balance}
    return {"id": player.id, "name": player.name, "kind": player.kind} | balance


def _entry_view(entry: LedgerEntry) -> dict[str, Any]:
    posting = entry.posting
    return {
        "id": posting.id,
        "amount": posting.amount,
        "balance": entry.balance,
        "why": posting.why,
        "table": posting.table,
        "deal": posting.deal,
        "at": views.rfc3339(posting.at),
    }
