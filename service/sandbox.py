"""Sandbox matches: opening one, and finding one's own."""

import secrets
from contextlib import suppress
from dataclasses import dataclass

from service.engine.errors import PaiuteError
from service.engine.house_rules import HouseRules
from service.game import ANY, Game, Terms
from service.store.base import NotFound, Unavailable
from service.tables.sandbox import SANDBOX_RULES, Sandbox, new_sandbox
from service.tables.table import Player, Settings, Table


class MatchOpen(PaiuteError):
    """A player has a sandbox match that is not over, or is about to get it by another request."""

    code = "limit_reached"

    def __init__(self, match: str | None = None) -> None:
        super().__init__(
            "You have an open sandbox match, or are just opening one. Play it to its end, or leave "
            "its table.",
            limit="sandbox",
            match=match,
        )


@dataclass(frozen=True, slots=True)
class Wish:
    """What match somebody wants.

    Args:
        levels: the levels of 1 to 4 house bots.
        deals: how many deals at least.
        seed: what all of its chance follows from; None is one that nobody knows.
        rules: its house rules, without a cut by players.
    """

    levels: tuple[str, ...]
    deals: int
    seed: str | None = None
    rules: HouseRules = SANDBOX_RULES

    def new_match(self) -> Sandbox:
        """A match before its first deal; without a chosen seed each is another one."""
        seed = secrets.token_hex(32) if self.seed is None else self.seed
        return new_sandbox(self.levels, self.deals, seed, chosen=self.seed is not None)

    def settings(self, match: Sandbox) -> Settings:
        """The settings of the match's table: no chips, no clock, and nobody else."""
        return Settings(
            match.players,
            name="Sandbox match",
            ante=0,
            buy_in=0,
            visibility="private",
            turn_seconds=0,
            pause_seconds=0,
            thinking_ms=0,
            deals=match.deals,
            rules=self.rules,
        )


def open_match(game: Game, player: Player, wish: Wish, terms: Terms = ANY) -> Table:
    """The table of a new sandbox match, at which it is the player's turn.

    Raises:
        MatchOpen: the player has one already, or is just getting it.
        LimitReached: the player is at too many tables.
    """
    leases, holder, place = game.store.leases, f"sandbox:{player.id}", secrets.token_hex(8)
    if not leases.hold(holder, place, game.now(), 1):
        raise MatchOpen
    try:
        for table in game.store.tables_of(player.id, game.now()):
            if table.sandbox:
                raise MatchOpen(table.id)
        match = wish.new_match()
        return game.create_table(player, wish.settings(match), wish.levels, terms, sandbox=match)
    finally:
        with suppress(Unavailable):
            leases.free(holder, place)


def match_of(table: Table, player: str) -> Sandbox:
    """The sandbox match that a player has, or had, at a table.

    Raises:
        NotFound: there is none, or it is somebody else's.
    """
    if table.sandbox is None or table.host != player:
        raise NotFound("You have no sandbox match {id}.", id=table.id)
    return table.sandbox
