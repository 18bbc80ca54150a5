"""One scale for all players: the Elo that fits all matches best."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from service.bots.scores import NORMAL
from service.simulate.match import Pairing

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Gap:
    """By how much Elo one player is above another, and half of the 95 % interval."""

    elo: float
    error: float


def ladder(names: Sequence[str], gaps: Mapping[Pairing, Gap]) -> dict[str, Gap]:
    """How far each player is above the first of them, the strongest first.

    It is the weighted least-squares fit: a match counts by how sure it is. The errors are of the
    distance to the first player, which has none. Where the matches agree less with one scale than
    their own errors allow, the ladder's are wider by as much: by the root of chi-square over its
    degrees of freedom.

    Args:
        names: the players.
        gaps: what each match says by itself; they link all players.
    """
    column = {name: place for place, name in enumerate(names)}
    above = np.zeros((len(gaps), len(names)))
    for row, pairing in enumerate(gaps):
        above[row, column[pairing.player]] = 1
        above[row, column[pairing.against]] = -1
    above = above[:, 1:]  # The first is at zero.
    weights = np.array([gap.error**-2 for gap in gaps.values()])
    spread = np.linalg.inv((above.T * weights) @ above)
    said = np.array([gap.elo for gap in gaps.values()])
    heights = spread @ (above.T * weights) @ said
    errors = np.sqrt(np.diag(spread)) * _wider(said - above @ heights, weights, len(heights))
    found = {names[0]: Gap(0.0, 0.0)}
    for name, height, error in zip(names[1:], heights, errors, strict=True):
        found[name] = Gap(float(height), float(error))
    return dict(sorted(found.items(), key=lambda each: -each[1].elo))


def _wider(left: Floats, weights: Floats, fitted: int) -> float:
    """By what the errors grow, from what the fit leaves of the matches; never below 1."""
    free = len(left) - fitted
    if not free:  # Each match has a step of its own: there is nothing that could disagree.
        return 1.0
    chi_square = float((left**2 * weights).sum()) * NORMAL**2  # Errors are so many deviations.
    return math.sqrt(max(1.0, chi_square / free))
