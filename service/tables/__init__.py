"""The application: tables of players, deal after deal, still without Flask, Redis or RQ.

`step` is the one door for every change, whether a person, a bot or the clock asks for it.
"""

from service.tables.commands import (
    AddBot,
    CloseByOperator,
    CloseIdle,
    EndMatch,
    Expire,
    Fill,
    Join,
    Leave,
    NextDeal,
    Play,
    PlayForBot,
    RemoveBot,
    Settle,
    Start,
    TableCommand,
)
from service.tables.followups import Followup, followup
from service.tables.step import step
from service.tables.table import Moment, Player, Settings, Status, Table, new_table

__all__ = [
    "AddBot",
    "CloseByOperator",
    "CloseIdle",
    "EndMatch",
    "Expire",
    "Fill",
    "Followup",
    "Join",
    "Leave",
    "Moment",
    "NextDeal",
    "Play",
    "PlayForBot",
    "Player",
    "RemoveBot",
    "Settings",
    "Settle",
    "Start",
    "Status",
    "Table",
    "TableCommand",
    "followup",
    "new_table",
    "step",
]
