"""House rules: what players may agree on before a deal (docs/rules.md, "House rules")."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The agreed variations; the defaults are the rules as written."""

    ace_low: bool = False
    """Whether A-2-3-4-5 is a sequence too, the lowest one."""

    first_dealer: Literal["random"] | int = "random"
    """Who deals first: drawn at random, or a seat number."""

    cut: Literal["player", "auto"] = "player"
    """Whether the player at the dealer's right cuts, or the deck is cut at random."""

    final_turns: Literal["complete_round", "every_player"] = "complete_round"
    """Who has a last turn after a call: those up to the dealer, or everyone else."""

    reshuffle: Literal["keep_top", "all"] = "keep_top"
    """Whether the top discard stays when the discards become a new stock."""

    max_reshuffles: int = 10
    """How often the stock is renewed before the deal is void."""

    on_timeout: Literal["auto_play", "bot"] = "auto_play"
    """Whether a turn that ran out of time is played for the player, or a bot takes the seat."""
