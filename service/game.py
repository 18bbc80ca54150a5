"""The application over a store: what the API and the workers call.

Each change ends in `Store.change`, and what it makes due at once is put on a queue.
"""

import logging
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal

from service.cashier import BuyIn, Cashier, owed
from service.engine.errors import PaiuteError
from service.store.accounts import Account
from service.store.answers import Answer
from service.store.base import Change, Due, NotFound, SentBack, Store, Unavailable, now_ms
from service.store.keys import new_id
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

FORGET_AGAIN_MS = 3600_000
"""When a closed table that still owes chips is looked at again."""

BOT_NAMES = ("Kai", "Leilani", "Nalu", "Moana", "Koa", "Pua", "Makoa", "Lani", "Keanu", "Noelani")


@dataclass(frozen=True, slots=True)
class Once:
    """A request that is answered again, not done again, where its idempotency key comes again.

    Args:
        beside: where the answer is kept: in the partition of this name.
        answer: the answer to keep, from the table after the request.
    """

    beside: str
    answer: Callable[[Table], Answer]


@dataclass(frozen=True, slots=True)
class Terms:
    """What a request came with.

    Args:
        expected: the version that the caller saw; None is whatever it is now.
        once: its idempotency key, if any.
    """

    expected: int | None = None
    once: Once | None = None


ANY = Terms()
"""No terms at all."""


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

    @property
    def _cashier(self) -> Cashier:
        return Cashier(self.store)

    def sign_up(self, name: str, kind: Literal["human", "bot"]) -> Account:
        """A new guest account."""
        account = Account(Player(new_id(), name, kind), self._grant, self.now())
        self.store.accounts.open(account)
        return account

    def create_table(
        self, host: Player, settings: Settings, levels: tuple[str, ...], terms: Terms = ANY
    ) -> Table:
        """A new table with its maker in the first seat and house bots in the next ones.

        Where the bots take every seat, the maker watches.

        Raises:
            InsufficientChips: the maker has not the chips for the buy-in.
        """
        moment = self._moment()
        id_ = new_id(terms.once.beside if terms.once else None)
        made = table = new_table(id_, settings, host, secrets.token_urlsafe(6), moment)
        commands: list[TableCommand] = [
            AddBot(host.id, _house_bot(level, name))
            for level, name in zip(levels, BOT_NAMES, strict=False)
        ]
        takes_seat = len(levels) < settings.seats
        if takes_seat:
            commands.insert(0, Join(host, invite_code=table.invite_code))
        entries: tuple[Entry, ...] = ()
        for command in commands:
            table, more = step(table, command, moment)
            entries += more
        self.store.accounts.note(host.id, table.id, moment.at)
        change = _answered(Change(table, entries), terms)
        if not takes_seat:
            self.store.commit(0, change)
        else:
            with self._buying_in(host.id) as buy_in:
                self.store.commit(0, replace(change, arrival=buy_in(made)))
        self._after(change)
        return table

    def join(
        self,
        table_id: str,
        player: Player,
        seat: int | None = None,
        code: str | None = None,
        terms: Terms = ANY,
    ) -> Table:
        """Seat a player; their list of tables has it before the table does, never the reverse.

        Raises:
            InsufficientChips: the player has not the chips for the buy-in.
            PaiuteError: as `act`.
        """
        with self._buying_in(player.id) as buy_in:

            def decide(table: Table) -> Change:
                change = self._judge(table, Join(player, seat, code), terms)
                self.store.accounts.note(player.id, table_id, self.now())
                return replace(change, arrival=buy_in(table))

            return self._change(table_id, decide, terms)

    @contextmanager
    def _buying_in(self, player: str) -> Iterator[Callable[[Table], str | None]]:
        """What takes a table's buy-in from a player, at most once, and gives its posting's id.

        It goes back where the table refuses in the end; where that is not known, in time.
        """
        taken: list[BuyIn] = []
        token = secrets.token_hex(8)

        def buy_in(table: Table) -> str | None:
            if not table.settings.buy_in:
                return None
            if not taken:
                id_ = f"join-{table.id}-{token}"
                try:
                    taken.append(self._cashier.take(player, table, id_, self.now()))
                except PaiuteError as error:
                    error.table = table if table.version else None
                    raise
            return taken[0].posting.id

        try:
            yield buy_in
        except PaiuteError as error:
            if not isinstance(error, Unavailable) or isinstance(error, SentBack):
                for one in taken:
                    self._cashier.send_back(one, self.now())
            raise
        for one in taken:
            self._cashier.arrived(one)

    def add_bot(
        self, table_id: str, host: str, level: str, seat: int | None = None, terms: Terms = ANY
    ) -> Table:
        """Seat a house bot."""
        taken = {sitting.player.name for sitting in self.store.load(table_id).seats.values()}
        name = next((name for name in BOT_NAMES if name not in taken), BOT_NAMES[0])
        return self.act(table_id, AddBot(host, _house_bot(level, name), seat), terms)

    def act(self, table_id: str, command: TableCommand, terms: Terms = ANY) -> Table:
        """Do what somebody asks of a table; gives the table after it.

        Args:
            table_id: which table.
            command: what is asked.
            terms: what the request came with.

        Raises:
            PaiuteError: it is refused; `table` in the error is the table as it stands.
        """
        return self._change(table_id, lambda table: self._judge(table, command, terms), terms)

    def _judge(self, table: Table, command: TableCommand, terms: Terms) -> Change:
        try:
            after, entries = step(table, command, self._moment())
        except PaiuteError as error:
            error.table = table
            raise
        return _answered(Change(after, entries, owed=owed(table, entries)), terms)

    def run(self, due: Due) -> None:
        """Do what is due, once: it is a no-op where the table has moved on."""
        if due.kind in ("arrive", "pay_out"):
            self._cashier.see_to(due, self.now())
            return
        try:
            table = self.store.load(due.subject)
        except NotFound:
            self.store.done(due)
            raise
        if due.kind == "forget":
            if not self.store.forget(table):
                self.store.put_off(due, self.now() + FORGET_AGAIN_MS)
            return
        pending = followup(table)
        if table.version != due.number or pending is None or pending.kind != due.kind:
            return
        if pending.at > self.now():
            return
        if pending.kind == "play_bot":
            self._play_bots(table)
        else:
            self._follow_up(table, pending.kind)

    def _follow_up(self, table: Table, kind: Kind) -> None:
        commands: dict[Kind, TableCommand] = {
            "settle": Settle(),
            "next_deal": NextDeal(),
            "expire_turn": Expire(),
        }
        after, entries = step(table, commands[kind], self._moment())
        change = Change(after, entries, owed=owed(table, entries))
        if kind == "settle":
            log = self.store.entries(table.id, table.deal_from, table.version - table.deal_from)
            record = record_of(replace(table, result=after.result), (*log, *entries))
            change = replace(change, record=record)
        if entries and self.store.commit(table.version, change):
            self._after(change)

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

    def _change(self, table_id: str, decide: Callable[[Table], Change], terms: Terms) -> Table:
        _, change = self.store.change(table_id, decide, terms.expected)
        if change.entries:
            self._after(change)
        return change.table

    def _after(self, change: Change) -> None:
        """Pay out what a change owes, and put what it makes due at once on its queue.

        The due index has both, so a store or a queue that is away only makes them late.
        """
        if change.owed:
            try:
                self._cashier.pay_out(change.table.id, change.table.version, change.owed)
            except PaiuteError:
                logger.warning("could not pay out yet at table %s", change.table.id)
        self._enqueue(change.table)

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


def _answered(change: Change, terms: Terms) -> Change:
    """A change with the answer to keep, where its request came with an idempotency key."""
    return replace(change, answer=terms.once.answer(change.table)) if terms.once else change


def _house_bot(level: str, name: str) -> Player:
    return Player(new_id(), name, "house_bot", level)
