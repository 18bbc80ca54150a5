"""Quick match: a seat at any table of some stakes, and a new table where there is none."""

import random
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from service.game import ANY, FILL_LEVEL, Game, Once, Terms
from service.store.answers import Answer, InProgress
from service.store.base import Crowded, NotFound, Unavailable
from service.tables.errors import AlreadySeated, RulesChanged, TableFull, TableNotOpen
from service.tables.matching import RULES, Wish, suits
from service.tables.rules_hash import rules_hash
from service.tables.table import Player, Status, Table

CANDIDATES = 100
"""How many tables are looked at, most often the first alone, before a new one is made."""

IN_TURN_SECONDS = 1.0
"""How long somebody lets others go first."""

GONE = (TableFull, TableNotOpen, Crowded, NotFound)
"""What a table answers whose seat has gone to somebody else meanwhile."""


def quick_match(
    game: Game, player: Player, wish: Wish, agreed: str | None, terms: Terms = ANY
) -> Table:
    """Seat a player at a table that suits a wish: the fullest, then the oldest, or a new one.

    Who waits at such a table already, from an earlier quick match, is given that one.

    Args:
        game: the application.
        player: who wants to play.
        wish: at what table.
        agreed: the hash of the house rules that the player has agreed to, if named.
        terms: what the request came with.

    Raises:
        RulesChanged: quick matches have other house rules.
        InsufficientChips: the player has not the chips for the buy-in.
        LimitReached: the player is at too many tables already.
        InProgress: the same request is running elsewhere.
    """
    if agreed not in (None, rules_hash(RULES)):
        raise RulesChanged(RULES)
    attempt = _Attempt(game, terms.once)
    with _in_turn(game, wish):
        table = attempt.earlier() or _waiting_at(game, player, wish)
        table = table or _join_one(game, player, wish, attempt)
        if table:
            return table
        at_once = wish.bots_after_seconds == 0
        levels = (FILL_LEVEL,) * (wish.seats - 1) if at_once else ()
        return game.create_table(player, wish.settings, levels, terms)


def _waiting_at(game: Game, player: Player, wish: Wish) -> Table | None:
    """The table at which a player waits already for what is wished."""
    for table in game.store.tables_of(player.id, game.now()):
        waits = table.settings.quick and table.status is Status.WAITING
        if waits and suits(table, wish, game.now()):
            return table
    return None


def _join_one(game: Game, player: Player, wish: Wish, attempt: "_Attempt") -> Table | None:
    for table in game.store.matching(wish.seats, wish.ante, CANDIDATES):
        if table.seat_of(player.id) is not None or not suits(table, wish, game.now()):
            continue
        with suppress(*GONE):
            return _join(game, player, table, attempt)
    return None


def _join(game: Game, player: Player, table: Table, attempt: "_Attempt") -> Table:
    try:
        return game.join(table.id, player, terms=attempt.at(table.id))
    except AlreadySeated:  # By the same request, or by another of the player's.
        return game.store.load(table.id)


@contextmanager
def _in_turn(game: Game, wish: Wish) -> Iterator[None]:
    """Let players who want the same look for it one after the other, as far as that goes.

    Else many at once would each make a table.  No more depends on it, so nobody waits for long.
    """
    queue, place = f"match:{wish.seats}:{wish.ante}", secrets.token_hex(8)
    until = time.monotonic() + IN_TURN_SECONDS
    with suppress(Unavailable):
        while not game.store.leases.hold(queue, place, game.now(), 1):
            if time.monotonic() > until:
                break
            time.sleep(random.uniform(0.002, 0.02))  # noqa: S311 - just to part the callers
    try:
        yield
    finally:
        with suppress(Unavailable):
            game.store.leases.free(queue, place)


class _Attempt:
    """A request that seats its player once, though it may be sent again after a kill.

    Its key lies in one partition, the table that it finds in another: no commit can answer it.
    Before it joins a table it notes beside its key which one that is, and the commit that seats the
    player leaves a note beside the table.  Who comes later with the key finds the player there, or
    sees to it that this join never happens, before it looks for a table itself.
    """

    def __init__(self, game: Game, once: Once | None) -> None:
        self._game = game
        self._key = once.beside if once else None
        self._aim = ""

    def earlier(self) -> Table | None:
        """The table at which an earlier process has seated the player for this very request."""
        answers = self._game.store.answers
        aim = answers.claim(self._key, f"{self._key}:aim", "") if self._key else None
        if not aim:
            return None
        self._aim = aim
        table_id, _, token = aim.partition(":")
        if answers.keep(_note(table_id, token, "elsewhere")):
            return None
        return self._game.store.load(table_id)

    def at(self, table_id: str) -> Terms:
        """The terms on which the player joins a table.

        Raises:
            InProgress: somebody else is about this request, too.
        """
        if self._key is None:
            return ANY
        token = secrets.token_hex(8)
        aim = f"{table_id}:{token}"
        if not self._game.store.answers.keep(Answer(f"{self._key}:aim", self._key, self._aim, aim)):
            raise InProgress
        self._aim = aim
        return Terms(once=Once(table_id, lambda _: _note(table_id, token, "here")))


def _note(table_id: str, token: str, text: str) -> Answer:
    """Where the player of a try to join a table is: there, or elsewhere."""
    return Answer(f"match:{token}", table_id, "", text)
