"""One scale for all players: the Elo that fits all matches best."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from service.simulate.match import Pairing


@dataclass(frozen=True, slots=True)
class Gap:
    """By how much Elo one player is above another, and half of the 95 % interval."""

    elo: float
    error: float


def ladder(names: Sequence[str], gaps: Mapping[Pairing, Gap]) -> dict[str, Gap]:
    """How far each player is above the first of them, the strongest first.

    It is the weighted least-squares fit: a match counts by how sure it is. The errors are of the
    distance to the first player, which has none.

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
    heights = spread @ (above.T * weights) @ [gap.elo for gap in gaps.values()]
    found = {names[0]: Gap(0.0, 0.0)}
    for name, height, variance in zip(names[1:], heights, np.diag(spread), strict=True):
        found[name] = Gap(float(height), float(variance) ** 0.5)
    return dict(sorted(found.items(), key=lambda each: -each[1].elo))
