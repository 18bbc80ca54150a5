"""Commands: what a request asks for, on the terms that it came with."""

from collections.abc import Callable
from typing import TypeVar

from flask import Response

from service.api import limits
from service.api.auth import caller_id
from service.api.here import here
from service.api.idempotency import Keyed
from service.api.versions import expected_version, table_reply
from service.game import Once, Terms
from service.store.base import check_seen
from service.tables.table import Table

T = TypeVar("T")


def command(do: Callable[[Terms], T], reply: Callable[[T], Response]) -> Response:
    """Do what a request asks for, and reply with what comes of it.

    With an idempotency key the reply is made before the change, and kept along with it.
    """
    keyed: Keyed | None = here()[1].keyed
    if keyed is None:
        return reply(do(Terms(expected_version(), None, limits.take(), _admit)))
    once = Once(keyed.beside, lambda made: keyed.answer(reply(made)))
    made = do(Terms(expected_version(), once, limits.take(), _admit))
    return keyed.response or reply(made)


def table_command(do: Callable[[Terms], Table]) -> Response:
    """Do what a request asks of a table, and reply with the caller's view of it."""
    return command(do, table_reply)


def _admit(table: Table) -> None:
    """Let nobody know of another's sandbox match but operators, and have a move there be paid."""
    if not here()[1].get("operator"):
        check_seen(table, caller_id())
    limits.pay_for_bots(table)
