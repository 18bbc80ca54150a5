"""What a caller is sent of a table and of its events, ready for JSON.

Cards are hidden by `service.engine.views` alone; finished deals are in `record_views`.
"""

from datetime import UTC, datetime
from typing import Any

import msgspec

from service.engine import views as engine_views
from service.engine.combinations import Combination
from service.engine.events import CardDrawn
from service.engine.house_rules import HouseRules
from service.engine.rules import NOTHING, Legal
from service.engine.showdown import Result
from service.engine.views import DealView
from service.tables.dealing import acting_seat
from service.tables.events import Entry
from service.tables.invitations import Invitation
from service.tables.rules_hash import rules_hash
from service.tables.table import Player, Status, Table

Json = dict[str, Any]


def table_view(table: Table, player: str | None, now: int, codes_of: str | None = None) -> Json:
    """The table as a player sees it, or as anybody does.

    Args:
        table: the table.
        player: the id of the player whose cards may be seen, or None.
        now: the time in milliseconds since 1970.
        codes_of: the id of the player whose invite codes may be seen, or None.
    """
    seat, code = table.seat_of(player), _invite_code(table, codes_of)
    deal = _deal_seen(table, seat)
    settings = table.settings
    return {
        "id": table.id,
        "version": table.version,
        "name": settings.name,
        "status": table.status,
        "visibility": settings.visibility,
        "host": table.host,
        "ante": settings.ante,
        "buy_in": settings.buy_in,
        "turn_seconds": settings.turn_seconds,
        "pause_seconds": settings.pause_seconds,
        "thinking_ms": settings.thinking_ms,
        "start_when": settings.start_when,
        "deals": settings.deals,
        "rated": settings.rated,
        "rules": rules_view(settings.rules),
        "rules_hash": rules_hash(settings.rules),
        "open_seats": len(table.open_seats),
        "pause_ms_left": _ms_left(table, now) if table.status is Status.PAUSE else None,
        "idle_ms_left": _ms_until(table.idle_deadline, now),
        "bots_ms_left": _ms_until(table.fill_at, now),
        "seats": [_seat_view(table, number, deal) for number in table.seats],
        "deal": _present_deal_view(table, deal, now) if deal else None,
        "invite_code": code,
        "you": _own_view(table, seat, deal, code) if seat else None,
    }


def summary(table: Table) -> Json:
    """The table as the lobby lists it: nothing of its deals."""
    settings = table.settings
    return {
        "id": table.id,
        "name": settings.name,
        "status": table.status,
        "seats": settings.seats,
        "open_seats": len(table.open_seats),
        "players": [player_view(seat.player) for seat in table.seats.values()],
        "ante": settings.ante,
        "buy_in": settings.buy_in,
        "turn_seconds": settings.turn_seconds,
        "thinking_ms": settings.thinking_ms,
        "start_when": settings.start_when,
        "rated": settings.rated,
        "rules_hash": rules_hash(settings.rules),
        "created_at": rfc3339(table.created_at),
    }


def own_summary(table: Table, player: str, now: int) -> Json:
    """The table as its player's own list has it."""
    seat = table.seat_of(player)
    my_turn = seat is not None and acting_seat(table) == seat
    left = _ms_left(table, now) if my_turn else None
    version = {"version": table.version, "seat": seat}
    return summary(table) | version | {"my_turn": my_turn, "turn_ms_left": left}


def event_view(entry: Entry, table_id: str, player: str | None) -> Json:
    """An event as a player may see it (docs/api.md, "Events")."""
    own = entry.player is not None and entry.player == player
    event = entry.event
    if isinstance(event, CardDrawn):
        event = engine_views.redact(event, event.seat if own else None)
    data = msgspec.to_builtins(event, str_keys=True)
    if "source" in data:
        data["from"] = data.pop("source")
    at = rfc3339(entry.at)
    return {"id": entry.id, "type": event.type, "at": at, "table": table_id, "data": data}


def player_view(player: Player) -> Json:
    """A player as everyone sees them."""
    return {"id": player.id, "name": player.name, "kind": player.kind, "level": player.level}


def invitation_view(invitation: Invitation) -> Json:
    """An invitation as the invited player sees it."""
    return {
        "number": invitation.number,
        "table": invitation.table,
        "from": player_view(invitation.from_player),
        "invite_code": invitation.code,
        "at": rfc3339(invitation.at),
    }


def combination_view(combination: Combination | None) -> Json | None:
    """A combination, or None where there is none."""
    if combination is None:
        return None
    return {
        "name": combination.name,
        "ranks": list(combination.ranks),
        "cards": list(combination.cards),
    }


def result_view(result: Result) -> Json:
    """How a deal ended."""
    return {
        "reason": result.reason,
        "hands": [
            {
                "seat": hand.seat,
                "cards": list(hand.cards),
                "combination": combination_view(hand.combination),
                "share": hand.share,
            }
            for hand in result.hands
        ],
        "winners": list(result.winners),
        "pot": result.pot,
    }


def rules_view(rules: HouseRules) -> Json:
    """The house rules by name."""
    fields: Json = msgspec.to_builtins(rules)
    return fields


def rfc3339(at: int) -> str:
    """Milliseconds since 1970 as RFC 3339 in UTC."""
    moment = datetime.fromtimestamp(at / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _deal_seen(table: Table, seat: int | None) -> DealView | None:
    """The deal as a seat sees it; who took the seat after the deal began is a spectator of it."""
    if table.deal is None:
        return None
    dealt_in = seat is not None and table.dealt_in(seat)
    return engine_views.view(table.deal, seat if dealt_in else None)


def _seat_view(table: Table, number: int, deal: DealView | None) -> Json:
    seat = table.seats[number]
    in_deal = deal.seats.get(number) if deal and table.dealt_in(number) else None
    state = "sitting_out"
    if in_deal:
        state = "folded" if in_deal.folded else "in"
    return {
        "seat": number,
        "player": player_view(seat.player),
        "stack": seat.stack,
        "hand_size": in_deal.hand_size if in_deal else 0,
        "state": state,
        "shown": list(in_deal.shown) if in_deal and in_deal.shown else None,
        "known": list(in_deal.known) if in_deal else [],
        "left": seat.left,
        "stand_in": seat.stand_in,
    }


def _present_deal_view(table: Table, deal: DealView, now: int) -> Json:
    ticking = table.status in (Status.CUTTING, Status.PLAYING)
    left = _ms_left(table, now) if ticking else None
    pot = deal.pot if table.in_deal else 0
    return deal_view(table.number, deal, pot=pot, ms_left=left, result=table.result)


def deal_view(
    number: int, deal: DealView, *, pot: int, ms_left: int | None, result: Result | None
) -> Json:
    """A deal as somebody sees it; `result` once it is settled, when there is no pot any more."""
    return {
        "number": number,
        "dealer": deal.dealer,
        "cutter": deal.cutter,
        "phase": deal.phase,
        "turn": deal.turn,
        "wild_card": deal.wild_card,
        "wild_rank": deal.wild_rank,
        "stock_size": deal.stock_size,
        "discard_top": deal.pile[0] if deal.pile else None,
        "discard_size": len(deal.pile),
        "pot": pot,
        "caller": deal.caller,
        "last_turns": list(deal.last_turns),
        "reshuffles": deal.reshuffles,
        "turn_ms_left": ms_left,
        "commitment": deal.commitment,
        "result": result_view(result) if result else None,
    }


def _invite_code(table: Table, player: str | None) -> str | None:
    """What lets others join a private table, for those who sit there and for its host."""
    knows = player is not None and (player == table.host or table.seat_of(player) is not None)
    return table.invite_code if knows and table.settings.visibility == "private" else None


def _own_view(table: Table, seat: int, deal: DealView | None, code: str | None) -> Json:
    own = deal.you if deal else None
    return {
        "seat": seat,
        "hand": list(own.hand) if own else [],
        "drawn": own.drawn if own else None,
        "best": combination_view(own.best) if own else None,
        "legal": _legal_view(table, table.seats[seat].player.id, deal),
        "invite_code": code,
    }


def legal_view(table: Table, player: str | None) -> list[Json]:
    """What a player may do at the table now, and nothing else; the same list as in the view."""
    return _legal_view(table, player, _deal_seen(table, table.seat_of(player)))


def _legal_view(table: Table, player: str | None, deal: DealView | None) -> list[Json]:
    if table.status is Status.CLOSED:
        return []
    own = deal.you if deal and table.in_deal else None
    actions = moves_view(own.legal if own else NOTHING)
    waiting = table.status is Status.WAITING and len(table.ready_seats) >= 2
    if waiting and player == table.host:
        actions.append({"action": "start"})
    if table.seat_of(player) is not None:
        actions.append({"action": "leave"})
    return actions


def moves_view(legal: Legal) -> list[Json]:
    """The moves of a deal that a seat may make."""
    actions: list[Json] = []
    if legal.cut:
        actions.append({"action": "cut"})
    if legal.draw:
        actions.append({"action": "draw", "from": list(legal.draw)})
    if legal.discard:
        actions.append({"action": "discard", "cards": list(legal.discard)})
    if legal.call is not None:
        actions.append({"action": "call", "discards": list(legal.call)})
    return actions


def _ms_left(table: Table, now: int) -> int | None:
    return _ms_until(table.deadline, now)


def _ms_until(at: int | None, now: int) -> int | None:
    return None if at is None else max(0, at - now)
