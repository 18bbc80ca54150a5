"""Sandbox matches at full speed: what follows a move follows at once, in the same commit."""

from service.engine.replacing import replace
from service.tables.bot_turns import bot_turn
from service.tables.commands import EndMatch, NextDeal, Settle, TableCommand
from service.tables.events import Entry
from service.tables.sandbox import Sandbox
from service.tables.step import step
from service.tables.table import Moment, Status, Table


def step_on(table: Table, command: TableCommand, moment: Moment) -> tuple[Table, tuple[Entry, ...]]:
    """As `step`, and in a sandbox match all that follows until its guest is to act again.

    That is never much: in each deal the guest has a turn before a second one of anybody else, and
    who has called needs none.  So no more than one deal ends, and each bot plays two turns at most.

    Raises:
        PaiuteError: the command is refused; nothing has changed.
    """
    table, entries = step(table, command, moment)
    more = entries
    while table.sandbox and more:
        table, more = _next(table, table.sandbox, moment)
        entries += more
    return table, entries


def _next(table: Table, match: Sandbox, moment: Moment) -> tuple[Table, tuple[Entry, ...]]:
    if table.status is Status.CLOSED:
        return table, ()
    if table.closing:
        return step(table, EndMatch(), moment)
    if table.status is Status.SETTLING:
        return step(table, Settle(), moment)
    if table.status is Status.PAUSE:
        return step(table, NextDeal(), moment)
    return bot_turn(table, replace(moment, chance=match.whims(table.version)))
