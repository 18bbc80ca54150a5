"""What a player is sent of a sandbox match, ready for JSON."""

from service.tables.sandbox import Sandbox
from service.tables.table import Status, Table
from service.tables.views import Json, rfc3339


def match_view(table: Table, match: Sandbox) -> Json:
    """A sandbox match as its player sees it; no number says anything before a block is whole."""
    score = match.score
    known = score.blocks > 0
    return {
        "id": table.id,
        "table": table.id,
        "status": _status(table, match),
        "levels": list(match.levels),
        "deals": match.deals,
        "played": match.played,
        "blocks": score.blocks,
        "share": round(score.share, 4) if known else None,
        "low": round(score.low, 4) if known else None,
        "high": round(score.high, 4) if known else None,
        "elo": round(score.elo(match.players), 1) if known else None,
        "seed": _seed(table, match),
        "created_at": rfc3339(table.created_at),
    }


def _status(table: Table, match: Sandbox) -> str:
    if match.over:
        return "over"
    return "closed" if table.status is Status.CLOSED else "playing"


def _seed(table: Table, match: Sandbox) -> str | None:
    """The seed, once it tells nothing of cards that are still to be played."""
    return match.seed if match.seed_chosen or table.status is Status.CLOSED else None
