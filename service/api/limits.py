"""Rate limits: each request takes one out of its caller's bucket (docs/api.md, "Limits").

A request about a table pays with its first read of that table, in the same round trip; any other
one pays before anything else is done, and one that was refused before it has paid, at its end.
"""

from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from ipaddress import IPv6Address, ip_address

from flask import Request, Response, g, request

from service.api import problems
from service.api.auth import caller_id
from service.api.here import here
from service.store.base import Unavailable
from service.store.budgets import Charge, RateLimited
from service.tables.table import Table

BUDGETS = {
    "players": "lobby",
    "tables": "lobby",
    "quick_match": "lobby",
    "sandbox": "lobby",
    "invitations": "lobby",
    "tokens": "lobby",
    "identities": "lobby",
    "webhooks": "lobby",
    "reference": "lobby",
    "leaderboard": "lobby",
    "play": "play",
    "tables.get_table": "play",
    "reference.evaluate_hands": "play",
    "events": "history",
    "deals": "history",
    "players.list_ledger": "history",
}
"""By blueprint, or by operation where that differs.  All else is free."""

REVOCATIONS = ("revocations", 1, 100)
"""What an address may revoke: its name, how many in a second, and how many at once.

Each process holds the list of the revoked, and anybody can make accounts whose tokens to revoke.
"""


@cache
def budget_of(operation: str) -> str | None:
    """The name of the budget that an operation, named with its blueprint, takes from."""
    return BUDGETS.get(operation) or BUDGETS.get(operation.partition(".")[0])


def begin(asked: Request) -> None:
    """Have a request pay that is about no table.

    Raises:
        RateLimited: its bucket is empty.
    """
    if "table_id" not in (asked.view_args or {}):
        pay()


def finish(response: Response) -> Response:
    """Have a request pay that was refused, or answered again, before it has paid."""
    try:
        pay()
    except RateLimited as error:
        return problems.refusal(error)
    return response


def take() -> Charge | None:
    """What the request has to pay, for whoever reads its table; nothing where that is done."""
    asked, state = here()
    free = "charged" in state or asked.method == "OPTIONS"  # What browsers ask before they call.
    budget = None if free else budget_of(asked.endpoint or "")
    state.charged = True
    return _charge(budget) if budget else None


def _charge(budget: str) -> Charge | None:
    per_second, burst = here()[1].config.budget(budget)
    return Charge(budget, caller_id() or address(), per_second, burst) if per_second else None


def pay_for_bots(table: Table) -> None:
    """Have a move in a sandbox match pay for the bots' turns that come with it: one each.

    All in all it takes no more than comes back in a second, as is told to who is refused.

    Raises:
        RateLimited: there is not so much in the bucket.
    """
    charge = _charge("play") if table.sandbox and request.blueprint == "play" else None
    if charge is None or table.sandbox is None:
        return
    more = min(table.sandbox.players, charge.per_second, charge.burst) - 1
    if more:
        with suppress(Unavailable):
            g.game.store.budgets.spend(replace(charge, requests=more))


def pay() -> None:
    """Pay what the request has to; while the store is away nobody has to.

    Raises:
        RateLimited: its bucket is empty.
    """
    charge = take()
    if charge is not None:
        with suppress(Unavailable):
            g.game.store.budgets.spend(charge)


def pay_for_revoking() -> None:
    """Have the address that a revocation comes from pay for it, unless the lobby has no limits.

    Raises:
        RateLimited: its bucket is empty.
    """
    budget, per_second, burst = REVOCATIONS
    if g.config.lobby_per_second:
        with suppress(Unavailable):
            g.game.store.budgets.spend(Charge(budget, address(), per_second, burst))


def address() -> str:
    """Where a request comes from."""
    return _household(request.remote_addr or "")


@lru_cache(maxsize=4096)
def _household(text: str) -> str:
    """Who has an address: with IPv6 whoever has its /64, since nobody has less of them."""
    try:
        address = ip_address(text)
    except ValueError:
        return text
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or f"{int(address) >> 64:x}::/64")
    return text
