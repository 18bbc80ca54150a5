"""Redis Cluster: to the store it looks as one Redis, and a command goes to whoever has its key.

Each server is spoken to as a single one is: by a client of its own, with the same timeouts and a
breaker of its own, so that one that is away takes nothing from the tables of the others.  Replicas
are never read.

The cluster client of `redis` is not used: a call there may wait for every server in turn, once for
each of its commands, and it does not remember which one is away.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TypeVar, cast

from redis import Redis, exceptions
from redis.client import Pipeline

from service.store.members import AWAY, Members
from service.store.pool import Command, Connection
from service.store.scripts import QuickScript
from service.store.slots import Address, slot_of

if TYPE_CHECKING:
    from service.store.connection import GuardedRedis

T = TypeVar("T")

FOLLOW_SECONDS = 0.8
"""How long a call is sent on to where servers say, and again while a slot is on its way."""

AGAIN_SECONDS = 0.02
"""The pause before it is sent again."""

SENT_ON = (
    exceptions.AskError,  # MOVED is one, too.
    exceptions.TryAgainError,
    exceptions.NoScriptError,
    exceptions.ClusterDownError,
)
"""Answers that say to send a command again, here or elsewhere: it has not been done."""


class GuardedCluster(Redis):
    """A client of a cluster, which may be shared between threads.

    Args:
        seeds: some of its servers, to ask for all.
        connect_to: makes a client of one server, which connects when it is first used.
    """

    def __init__(
        self, seeds: Sequence[Address], connect_to: Callable[[Address], "GuardedRedis"]
    ) -> None:
        # Not that of `Redis`, which would make connections to one server.
        self.members = Members(seeds, connect_to)
        self._texts: dict[str, str] = {}

    def __repr__(self) -> str:
        """Where it is, without the password."""
        return f"<GuardedCluster at {self.members.seeds}>"

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Send a command to whoever has its key, and give its answer."""
        if args == ("PING",):
            return self._ping()
        return self.read(self._send(args), args[0], options)

    def ask(self, *commands: Command) -> list[Any]:
        """The answers to some commands, as they come; errors, and servers away, are answers."""
        return self.send_all(commands, all_of_them=False)

    def read(
        self, answer: Any, command: str, options: dict[str, Any], *, raise_on_error: bool = True
    ) -> Any:
        """An answer as redis-py's methods give it."""
        server = self.members.server(self.members.seeds[0])
        return server.read(answer, command, options, raise_on_error=raise_on_error)

    def _send(self, command: Command) -> Any:
        """The answer to a command, as it comes."""

        def send(server: "GuardedRedis", asking: bool) -> Any:
            sent = (("ASKING",), command) if asking else (command,)
            return _raised(server.ask(*sent)[-1])

        try:
            return self.follow(slot_of(command), send)
        except exceptions.NoScriptError:
            if command[0] != "EVALSHA" or command[1] not in self._texts:
                raise
        return self._send(("EVAL", self._texts[command[1]], *command[2:]))

    def follow(self, slot: int, send: Callable[["GuardedRedis", bool], T]) -> T:
        """Send something to whoever has a slot, and on to where servers say it is.

        Args:
            slot: the slot.
            send: sends it to a server, and tells it to answer though it does not have the slot yet.
        """
        began = time.monotonic()
        until = began + FOLLOW_SECONDS
        address, asking, sent = self.members.owner(slot), False, 0
        while True:
            try:
                return send(self.members.server(address), asking)
            except (exceptions.AskError, exceptions.TryAgainError) as error:
                if time.monotonic() > until:
                    raise
                if isinstance(error, exceptions.AskError):
                    address = (error.host or address[0], error.port)
                    asking = not isinstance(error, exceptions.MovedError)
                    if not asking:
                        self.members.slots.move(slot, address)
            except AWAY:
                # Another one may have taken over; and may know this very command already.
                owner = self.members.owner_now(slot, address, began)
                if owner == address:
                    raise
                address, asking = owner, False
            sent += 1
            if sent > 1:
                time.sleep(AGAIN_SECONDS)

    def send_all(self, commands: Sequence[Command], *, all_of_them: bool) -> list[Any]:
        """Send commands, those for one server at once, and give their answers, or errors for them.

        Args:
            commands: what to send.
            all_of_them: whether it is in vain where one server does not answer: then no more are
                asked.

        Raises:
            ConnectionError, TimeoutError: one server does not answer, and all have to.
        """
        answers: list[Any] = [None] * len(commands)
        until, away = time.monotonic() + FOLLOW_SECONDS, None
        by_owner: defaultdict[Address, list[int]] = defaultdict(list)
        for place, command in enumerate(commands):
            by_owner[self.members.owner(slot_of(command))].append(place)
        for address, places in by_owner.items():
            some = [commands[place] for place in places]
            try:
                if away and time.monotonic() > until:
                    raise away
                found = self._send_group(address, some)
            except AWAY as error:
                if all_of_them:
                    raise
                away, found = error, [error] * len(some)
            for place, answer in zip(places, found, strict=True):
                answers[place] = answer
        for place, answer in enumerate(answers):
            if isinstance(answer, SENT_ON):
                answers[place] = self._send_again(commands[place])
                if all_of_them and isinstance(answers[place], Exception):
                    break
        return answers

    def _send_group(self, address: Address, commands: list[Command]) -> list[Any]:
        """Send commands to one server, or to another one that has taken over by now."""
        began = time.monotonic()
        try:
            return self.members.server(address).ask(*commands)
        except AWAY:
            owners = {self.members.owner_now(slot_of(one), address, began) for one in commands}
            if len(owners) > 1 or address in owners:
                raise
        return self.members.server(owners.pop()).ask(*commands)

    def _send_again(self, command: Command) -> Any:
        try:
            return self._send(command)
        except exceptions.RedisError as error:
            return error

    def transact(self, commands: Sequence[Command]) -> list[Any]:
        """Do commands for one slot all or none, and give their answers."""

        def send(server: "GuardedRedis", _asking: bool) -> list[Any]:
            # Asking is for one command: so this goes to and fro until the slot has arrived.
            *queued, done = server.ask(("MULTI",), *commands, ("EXEC",))
            for answer in queued:
                _raised(answer)
            return cast(list[Any], _raised(done))

        slots = {slot_of(command) for command in commands}
        if len(slots) > 1:
            raise ValueError("A transaction is for keys of one slot.")
        return self.follow(slots.pop(), send)

    def pipeline(
        self,
        transaction: bool = True,
        shard_hint: Any = None,  # noqa: ARG002 - as the method of `Redis`
    ) -> "ClusterPipeline":
        """A pipeline of this client."""
        return ClusterPipeline(self, transaction)

    def register_script(self, script: Any) -> QuickScript:
        """A script that is called with keys of one slot."""
        made = QuickScript(self, script)
        self._texts[made.sha] = script
        return made

    def line(self) -> AbstractContextManager[Connection]:
        """A connection to one server, to hear on what is published on any."""
        return self.members.any()[0].line()

    def scan_iter(self, *args: Any, **options: Any) -> Iterator[Any]:
        """The keys of all servers; one that moves meanwhile may be missed, or found twice."""
        for server in self.members.all():
            yield from server.scan_iter(*args, **options)

    def state(self) -> str:
        """What tells the servers, and who has which slots, from what was before a change."""
        servers = self.members.all(afresh=True)
        runs = [cast(Any, server.info("server"))["run_id"] for server in servers]
        return f"{' '.join(runs)} {self.members.slots.digest()}"

    def get_encoder(self) -> Any:
        """What encodes scripts."""
        return self.members.server(self.members.seeds[0]).get_encoder()

    def close(self) -> None:
        """Close the connections to all servers."""
        self.members.close()

    def _ping(self) -> Any:
        """What the first server says that answers: the others may do without the rest."""
        until = time.monotonic() + FOLLOW_SECONDS
        *others, last = self.members.any()
        for server in others:
            try:
                return server.ping()
            except AWAY:
                if time.monotonic() > until:
                    raise
        return last.ping()


class ClusterPipeline(Pipeline):
    """Commands for several servers: each gets its own at once, and one server after the other.

    With `transaction` all are for one slot, and are done all or none.
    """

    def __init__(self, cluster: GuardedCluster, transaction: bool) -> None:
        super().__init__(None, {}, transaction, None)  # type: ignore[arg-type]
        self._cluster = cluster
        self._all_or_none = transaction

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Send all commands, and give their answers."""
        stack, self.command_stack = self.command_stack, []
        commands: list[Command] = [args for args, _ in stack]
        if not commands:
            return []
        if self._all_or_none:
            answers = self._cluster.transact(commands)
        else:
            answers = self._cluster.send_all(commands, all_of_them=raise_on_error)
        return [
            self._cluster.read(answer, args[0], options, raise_on_error=raise_on_error)
            for answer, (args, options) in zip(answers, stack, strict=True)
        ]


def _raised(answer: Any) -> Any:
    """An answer, unless it is an error: that is raised."""
    if isinstance(answer, Exception):
        raise answer
    return answer
