"""What a caller is sent of a finished deal, ready for JSON: its record, a look back, its proof.

A record hides what was never shown, unless all who were dealt in have agreed to open the deal.
"""

from service.engine import views as engine_views
from service.engine.commands import Source
from service.engine.replacing import replace
from service.engine.views import DealView
from service.tables.openings import PastDeal
from service.tables.proofs import ALGORITHM, DOCUMENT, CutMade, Dealt, Proof, Renewal
from service.tables.receipts import Amount, Receipt, receipt
from service.tables.records import Action, DealRecord
from service.tables.replays import deal_at, last_hands
from service.tables.views import (
    Json,
    combination_view,
    deal_view,
    moves_view,
    player_view,
    result_view,
    rfc3339,
    rules_view,
)


def record_summary(record: DealRecord) -> Json:
    """A finished deal as the list of deals has it."""
    return {
        "number": record.number,
        "dealer": record.dealer,
        "pot": record.result.pot,
        "winners": list(record.result.winners),
        "reason": record.result.reason,
        "seats": [
            {"seat": seat, "player": player_view(sitting)}
            for seat, sitting in record.players.items()
        ],
        "ended_at": rfc3339(record.ended_at),
    }


def record_view(past: PastDeal, player: str | None) -> Json:
    """A finished deal as a player may see it.

    The last hand of a seat, and the cards that it drew from the stock, are there for its player,
    and for all where that hand was shown or the deal was opened.
    """
    record, seen = past.record, past.seen_by(player)
    return record_summary(record) | {
        "ante": record.ante,
        "wild_card": record.wild_card,
        "wild_rank": record.wild_card[0] if record.wild_card else None,
        "rules": rules_view(record.rules),
        "actions": [_action_view(action, action.seat in seen) for action in record.actions],
        "result": result_view(record.result),
        "receipt": receipt_view(receipt(record)),
        "started_at": rfc3339(record.started_at),
        "from_version": record.from_version,
        "to_version": record.to_version,
        "agreed": list(past.agreeing),
        "opened": past.opened,
        "hands": [
            {"seat": seat, "cards": list(cards)}
            for seat, cards in last_hands(record).items()
            if seat in seen
        ],
    }


def past_view(past: PastDeal, seat: int | None, version: int) -> Json:
    """A finished deal as a seat saw it at a version of the table, or as a spectator did.

    Whether the asker may see that seat's hand is for `PastDeal.check_seen` to say.
    """
    record = past.record
    settled = version >= record.to_version
    deal = engine_views.view(deal_at(record, version), seat, opened=past.opened)
    return {
        "version": version,
        "seats": [_seat_view(record, number, deal) for number in record.players],
        "deal": deal_view(
            record.number,
            deal,
            pot=0 if settled else deal.pot,
            ms_left=None,
            result=record.result if settled else None,
        ),
        "you": _own_view(deal),
    }


def _seat_view(record: DealRecord, number: int, deal: DealView) -> Json:
    seat = deal.seats[number]
    return {
        "seat": number,
        "player": player_view(record.players[number]),
        "hand_size": seat.hand_size,
        "state": "folded" if seat.folded else "in",
        "shown": list(seat.shown) if seat.shown else None,
        "known": list(seat.known),
    }


def _own_view(deal: DealView) -> Json | None:
    own = deal.you
    if own is None:
        return None
    return {
        "seat": own.seat,
        "hand": list(own.hand),
        "drawn": own.drawn,
        "best": combination_view(own.best),
        "legal": moves_view(own.legal),
        "invite_code": None,
    }


def proof_view(proof: Proof, table_id: str) -> Json:
    """The proof of a finished deal, the same for everyone: it tells all of the deal's cards."""
    record, dealt = proof.record, proof.dealt
    return {
        "table": table_id,
        "number": record.number,
        "algorithm": ALGORITHM,
        "document": DOCUMENT,
        "commitment": proof.commitment,
        "committed_version": record.from_version,
        "seed": record.seed,
        "seats": list(record.players),
        "dealer": record.dealer,
        "rules": rules_view(record.rules),
        "cut": _cut_view(proof.cut) if proof.cut else None,
        "dealt": _dealt_view(dealt) if dealt else None,
        "renewals": [_renewal_view(renewal) for renewal in proof.renewals],
    }


def _cut_view(cut: CutMade) -> Json:
    return {
        "seat": cut.seat,
        "position": cut.position,
        "entropy": cut.entropy,
        "version": cut.version,
        "by": cut.by,
    }


def _dealt_view(dealt: Dealt) -> Json:
    return {
        "deck": list(dealt.deck),
        "hands": [{"seat": seat, "cards": list(cards)} for seat, cards in dealt.hands.items()],
        "wild_card": dealt.wild_card,
        "first_discard": dealt.first_discard,
        "stock": list(dealt.stock),
    }


def _renewal_view(renewal: Renewal) -> Json:
    return {
        "number": renewal.number,
        "version": renewal.version,
        "discards": list(renewal.discards),
        "kept": list(renewal.kept),
        "stock": list(renewal.stock),
    }


def receipt_view(receipt: Receipt) -> Json:
    """The settlement receipt of a deal: hands that were shown, and chips; the same for everyone."""
    return {
        "antes": _amounts_view(receipt.antes),
        "pot": receipt.pot,
        "hands": [
            {
                "seat": hand.seat,
                "cards": list(hand.cards),
                "combination": combination_view(hand.combination),
            }
            for hand in receipt.hands
        ],
        "shares": _amounts_view(receipt.shares),
        "odd_chips": _amounts_view(receipt.odd_chips),
        "rule": receipt.rule,
    }


def _amounts_view(amounts: tuple[Amount, ...]) -> list[Json]:
    return [{"seat": one.seat, "amount": one.amount} for one in amounts]


def _action_view(action: Action, seen: bool) -> Json:
    if action.source is Source.STOCK and not seen:
        action = replace(action, card=None)
    return {
        "seat": action.seat,
        "action": action.action,
        "from": action.source,
        "card": action.card,
        "cards": list(action.cards) if action.cards else None,
        "at": rfc3339(action.at),
        "version": action.version,
        "by": action.by,
    }
