"""A bot's whole turn, as one change of its table."""

import logging
import random
from itertools import product

from service import bots, faults
from service.engine import views
from service.engine.deal import Phase
from service.engine.errors import PaiuteError
from service.observe import metrics
from service.tables.commands import PlayForBot
from service.tables.dealing import acting_seat
from service.tables.events import Entry
from service.tables.step import step
from service.tables.table import Moment, Table

logger = logging.getLogger(__name__)

# Told as 0 from the beginning: where a count appears Prometheus sees no rise, and no alert fires.
for _level, _reason in product(bots.LEVELS, ("raised", "refused")):
    metrics.BOT_FALLBACKS.labels(_level, _reason)


def bot_turn(table: Table, moment: Moment) -> tuple[Table, tuple[Entry, ...]]:
    """The table after the bot whose turn it is has played it to its end; no-op without one.

    A bot that raises, or whose move is illegal, gets the fallback move, and that is logged.
    """
    seat = acting_seat(table)
    rng = random.Random(moment.chance)  # noqa: S311 - a bot's whims are no secret
    happened: tuple[Entry, ...] = ()
    while seat is not None:
        table, entries = _bot_move(table, seat, rng, moment)
        happened += entries
        deal = table.deal
        if not entries or deal is None or deal.turn != seat or deal.phase is not Phase.DISCARD:
            break
    return table, happened


def _bot_move(
    table: Table, seat: int, rng: random.Random, moment: Moment
) -> tuple[Table, tuple[Entry, ...]]:
    level = table.seats[seat].bot_level
    if level is None or table.deal is None:
        return table, ()
    view = views.view(table.deal, seat)
    try:
        with metrics.timed(metrics.BOT_SECONDS.labels(level)):
            move = bots.choose(level, view, rng)
        return step(table, PlayForBot(move), moment)
    except Exception as error:  # noqa: BLE001 - whatever a bot does wrong, its turn goes on
        reason = "refused" if isinstance(error, PaiuteError) else "raised"
        metrics.BOT_FALLBACKS.labels(level, reason).inc()
        fault = faults.describe(error)
        logger.error("bot %s got the fallback move at table %s: %s", level, table.id, fault)  # noqa: TRY400
        return step(table, PlayForBot(bots.fallback(view)), moment)
