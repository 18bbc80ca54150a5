"""The figures of a tournament, as `paiute simulate --json` prints them (docs/bots.md)."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from service.bots.scores import Score, elo_of
from service.engine.combinations import Kind
from service.simulate.ladder import Gap, ladder
from service.simulate.match import Pairing, Plan
from service.simulate.players import is_url
from service.simulate.tally import PARTS, Tally, Verb

Json = dict[str, Any]

RULES = ("ace_low", "final_turns", "reshuffle", "max_reshuffles")
"""The house rules that matter to a deal whose players are bots."""


def figures(plan: Plan, tallies: Mapping[Pairing, Tally]) -> Json:
    """All that was found.  Nothing but `cpu`, and what decisions took, differs between two runs."""
    whole = sum(tallies.values(), Tally())
    return {
        "players": plan.players,
        "blocks": plan.deals,
        "seed": plan.seed,
        "rules": {name: value for name, value in asdict(plan.rules).items() if name in RULES},
        "ladder": _ladder(plan, tallies),
        "matches": [_match(plan, pairing, tally) for pairing, tally in tallies.items()],
        "decisions": _decisions(plan, whole),
        "illegal_moves": {name: whole.illegal[name] for name in plan.names},
        "late_answers": {name: whole.late[name] for name in plan.names},
        "cpu": {
            "seconds": round(whole.cpu, 3),
            "deals_per_second": round(whole.deals / whole.cpu, 1),
        },
    }


def _ladder(plan: Plan, tallies: Mapping[Pairing, Tally]) -> list[Json]:
    if len(plan.names) == 1:
        return []
    gaps = {pairing: _gap(plan, tally.score) for pairing, tally in tallies.items()}
    return [
        {"player": name, "elo": round(gap.elo, 1), "error": round(gap.error, 1)}
        for name, gap in ladder(plan.names, gaps).items()
    ]


def _gap(plan: Plan, score: Score) -> Gap:
    low, high = (elo_of(end, plan.players, score.blocks) for end in (score.low, score.high))
    return Gap(score.elo(plan.players), (high - low) / 2)


def _match(plan: Plan, pairing: Pairing, tally: Tally) -> Json:
    called = tally.calls.total()
    return {
        "player": pairing.player,
        "against": pairing.against,
        "deals": tally.deals,
        **(_won(plan, tally.score) if not pairing.is_of_equals else {}),
        "share_by_seat": [
            _part(tally.won[place], PARTS * tally.deals) for place in range(plan.players)
        ],
        "called": called,
        "turns_to_call": round(tally.turns / called, 2) if called else None,
        "combinations": {kind: _part(tally.combinations[kind], called) for kind in reversed(Kind)},
        "caller_share": _part(tally.callers_won.total(), PARTS * called),
        "caller_share_by_last_turns": {
            left: _part(tally.callers_won[left], PARTS * tally.calls[left])
            for left in sorted(tally.calls)
        },
        "renewed": tally.renewed,
        "void": tally.void,
        "deals_per_cpu_second": round(tally.deals / tally.cpu, 1),
    }


def _won(plan: Plan, score: Score) -> Json:
    gap = _gap(plan, score)
    return {
        "share": round(score.share, 5),
        "error": round(score.error, 5),
        "low": round(score.low, 5),
        "high": round(score.high, 5),
        "elo": round(gap.elo, 1),
        "elo_error": round(gap.error, 1),
    }


def _part(some: int, of: int) -> float | None:
    return round(some / of, 5) if of else None


def _decisions(plan: Plan, whole: Tally) -> list[Json]:
    verbs: tuple[Verb, ...] = ("draw", "discard")
    return [_took(plan, whole, name, verb) for name in plan.names for verb in verbs]


def _took(plan: Plan, whole: Tally, name: str, verb: Verb) -> Json:
    took = Counter(
        {ns: n for (by, what, ns), n in whole.took.items() if (by, what) == (name, verb)}
    )
    return {
        "player": name,
        "move": verb,
        "count": took.total(),
        "clock": "wall" if is_url(plan.bots.get(name, "")) else "cpu",
        "p50_us": _percentile(took, 0.5),
        "p99_us": _percentile(took, 0.99),
    }


def _percentile(took: Counter[int], part: float) -> float | None:
    """Microseconds that this part of the decisions was made within."""
    left = part * took.total()
    for nanoseconds in sorted(took):
        left -= took[nanoseconds]
        if left <= 0:
            return round(nanoseconds / 1000, 1)
    return None
