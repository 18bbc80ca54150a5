"""The application over a store: what the API and the workers call.

Each change ends in `Store.change`, and what it makes due at once is put on a queue.
"""

import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from service import faults
from service.cashier import Cashier, owed
from service.engine.errors import PaiuteError
from service.engine.replacing import replace
from service.observe import metrics
from service.ratings import rate
from service.store.accounts import Account
from service.store.answers import Answer
from service.store.base import Change, Due, NotFound, Store, Unavailable, anybody, now_ms
from service.store.budgets import Charge
from service.store.keys import new_id
from service.store.queues import JobQueue
from service.store.watches import Guard
from service.tables import (
    AddBot,
    CloseByOperator,
    CloseIdle,
    Expire,
    Fill,
    Join,
    Moment,
    NextDeal,
    Player,
    Settings,
    Settle,
    Status,
    Table,
    TableCommand,
    followup,
    new_table,
)
from service.tables.bot_turns import bot_turn
from service.tables.counting import count
from service.tables.events import Entry, Settled
from service.tables.followups import Kind
from service.tables.records import record_of
from service.tables.sandbox import Sandbox
from service.tables.sandbox_play import step_on
from service.tables.table import IDLE_SECONDS
from service.webhooks.postman import FAILING_MS, Postman
from service.webhooks.sending import Sender

logger = logging.getLogger(__name__)

TURNS_A_JOB = 40
"""How many bots' turns one job plays in a row before it lets others have the worker."""

OVERDUE_MS = 1_000
"""How late something may be before whoever looks at the table has it done."""

FORGET_AGAIN_MS = 3600_000
"""When a closed table that still owes chips is looked at again."""

FILL_LEVEL = "medium"
"""The level of the house bots that take seats for which nobody has come."""

BOT_NAMES = ("Kai", "Leilani", "Nalu", "Moana", "Koa", "Pua", "Makoa", "Lani", "Keanu", "Noelani")


@dataclass(frozen=True, slots=True)
class Once:
    """A request that is answered again, not done again, where its idempotency key comes again.

    Args:
        beside: where the answer is kept: in the partition of this name.
        answer: the answer to keep, from the table after the request, or from the new account.
    """

    beside: str
    answer: Callable[[Any], Answer]


@dataclass(frozen=True, slots=True)
class Terms:
    """What a request came with.

    Args:
        expected: the version that the caller saw; None is whatever it is now.
        once: its idempotency key, if any.
        charge: what reading the table costs the caller, if anything.
        admit: refuses who may not know of the table; asked before anything else.
    """

    expected: int | None = None
    once: Once | None = None
    charge: Charge | None = None
    admit: Callable[[Table], None] = anybody


ANY = Terms()
"""No terms at all."""


class LimitReached(PaiuteError):
    """A player is at as many tables as one may be at."""

    code = "limit_reached"

    def __init__(self, most: int) -> None:
        super().__init__(
            "You are at as many tables as a player may be at or be host of: {most}. Leave one "
            "first; within a minute it counts no more.",
            limit="tables",
            most=most,
        )


class Game:
    """Tables and players over a store and its queues.

    Args:
        store: where everything is kept.
        queue: where jobs are put.
        grant: chips that a new account starts with.
        clock: the time in milliseconds since 1970.
        idle_seconds: how long new tables wait for people where no other clock runs.
        max_tables: how many tables a player may be at, or be host of, at once; 0 is any number.
        sender: what sends to webhooks.
        failing_ms: how long a webhook may fail before it is switched off.
        chance: gives so many random bytes; cards follow from them.
    """

    def __init__(
        self,
        store: Store,
        queue: JobQueue,
        grant: int = 0,
        clock: Callable[[], int] = now_ms,
        idle_seconds: int = IDLE_SECONDS,
        *,
        max_tables: int = 0,
        sender: Sender | None = None,
        failing_ms: int = FAILING_MS,
        chance: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self.store = store
        self.now = clock
        self.chance = chance
        self._queue = queue
        self.grant = grant
        self._idle_seconds = idle_seconds
        self._max_tables = max_tables
        self._sender = sender or Sender()
        self._failing_ms = failing_ms

    @property
    def queue(self) -> JobQueue:
        """Where jobs are put."""
        return self._queue

    @property
    def _cashier(self) -> Cashier:
        return Cashier(self.store)

    @property
    def postman(self) -> Postman:
        """What tells webhooks of what happens at tables."""
        return Postman(self.store, self._sender, self._failing_ms)

    def sign_up(self, name: str, kind: Literal["human", "bot"], terms: Terms = ANY) -> Account:
        """A new guest account."""
        id_ = new_id(terms.once.beside if terms.once else None)
        account = Account(Player(id_, name, kind), self.grant, self.now())
        self.store.accounts.open(account, terms.once.answer(account) if terms.once else None)
        return account

    def create_table(
        self,
        host: Player,
        settings: Settings,
        levels: tuple[str, ...],
        terms: Terms = ANY,
        *,
        sandbox: Sandbox | None = None,
    ) -> Table:
        """A new table with its maker in the first seat and house bots in the next ones.

        Where the bots take every seat, the maker watches.

        Args:
            host: its maker.
            settings: what was agreed.
            levels: those of the house bots.
            terms: what the request came with.
            sandbox: the sandbox match that is played there, if it is one.

        Raises:
            InsufficientChips: the maker has not the chips for the buy-in.
            LimitReached: the maker is at too many tables already.
        """
        moment = self._moment()
        settings = replace(settings, idle_seconds=self._idle_seconds)
        id_ = new_id(terms.once.beside if terms.once else None)
        made = new_table(id_, settings, host, secrets.token_urlsafe(6), moment)
        made = table = replace(made, sandbox=sandbox)
        commands: list[TableCommand] = [
            AddBot(host.id, _house_bot(level, name))
            for level, name in zip(levels, BOT_NAMES, strict=False)
        ]
        takes_seat = len(levels) < settings.seats
        if takes_seat:
            commands.insert(0, Join(host, invite_code=table.invite_code))
        entries: tuple[Entry, ...] = ()
        for command in commands:
            table, more = step_on(table, command, moment)
            entries += more
        change = _answered(Change(table, entries), terms)
        with self._cashier.buying_in(host.id, moment.at) as buy_in:
            if takes_seat:
                change = replace(change, arrival=buy_in(made))
            self._note(host.id, made)
            change = replace(change, hears=self._hears(host.id))
            self.store.commit(0, change)
        self._after(change)
        return table

    def join(
        self,
        table_id: str,
        player: Player,
        seat: int | None = None,
        code: str | None = None,
        terms: Terms = ANY,
        *,
        rules_hash: str | None = None,
    ) -> Table:
        """Seat a player; their list of tables has it before the table does, never the reverse.

        Raises:
            RulesChanged: the house rules are not those of `rules_hash`.
            InsufficientChips: the player has not the chips for the buy-in.
            LimitReached: the player is at too many tables already.
            PaiuteError: as `act`.
        """
        with self._cashier.buying_in(player.id, self.now()) as buy_in:

            def decide(table: Table) -> Change:
                change = self._judge(table, Join(player, seat, code, rules_hash), terms)
                change = replace(change, arrival=buy_in(table))
                self._note(player.id, table)
                return replace(change, hears=self._hears(player.id))

            table = self._change(table_id, decide, terms)
        self._invited_no_more(player.id, table_id)
        return table

    def _invited_no_more(self, player: str, table_id: str) -> None:
        """Take away the invitations to a table where the player sits now: a later one is news."""
        invitations = self.store.invitations
        with suppress(Unavailable):  # They are over, which is also seen by whoever lists them.
            held = invitations.of(player)
            invitations.drop(player, [one.number for one in held if one.table == table_id])

    def _hears(self, player: str) -> str | None:
        """A player who is to be told of a table that was just noted: one who has webhooks."""
        return player if self.store.webhooks.any_of(player) else None

    def _note(self, player: str, table: Table) -> None:
        """Note a table for a player who is about to be there; what is over counts no more.

        Raises:
            LimitReached: so many others are noted already.
        """
        note = partial(self.store.accounts.note, player, table.id, self.now(), self._max_tables)
        if note():
            return
        self.store.tables_of(player, self.now())
        if not note():
            refusal = LimitReached(self._max_tables)
            refusal.table = table if table.version else None
            raise refusal

    def add_bot(
        self, table_id: str, host: str, level: str, seat: int | None = None, terms: Terms = ANY
    ) -> Table:
        """Seat a house bot, by a name that nobody there has."""

        def decide(table: Table) -> Change:
            (bot,) = _house_bots(table, (level,))
            return self._judge(table, AddBot(host, bot, seat), terms)

        return self._change(table_id, decide, terms)

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

    def close(self, table_id: str, note: str | None, terms: Terms = ANY) -> Table:
        """Close a table as an operator, at whatever it is doing; a closed one stays as it is.

        Args:
            table_id: which table.
            note: what to tell the players.
            terms: what the request came with.
        """

        def decide(table: Table) -> Change:
            return self._recorded(table, self._judge(table, CloseByOperator(note), terms))

        return self._change(table_id, decide, terms)

    def _judge(self, table: Table, command: TableCommand, terms: Terms) -> Change:
        try:
            change = self._step(table, command)
        except PaiuteError as error:
            error.table = table
            raise
        return _answered(change, terms)

    def _step(self, table: Table, command: TableCommand) -> Change:
        after, entries = step_on(table, command, self._moment())
        return Change(after, entries, owed=owed(table, entries))

    def look(
        self,
        table_id: str,
        known: int | None = None,
        seconds: float = 0,
        terms: Terms = ANY,
        guard: Guard | None = None,
    ) -> Table:
        """A table for somebody who looks at it, after what is long overdue there has been done.

        Args:
            table_id: which table.
            known: the version that the caller has, where it waits for another one.
            seconds: how long it waits at most.
            terms: what the request came with.
            guard: what says whether it may wait on.
        """
        table = self.store.load(table_id, terms.charge)
        terms.admit(table)
        table = self._caught_up(table)
        if table.version == known and seconds:
            table = self._caught_up(self.store.wait(table_id, known, seconds, guard))
        return table

    def tables_of(self, player: str) -> tuple[Table, ...]:
        """The tables that a player has a seat at, after what is long overdue there is done."""
        tables = map(self._caught_up, self.store.tables_of(player, self.now()))
        return tuple(table for table in tables if table.status is not Status.CLOSED)

    def _caught_up(self, table: Table) -> Table:
        """Do what workers should have done long ago; as it stands, where that fails here too."""
        pending = followup(table)
        if pending is None or pending.kind == "play_bot" or pending.at + OVERDUE_MS > self.now():
            return table
        try:
            self.run(Due(pending.kind, table.id, table.version))
            return self.store.load(table.id)
        except Exception as error:  # noqa: BLE001 - whoever only looks is shown what there is
            fault = faults.describe(error)
            logger.error("%s is overdue at table %s: %s", pending.kind, table.id, fault)  # noqa: TRY400
            return table

    def run(self, due: Due) -> None:
        """Do what is due, once: it is a no-op where the table has moved on."""
        if due.kind in ("arrive", "pay_out"):
            self._cashier.see_to(due, self.now())
            return
        if due.kind == "deliver":
            self.postman.deliver(due.subject, self.now())
            return
        try:
            table = self.store.load(due.subject)
        except NotFound:
            self.store.done(due)
            return
        if due.kind == "notify":
            self.postman.notify(table, self.now())
            return
        if due.kind == "forget":
            self._forget(table, due)
            return
        pending = followup(table)
        if table.version != due.number or pending is None or pending.kind != due.kind:
            return
        late = self.now() - pending.at
        if late < 0:
            return
        metrics.LATENESS_SECONDS.labels(pending.kind).observe(late / 1000)
        if pending.kind == "play_bot":
            self._play_bots(table)
        else:
            self._follow_up(table, pending.kind)

    def _forget(self, table: Table, due: Due) -> None:
        if table.status is not Status.CLOSED or table.version != due.number:
            return
        if table.settings.rated:
            self.store.ratings.forget(table.id)
        if not self.store.forget(table):
            self.store.put_off(due, self.now() + FORGET_AGAIN_MS)

    def _follow_up(self, table: Table, kind: Kind) -> None:
        commands: dict[Kind, TableCommand] = {
            "settle": Settle(),
            "next_deal": NextDeal(),
            "expire_turn": Expire(),
            "close_idle": CloseIdle(),
            "fill": Fill(_house_bots(table, (FILL_LEVEL,) * len(table.open_seats))),
        }
        change = self._recorded(table, self._step(table, commands[kind]))
        if change.entries and self.store.commit(table.version, change):
            self._after(change)

    def _recorded(self, table: Table, change: Change) -> Change:
        """A change of a table with the record of the deal that it ends, if it ends one.

        The deal has been rated by then. Its outcome is final before it is settled; and whoever is
        killed before the commit, or loses the race for it, has it rated again, which is a no-op.
        Sandbox matches have no records: the proof of a deal would tell the cards of its doubles.
        """
        if table.sandbox or not any(isinstance(entry.event, Settled) for entry in change.entries):
            return change
        if change.table.result:
            rate(self.store, table, change.table.result)
        log = self.store.entries(table.id, table.deal_from, table.version - table.deal_from)
        settled = replace(table, result=change.table.result)
        return replace(change, record=record_of(settled, (*log, *change.entries)))

    def _play_bots(self, table: Table) -> None:
        """Play the turn that is due, and the next ones as long as bots need no time to think."""
        for _ in range(TURNS_A_JOB):
            after, entries = bot_turn(table, self._moment())
            if not entries or not self.store.commit(table.version, Change(after, entries)):
                return
            count(entries)
            table = after
            pending = followup(table)
            if pending is None or pending.kind != "play_bot" or pending.at > self.now():
                break
        self._enqueue(table)

    def _change(self, table_id: str, decide: Callable[[Table], Change], terms: Terms) -> Table:
        _, change = self.store.change(table_id, decide, terms.expected, terms.charge, terms.admit)
        if change.entries:
            self._after(change)
        return change.table

    def _after(self, change: Change) -> None:
        """Pay out what a change owes, and put what it makes due at once on its queue.

        The due index has both, so a store or a queue that is away only makes them late.
        """
        count(change.entries)
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
        return Moment(self.now(), self.chance(32))


def _answered(change: Change, terms: Terms) -> Change:
    """A change with the answer to keep, where its request came with an idempotency key."""
    return replace(change, answer=terms.once.answer(change.table)) if terms.once else change


def _house_bots(table: Table, levels: tuple[str, ...]) -> tuple[Player, ...]:
    """House bots of these levels, by names that nobody at a table has."""
    taken = {sitting.player.name for sitting in table.seats.values()}
    free = [name for name in BOT_NAMES if name not in taken]
    return tuple(_house_bot(level, name) for level, name in zip(levels, free, strict=False))


def _house_bot(level: str, name: str) -> Player:
    return Player(new_id(), name, "house_bot", level)
