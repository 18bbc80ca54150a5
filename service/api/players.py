"""Accounts: guest sign-up, and what is one's own."""

from typing import Any

from flask import Response, g

from service.api import credentials
from service.api.auth import signed_in
from service.api.commands import command
from service.api.credentials import first_token
from service.api.json import NO_STORE, reply
from service.api.schemas.answers import LedgerPage, NewAccountOut, OwnAccountOut, OwnTablesPage
from service.api.schemas.requests import LedgerQuery, NewPlayer, OwnTablesQuery
from service.api.smorest import Blueprint
from service.store.accounts import Account, LedgerEntry
from service.tables import Table, views
from service.tables.dealing import acting_seat

blp = Blueprint("players", __name__, url_prefix="/v1", description="Accounts and what is one's own")

NEVER_MS = 1 << 62
"""Sorts a turn without a clock behind those with one."""

FIRST = (-1, 0, "")
"""Before all places."""


@blp.post("/players")
@blp.for_anybody
@blp.arguments(NewPlayer())
@blp.response(201, NewAccountOut())
def create_player(body: dict[str, Any]) -> Response:
    """Sign up as a guest

    Makes an account, with its token. Keep the token: nobody can show it again.
    """

    def reply_made(account: Account) -> Response:
        token = credentials.issue(first_token(account.player), g.config.secret)
        return reply(account_view(account) | {"token": token}, 201, headers=NO_STORE)

    return command(lambda terms: g.game.sign_up(body["name"], body["kind"], terms), reply_made)


@blp.get("/me")
@signed_in()
@blp.response(200, OwnAccountOut())
def get_me() -> Response:
    """See the own account, and what the token may do"""
    account, token = g.game.store.accounts.account(g.caller.id), g.token
    expires_at = token.expires_at
    told = {
        "scopes": token.scopes,
        "token_id": token.id,
        "token_expires_at": None if expires_at is None else views.rfc3339(1000 * expires_at),
    }
    return reply(account_view(account) | told, headers=NO_STORE)


@blp.get("/me/tables")
@signed_in()
@blp.arguments(OwnTablesQuery(), location="query")
@blp.response(200, OwnTablesPage())
def list_my_tables(query: dict[str, Any]) -> Response:
    """List the own tables, the most urgent first"""
    now, player, limit = g.game.now(), g.caller.id, query["limit"]
    tables = {_place(table, player): table for table in g.game.tables_of(player)}
    after = _read(query["cursor"]) if "cursor" in query else FIRST
    places = sorted(place for place in tables if place > after)
    items = [views.own_summary(tables[place], player, now) for place in places[:limit]]
    next_page = "-".join(map(str, places[limit - 1])) if len(places) > limit else None
    return reply({"items": items, "next": next_page}, headers=NO_STORE)


@blp.get("/me/ledger")
@signed_in("account")
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
    return reply({"items": list(map(entry_view, entries)), "next": next_page}, headers=NO_STORE)


_Place = tuple[int, int, str]
"""Where a table is among its player's: by whether it is their turn, and when that ends."""


def _place(table: Table, player: str) -> _Place:
    my_turn = acting_seat(table) is not None and acting_seat(table) == table.seat_of(player)
    ends_at = table.deadline if my_turn else None
    return int(not my_turn), NEVER_MS if ends_at is None else ends_at, table.id


def _read(cursor: str) -> _Place:
    waits, ends_at, table_id = cursor.split("-", 2)
    return int(waits), int(ends_at), table_id


def account_view(account: Account) -> dict[str, Any]:
    """A player's account."""
    player = account.player
    balance = {"balance": account.balance}
    return {"id": player.id, "name": player.name, "kind": player.kind} | balance


def entry_view(entry: LedgerEntry) -> dict[str, Any]:
    """A movement of chips on an account."""
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
