"""A tournament from its plan to its figures."""

from collections.abc import Callable
from dataclasses import replace

from service.engine.house_rules import HouseRules
from service.simulate.figures import Json, figures
from service.simulate.match import Plan
from service.simulate.outside import Gone, Outside
from service.simulate.players import NoSuchBot, faulty, is_url, player
from service.simulate.tally import Tally
from service.simulate.work import results


class NotPlayable(Exception):
    """A tournament can't be played; the text says why."""


def tournament(plan: Plan, jobs: int, progress: Callable[[int], None]) -> Json:
    """Play a tournament, and tell of its progress in blocks.

    Raises:
        NotPlayable: a bot can't be had, fails, or does not answer with moves.
    """
    try:
        _try_out(plan)
        return _played(plan, jobs, progress)
    except (NoSuchBot, Gone) as error:
        raise NotPlayable(str(error)) from error


def _try_out(plan: Plan) -> None:
    """Let each bot that isn't the house's play a short deal, so that a wrong address shows at once.

    A bot that never calls ends it when the stock of a full table runs out.
    """
    rules = HouseRules(max_reshuffles=0)
    for name, where in plan.bots.items():
        short = replace(plan, names=(name,), players=5, deals=1, rules=rules, first=1)
        if is_url(where):
            _ask(short, name, where)
        else:
            _run(short, name, where)


def _ask(short: Plan, name: str, where: str) -> None:
    ((_, tally),) = results(short, jobs=1)
    bot = player(name, where, short.seconds)
    if not tally.took and isinstance(bot, Outside):
        raise NotPlayable(f"Nothing that {where} answers is a move: {bot.fault}.")


def _run(short: Plan, name: str, where: str) -> None:
    try:
        list(results(short, jobs=1))
    except NoSuchBot:
        raise
    except Exception as error:
        raise faulty(name, where, error) from error


def _played(plan: Plan, jobs: int, progress: Callable[[int], None]) -> Json:
    tallies = {pairing: Tally() for pairing in plan.pairings}
    for chunk, tally in results(plan, jobs):
        tallies[chunk.pairing] += tally
        progress(len(chunk.blocks))
    return figures(plan, tallies)
