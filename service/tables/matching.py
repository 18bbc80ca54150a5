"""Quick match: which tables suit somebody who wants any table of some stakes."""

from dataclasses import dataclass

from service.engine.house_rules import HouseRules
from service.tables.table import ANTES_IN_A_BUY_IN, Settings, Status, Table

RULES = HouseRules()
"""The house rules of every quick match."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants.

    Args:
        seats: how many seats the table has.
        ante: its ante, in chips.
        bots_after_seconds: how long to wait for others before house bots come; None is for good.
    """

    seats: int
    ante: int
    bots_after_seconds: int | None = None

    @property
    def settings(self) -> Settings:
        """The settings of a table that is made for this wish."""
        return Settings(
            self.seats,
            name="Quick match",
            ante=self.ante,
            buy_in=ANTES_IN_A_BUY_IN * self.ante,
            bots_after_seconds=self.bots_after_seconds,
            rules=RULES,
            quick=True,
            rated=True,
        )


def match_rank(table: Table) -> int | None:
    """How many seats are open at a table for whoever wants any; the fewer, the sooner it begins.

    None is at a table that is not for them: in the middle of a deal, or not as they expect it.
    """
    settings = table.settings
    usual = (
        settings.visibility == "public"
        and settings.rules == RULES
        and settings.start_when == "full"
        and settings.buy_in <= ANTES_IN_A_BUY_IN * settings.ante
    )
    waits = table.status in (Status.WAITING, Status.PAUSE)
    return len(table.open_seats) or None if usual and waits else None


def suits(table: Table, wish: Wish, now: int) -> bool:
    """Whether a seat at a table that is for anybody fulfils a wish: its bots come early enough.

    They don't have to where the seat is the last one, or where deals go on.
    """
    settings = table.settings
    if match_rank(table) is None or (settings.seats, settings.ante) != (wish.seats, wish.ante):
        return False
    soon_enough = wish.bots_after_seconds is None or (
        table.fill_at is not None and table.fill_at <= now + 1000 * wish.bots_after_seconds
    )
    return soon_enough or len(table.open_seats) == 1 or table.status is Status.PAUSE
