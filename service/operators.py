"""What operators may do: close tables and grant chips, which is logged, and see how queues are."""

import logging
from contextlib import suppress
from dataclasses import dataclass, replace

from service.engine.errors import PaiuteError
from service.game import Game, Terms
from service.store.accounts import LedgerEntry, Posting, grant_id
from service.store.base import Backlog, Census, Unavailable
from service.store.queues import QueueHealth
from service.tables import Table

logger = logging.getLogger(__name__)


class QueuesAway(Unavailable):
    """The job queues can't be reached; `backlog` is what the store has all the same."""

    def __init__(self, backlog: Backlog) -> None:
        super().__init__("The job queues can't be reached now.")
        self.backlog = backlog


class GrantedBefore(PaiuteError):
    """Another grant was made with the same token; nothing is granted now."""

    code = "idempotency_key_reused"

    def __init__(self, amount: int) -> None:
        super().__init__(
            "A grant of {amount} was made with this `Idempotency-Key`: take a new one.",
            amount=amount,
        )


def close_table(game: Game, table_id: str, reason: str | None, terms: Terms) -> Table:
    """Close a table with refunds; one that is closed stays as it is.

    Args:
        game: the application.
        table_id: which table.
        reason: what to tell the players.
        terms: what the request came with.

    Raises:
        NotFound: there is no such table.
    """
    table = game.close(table_id, reason, terms)
    logger.info("an operator closed table %s: %s", table_id, reason)
    return table


def grant(
    game: Game, player_id: str, amount: int, note: str | None, token: str
) -> tuple[LedgerEntry, bool]:
    """Grant chips to a player, once for each token, for good; says too whether that was now.

    Args:
        game: the application.
        player_id: to whom.
        amount: how many chips, at least one.
        note: for what, for the log.
        token: tells this grant from all others.

    Raises:
        NotFound: there is no such player.
        GrantedBefore: it was another amount that was granted for this token.
    """
    posting = Posting(grant_id(token), player_id, amount, "grant", game.now())
    entry = game.store.accounts.post(posting)
    if entry.posting.amount != amount:
        raise GrantedBefore(entry.posting.amount)
    granted = entry.posting == posting
    if granted:
        logger.info("an operator granted %s chips to %s: %s", amount, player_id, note)
    return entry, granted


@dataclass(frozen=True, slots=True)
class Overview:
    """How store and queues are; what can't be reached is None."""

    backlog: Backlog | None
    census: Census | None
    queues: tuple[QueueHealth, ...] | None


def overview(game: Game) -> Overview:
    """How store and queues are, as far as they can be reached."""
    seen = Overview(None, None, None)
    with suppress(Unavailable):
        seen = replace(seen, backlog=game.store.backlog(game.now()), census=game.store.census())
    with suppress(Unavailable):
        seen = replace(seen, queues=game.queue.health())
    return seen


def queues(game: Game) -> tuple[tuple[QueueHealth, ...], Backlog]:
    """How the job queues are, and what the due index has.

    Raises:
        QueuesAway: the queues can't be reached, but the store can.
        Unavailable: the store can't be reached.
    """
    backlog = game.store.backlog(game.now())
    try:
        return game.queue.health(), backlog
    except Unavailable:
        raise QueuesAway(backlog) from None
