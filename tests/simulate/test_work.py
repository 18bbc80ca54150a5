"""The work on all cores, and what comes of it."""

import signal
from collections import Counter
from dataclasses import replace
from multiprocessing import active_children, get_context

import pytest

from service.simulate.match import Plan
from service.simulate.outside import Gone
from service.simulate.tally import Tally
from service.simulate.work import results
from tests.simulate.server import bot_server, plain

GREEDY = "tests.bots.greedy:Greedy"


def total(plan: Plan, jobs: int = 1) -> Tally:
    """What comes of all of a plan."""
    return sum((tally for _, tally in results(plan, jobs)), Tally())


def untimed(tally: Tally) -> Tally:
    """A tally without decisions, and without times."""
    return replace(tally, cpu=0.0, took=Counter())


def timeless(tally: Tally) -> Tally:
    """A tally without what depends on how quick a machine is."""
    decisions = untimed(tally)
    for (name, verb, _), count in tally.took.items():
        decisions.took[name, verb, 0] += count
    return decisions


def test_any_number_of_processes() -> None:
    """The same seed gives the same results on one process and on two, in the order of the plan."""
    plan = Plan(("easy", "medium", "random"), players=3, deals=15)
    alone, together = list(results(plan, 1)), list(results(plan, 2))

    assert [timeless(tally) for _, tally in alone] == [timeless(tally) for _, tally in together]
    assert list(plan.chunks) == [chunk for chunk, _ in together]


def test_another_seed() -> None:
    """Another seed gives other results."""
    plan = Plan(("easy", "medium"), deals=20)

    assert timeless(total(plan)) != timeless(total(replace(plan, seed=2)))


def test_two_alike_win_the_same() -> None:
    """On duplicate deals a bot against its double wins just half, whatever the cards."""
    plan = Plan(("medium", "twin"), deals=30, bots={"twin": "service.bots.medium:Medium"})
    score = total(plan).score

    assert (0.5, 30 * 0.25) == (score.share, score.squares)


def test_a_class_plays_at_full_speed() -> None:
    """A bot that is a class of Python plays the quick deals as the house's do."""
    tally = total(Plan(("easy", "mine"), deals=5, bots={"mine": GREEDY}))

    assert (10, 5) == (tally.deals, tally.score.blocks)
    assert {"easy", "mine"} == {name for name, _, _ in tally.took}


def test_an_outside_bot_plays_the_same_cards() -> None:
    """A bot over HTTP plays the same deals as one of the same kind in this process."""
    with bot_server(plain) as bot:
        plan = Plan(("medium", "mine"), deals=2, bots={"mine": bot.url})
        over_http = total(plan)
    plan = replace(plan, bots={"mine": "tests.simulate.server:Plain"})

    assert untimed(total(plan)) == untimed(over_http)
    assert 4 == over_http.deals


def test_an_outside_bot_can_tell_deals_apart() -> None:
    """Each deal has a table and a number of its own, in all matches and seats."""
    with bot_server(plain) as bot:
        total(Plan(("medium", "hard", "mine"), deals=2, bots={"mine": bot.url}))
        views = bot.views
    deals = {(view["id"], view["deal"]["number"]) for view in views}
    ids, numbers = (set(each) for each in zip(*deals, strict=True))

    assert (8, 8, 8) == (len(deals), len(ids), len(numbers))  # Two matches, two blocks, two seats.
    assert 1 not in numbers  # That is the deal in which bots are tried out.


def test_nobody_answers() -> None:
    """Where an outside bot is gone the work ends, on one process and on two."""
    with bot_server(plain) as bot:
        url = bot.url
    for jobs in (1, 2):
        plan = Plan(("medium", "mine"), deals=20, bots={"mine": url})
        with pytest.raises(Gone, match="does not answer"):
            total(plan, jobs)


def test_only_its_own_processes_end() -> None:
    """Where the work ends early, no other process that this one has started ends with it."""
    other = get_context("fork").Process(target=signal.pause)
    other.start()
    with bot_server(plain) as bot:
        url = bot.url
    with pytest.raises(Gone):
        total(Plan(("medium", "mine"), deals=20, bots={"mine": url}), 2)

    assert [other] == active_children()
    assert other.is_alive()
    other.kill()
    other.join()
