"""A small system with all kinds of movements of chips, for the audit."""

import random
from dataclasses import dataclass
from functools import partial

from service.cashier import Cashier
from service.engine.house_rules import HouseRules
from service.tables import Leave, Play, Player, Status, Table
from service.tables.dealing import acting_seat
from tests.store.conftest import RETENTION_SECONDS
from tests.support.game import Played
from tests.support.tables import GUEST, HOST, START, any_move, open_account
from tests.support.waiting import wait_until

CAM = Player("cam", "Cam", "bot")
DAN = Player("dan", "Dan", "human")
QUICK = HouseRules(cut="auto", first_dealer=1)


@dataclass
class World:
    """Some tables with all kinds of movements, and none that is under way.

    At `waiting` people have taken seats, and Cam another time: the table is at version 6. At
    `dealing` a deal is going on after several, and people have left in the middle of one. `gone`
    is forgotten. A buy-in of the guest for `dealing` went back.
    """

    played: Played
    waiting: Table
    dealing: Table
    gone: str


def make_world(played: Played) -> World:
    """A system at rest."""
    chance = random.Random(7)
    for player in (CAM, DAN):
        open_account(played.store, player)
    gone = played.table("easy", seats=2, deals=1, rules=QUICK)
    wait_until(lambda: move_on(played, gone.id, chance, 10).status is Status.CLOSED)
    forget_all(played)
    dealing = played.table("easy", "medium", joiners=(GUEST, CAM), seats=5, turn_seconds=30)
    for leaver in (CAM, HOST):
        after = move_on(played, dealing.id, chance, 5).number + 1
        played.game.act(dealing.id, Leave(leaver.id))
        wait_until(partial(_has_come_to, played, dealing.id, after, chance))
    cashier = Cashier(played.store)
    cashier.send_back(cashier.take(GUEST.id, dealing, f"join-{dealing.id}-x", START), START)
    waiting = played.table("easy", joiners=(GUEST,), seats=5, start_when="host")
    played.game.join(waiting.id, CAM)
    played.game.act(waiting.id, Leave(CAM.id))
    played.game.join(waiting.id, CAM)
    return World(played, played.store.load(waiting.id), played.store.load(dealing.id), gone.id)


def move_on(played: Played, table_id: str, chance: random.Random, moves: int) -> Table:
    """Some moves at a table, by people and bots, with all that becomes due at once."""
    for _ in range(moves):
        played.work()
        table = played.store.load(table_id)
        seat = acting_seat(table)
        if seat is not None and not table.seats[seat].player.is_house_bot:
            move = Play(table.seats[seat].player.id, any_move(table, seat, chance))
            played.game.act(table_id, move)
    played.work()
    return played.store.load(table_id)


def _has_come_to(played: Played, table_id: str, deal: int, chance: random.Random) -> bool:
    return move_on(played, table_id, chance, 5).number >= deal


def forget_all(played: Played) -> None:
    """Let the time pass that closed tables are kept."""
    played.clock.advance(RETENTION_SECONDS + 1)
    wait_until(lambda: any(due.kind == "forget" for due in played.sweep()))


def entries_of(played: Played, player: Player) -> int:
    """How many entries a player's ledger has."""
    return played.store.accounts.ledger(player.id, None, 1)[0].number
