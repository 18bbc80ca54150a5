"""The application over a store: what the API and the workers call.

Each change ends in `Store.change`, and what it makes due at once is put on a queue.
"""

import logging
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from ulid import ULID

from service.engine.errors import PaiuteError
from service.store.base import Account, Change, Due, Store, Unavailable, now_ms
from service.store.queues import JobQueue
from service.tables import (
    AddBot,
    Expire,
    Join,
    Moment,
    NextDeal,
    Player,
    Settings,
    Settle,
    Table,
    TableCommand,
    followup,
    new_table,
    step,
)
from service.tables.bot_turns import bot_turn
from service.tables.events import Entry
from service.tables.followups import Kind
from service.tables.records import record_of

logger = logging.getLogger(__name__)

TURNS_A_JOB = 40
"""How many bots' turns one job plays in a row before it lets others have the worker."""

BOT_NAMES = ("Kai", "Leilani", "Nalu", "Moana", "Koa", "Pua", "Makoa", "Lani", "Keanu", "Noelani")


class Game:
    """Tables and players over a store and its queues.

    Args:
        store: where everything is kept.
        queue: where jobs are put.
        grant: chips that a new account starts with.
        clock: the time in milliseconds since 1970.
    """

    def __init__(
        self,
        store: Store,
        queue: JobQueue,
        grant: int = 0,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self.store = store
        self.now = clock
        self._queue = queue
        self._grant = grant

    def sign_up(self, name: str, kind: Literal["human", "bot"]) -> Account:
        """A new guest account."""
        account = Account(Player(str(ULID()), name, kind), self._grant, self.now())
        self.store.add_account(account)
        return account

    def create_table(self, host: Player, settings: Settings, levels: tuple[str, ...]) -> Table:
        """A new table with its maker in the first seat and house bots in the next ones.

        Where the bots take every seat, the maker watches.
        """
        moment = self._moment()
        table = new_table(str(ULID()), settings, host, secrets.token_urlsafe(6), moment)
        commands: list[TableCommand] = [
            AddBot(host.id, _house_bot(level, name))
            for level, name in zip(levels, BOT_NAMES, strict=False)
        ]
        if len(levels) < settings.seats:
            commands.insert(0, Join(host, invite_code=table.invite_code))
        entries: tuple[Entry, ...] = ()
        for command in commands:
            table, more = step(table, command, moment)
            entries += more
        self.store.note_table(host.id, table.id)
        self.store.commit(0, Change(table, entries))
        self._enqueue(table)
        return table

    def join(
        self,
        table_id: str,
        player: Player,
        seat: int | None,
        code: str | None,
        expected: int | None,
    ) -> Table:
        """Seat a player; their list of tables has it before the table does, never the reverse."""

        def decide(table: Table) -> Change:
            change = self._judge(table, Join(player, seat, code))
            self.store.note_table(player.id, table_id)
            return change

        return self._change(table_id, decide, expected)

    def add_bot(
        self, table_id: str, host: str, level: str, seat: int | None, expected: int | None
    ) -> Table:
        """Seat a house bot."""
        taken = {sitting.player.name for sitting in self.store.load(table_id).seats.values()}
        name = next((name for name in BOT_NAMES if name not in taken), BOT_NAMES[0])
        return self.act(table_id, AddBot(host, _house_bot(level, name), seat), expected)

    def act(self, table_id: str, command: TableCommand, expected: int | None = None) -> Table:
        """Do what somebody asks of a table; gives the table after it.

        Args:
            table_id: which table.
            command: what is asked.
            expected: the version that the caller saw; None is whatever it is now.

        Raises:
            PaiuteError: it is refused; `table` in the error is the table as it stands.
        """
        return self._change(table_id, lambda table: self._judge(table, command), expected)

    def _judge(self, table: Table, command: TableCommand) -> Change:
        try:
            return Change(*step(table, command, self._moment()))
        except PaiuteError as error:
            error.table = table
            raise

    def run(self, due: Due) -> None:
        """Do what is due at a table, once: it is a no-op where the table has moved on."""
        table = self.store.load(due.table_id)
        pending = followup(table)
        if table.version != due.version or pending is None or pending.kind != due.kind:
            return
        if pending.at > self.now():
            return
        if due.kind == "play_bot":
            self._play_bots(table)
        else:
            self._follow_up(table, due.kind)

    def _follow_up(self, table: Table, kind: Kind) -> None:
        commands: dict[Kind, TableCommand] = {
            "settle": Settle(),
            "next_deal": NextDeal(),
            "expire_turn": Expire(),
        }
        after, entries = step(table, commands[kind], self._moment())
        change = Change(after, entries)
        if kind == "settle":
            log = self.store.entries(table.id, table.deal_from, table.version - table.deal_from)
            record = record_of(replace(table, result=after.result), (*log, *entries))
            change = replace(change, record=record)
        if entries and self.store.commit(table.version, change):
            self._enqueue(after)

    def _play_bots(self, table: Table) -> None:
        """Play the turn that is due, and the next ones as long as bots need no time to think."""
        for _ in range(TURNS_A_JOB):
            after, entries = bot_turn(table, self._moment())
            if not entries or not self.store.commit(table.version, Change(after, entries)):
                return
            table = after
            pending = followup(table)
            if pending is None or pending.kind != "play_bot" or pending.at > self.now():
                break
        self._enqueue(table)

    def _change(
        self, table_id: str, decide: Callable[[Table], Change], expected: int | None
    ) -> Table:
        _, change = self.store.change(table_id, decide, expected)
        if change.entries:
            self._enqueue(change.table)
        return change.table

    def _enqueue(self, table: Table) -> None:
        """Put what is due at once on its queue.

        The due index has it too, so a queue that is away only makes it late.
        """
        pending = followup(table)
        if pending is None or pending.at > self.now():
            return
        try:
            self._queue.enqueue(Due(pending.kind, table.id, table.version))
        except Unavailable:
            logger.warning("could not enqueue %s for table %s", pending.kind, table.id)

    def _moment(self) -> Moment:
        return Moment(self.now(), secrets.token_bytes(32))


def _house_bot(level: str, name: str) -> Player:
    return Player(str(ULID()), name, "house_bot", level)
